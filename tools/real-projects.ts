/**
 * Puts our builds into public projects of other people and writes docs/real-projects.md: does it fit, does the login work over HTTP
 * in the running application, what does the project's linter say, are the bytes as they were after remove and after undo.
 *   node tools/real-projects.ts <folder of git repositories> <folder of results> [--tools <folder>] [<project>...]
 * What came of each project is kept as JSON in the second folder, and the page is made of all that is kept: so one project can be tried again. Needs
 * `npm run generate` before, Git, npm, PyPI and PostgreSQL, Java, and in the folder of tools: `node_modules/.bin` with pnpm and yarn, `bin` with uv, poetry and the
 * Python that projects ask for, `mongo` with the jars of de.bwaldvogel:mongo-java-server; for fastify/demo a MySQL or MariaDB on 127.0.0.1:33306. Runs code of the projects and their packages: only where nothing can be taken.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECTS, type RealProject } from './real-projects/projects.ts';
import { tryUpdates, UPDATED, type UpdateTrial } from './real-projects/updates.ts';
import { makeWorkplace, tryProject, type Trial } from './real-projects/trial.ts';

const PAGE = join(import.meta.dirname, '../docs/real-projects.md');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tools: { type: 'string', default: '.' },
    page: { type: 'boolean', default: false },
    updates: { type: 'boolean', default: false },
  },
});
const [repositories, results, ...names] = positionals;
if (repositories === undefined || results === undefined)
  throw new Error(
    'Give the folder with the repositories of the projects, and the folder for results',
  );
mkdirSync(results, { recursive: true });
const keptAs = ({ repository }: RealProject): string =>
  join(results, `${repository.replace('/', '+')}.json`);

const updatesOf = (name: string): string => join(results, `updates ${name.replace('/', '+')}.json`);
for (const name of values.updates ? UPDATED : []) {
  if (names.length > 0 && !names.includes(name)) continue;
  const tools = resolve(values.tools);
  const place = makeWorkplace(tools);
  try {
    const index = join(import.meta.dirname, '../index');
    const trials = tryUpdates(name, { repositories, tools }, place, index);
    writeFileSync(updatesOf(name), JSON.stringify(trials, null, 1));
  } finally {
    place.remove();
  }
}
for (const project of PROJECTS) {
  if (values.page || values.updates || (names.length > 0 && !names.includes(project.repository)))
    continue;
  const tools = resolve(values.tools);
  const place = makeWorkplace(tools);
  try {
    const trial = await tryProject(project, { repositories, tools }, place);
    writeFileSync(keptAs(project), cleaned(JSON.stringify(trial, null, 1), place.folder));
    console.log(`${project.repository}: ${JSON.stringify({ ...trial, rows: undefined }, null, 1)}`);
  } finally {
    place.remove();
  }
}
writeFileSync(PAGE, page());
// What a project started may still hold its pipes.
process.exit();

function cleaned(text: string, folder: string): string {
  return text
    .replaceAll(folder, '')
    .replaceAll(join(import.meta.dirname, '..'), '')
    .replaceAll(resolve(values.tools), '');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function updates(): string {
  return UPDATED.filter((name) => existsSync(updatesOf(name)))
    .map((name) => {
      const trials = JSON.parse(readFileSync(updatesOf(name), 'utf8')) as UpdateTrial[];
      const sum = (of: (trial: UpdateTrial) => number): number =>
        trials.reduce((all, one) => all + of(one), 0);
      const { build = '', to = '' } = trials[0] ?? {};
      const versions = trials.map(({ from }) => from).join(', ');
      const figures = [
        sum((one) => one.clean),
        sum((one) => one.edits),
        sum((one) => one.lost),
        sum((one) => one.honest),
        sum((one) => one.faults.length),
      ];
      return `| ${name} | ${build} | ${versions} to ${to} | ${figures.join(' | ')} |`;
    })
    .join('\n');
}

function page(): string {
  const kept = PROJECTS.filter((project) => existsSync(keptAs(project))).map(
    (project) => [project, JSON.parse(readFileSync(keptAs(project), 'utf8')) as Trial] as const,
  );
  const table = (isChosen: boolean): string =>
    kept
      .filter(([project]) => (project.isChosen === true) === isChosen)
      .map(([{ repository, commit, kind, build, stubNote }, trial]) => {
        const { fits, login, handEdits, lint, proof, removed, undone } = trial;
        const cells = [
          fits,
          stubNote === undefined ? login : `${login}; ${stubNote}`,
          handEdits,
          lint,
          proof,
          removed,
          undone,
        ];
        return `| ${repository} \`${commit}\` | ${kind} | ${build} | ${cells.map(cell).join(' | ')} |`;
      })
      .join('\n');
  const details = kept.map(([{ repository }, { rows }]) => {
    const lines = rows.map(([command, result]) => `| \`${cell(command)}\` | ${cell(result)} |`);
    return `### ${repository}\n\n| Command | Result |\n|---|---|\n${lines.join('\n')}`;
  });
  const head = `| Project | Kind | Build | Fits | Login | Steps by hand | New lint problems: as shipped, in its style | Proof | Byte for byte after remove | after undo |
|---|---|---|---|---|---|---|---|---|---|`;
  return `# Real projects

Written by \`node tools/real-projects.ts\`: do not edit. Public projects that other people wrote, at these commits; our builds come from the index of this
repository. "Login" is register, login and me over HTTP in the application, started as the details have it. "Steps by hand" are those of the guide that wiring left to the user.
Lint is what the project's own linter reports more than before, after \`add\` as builds are shipped and with \`--style=project\`. "Byte for byte" is
what git finds after \`remove\`, and after \`add\` and \`undo\`, lock files of package managers included where packages were installed.

${head}
${table(false)}

## Five more

${head}
${table(true)}

## Updates after the fixer of the project

Made by \`--updates\`: in each project a version of a build is added as it is shipped, the fixers of the project run over everything, and the build is updated to
its newest version with \`--style=project\`: once without an edit, once after a script has added 200 lines to its files in random places. "Both" are files with
a conflict in which \`git merge-file\` finds one too: an added line beside a changed one. "Ours alone" would be a fault.

| Project | Build | Versions | Conflicts without an edit | Lines added | Lost | Files with a conflict: both | ours alone |
|---|---|---|---|---|---|---|---|
${updates()}

## Successes that were false

What version 0.1.0 reported as done in these projects, and the test that fails where it does so again.

| Reported | In truth | Test |
|---|---|---|
| santiq/bulletproof-nodejs: it fits | its TypeScript 4.0.3 cannot parse the code | \`tests/client/measured.test.ts\`, "refuses an older version than any that works" |
| alan2207/bulletproof-react: it fits | its Express is that of a mock server | \`tests/client/measured.test.ts\`, "has no server framework that only development uses" |
| edwinhern/express-typescript: carried out | a router in front answers every request | \`tests/wiring/express-openapi-router.txt\`, \`express-pathless-router.txt\` |
| a made application with \`app.use(auth.requireSession)\`: carried out | every login is refused | \`tests/wiring/express-required-session.txt\`, \`express-guard-by-name.txt\` |
| w3cj/hono-open-api-starter: scripts added | what they start was left to the user | \`client/plan/build-scripts.test.ts\`, "leaves out what starts a file that is not made" |
| w3cj/express-api-starter: added with status 0 | the application no longer starts | \`tests/client/javascript-project.test.ts\`, "gets JavaScript that runs" |
| Ctrl-C at a question: added with status 0 | nobody had agreed | \`tests/client/questions.test.ts\` |
| found here: rafsaf/minimal-fastapi-postgres-template: carried out | its own router has \`/auth\` | \`client/wire/find-application.test.ts\`, "takes those of the expected requests" |
| found here: gothinkster, antonio-lazaro: carried out | ts-node finds no \`./a.ts\` for \`./a.js\` | \`tests/client/javascript-project.test.ts\`, "gets imports without ending" |

## What was run

Commands of the client end with \`--json\`, from which the results are taken.

${details.join('\n\n')}
`;
}
