/** What to do in a project that was just started: go there, set variables, run it, test it. Reads only. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { tableAt } from '../../format/project/pyproject.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { ENV_EXAMPLE, PACKAGE_JSON, PYPROJECT } from '../edit/project-file.ts';
import { parseToml } from '../edit/toml/toml-array.ts';
import type { Plan } from '../plan/plan.ts';
import { readLock } from '../project/project.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import { formatCommand, venvPython, setUpCommands, type PackageCommand } from './packages.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { PROJECT_README } from '../terminal/plan-text.ts';

const RUN_SCRIPTS = ['dev', 'start'];

/** @param folder as the user wrote it */
export function enterStep(folder: string): NextStep {
  const command = formatCommand({ program: 'cd', args: [folder], isRunnable: false });
  return { command, why: 'the new project' };
}

/** Those in the folder of the project. */
export async function firstSteps(project: string, plan: Plan): Promise<NextStep[]> {
  return [
    ...variableSteps(project, plan),
    ...(await scriptSteps(project)),
    ...pythonSteps(project),
  ];
}

function variableSteps(project: string, { env }: Plan): NextStep[] {
  const required = [...new Set(env.filter((one) => one.required).map(({ name }) => name))];
  const example = join(project, ENV_EXAMPLE);
  if (required.length === 0 || !existsSync(example)) return [];
  const values = parseEnv(readText(example));
  const unset = required.filter((name) => (values[name] ?? '') === '');
  const why =
    unset.length === 0
      ? 'the variables, which have examples'
      : `then set ${unset.join(', ')} in .env`;
  return [{ command: `cp ${ENV_EXAMPLE} .env`, why }];
}

async function scriptSteps(project: string): Promise<NextStep[]> {
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  const has = (name: string): boolean => typeof field(scripts, name) === 'string';
  const { name: manager } = await findNodeManager(project);
  const run = manager === 'deno' ? 'deno task' : `${manager} run`;
  const started = RUN_SCRIPTS.find(has);
  return [
    ...(started === undefined ? [] : [{ command: `${run} ${started}`, why: 'runs it' }]),
    ...(has('test')
      ? [{ command: `${run} test`, why: `runs its tests${needOfTests(project)}` }]
      : []),
  ];
}

function needOfTests(project: string): string {
  const tags = Object.values(readLock(project)?.builds ?? {}).flatMap((one) => one.provides);
  const need = ', with DATABASE_URL in the environment: they do not read .env';
  return tags.includes('postgres') ? need : '';
}

/** A package with `__main__.py` can be run; the table of pytest shows that it tests the project. */
export function pythonSteps(project: string): NextStep[] {
  const python = venvPython();
  const main = readNames(project).find((name) => existsSync(join(project, name, '__main__.py')));
  return [
    ...(main === undefined ? [] : [{ command: `${python} -m ${main}`, why: 'runs it' }]),
    ...(usesPytest(project) ? [{ command: `${python} -m pytest`, why: 'runs its tests' }] : []),
  ];
}

function usesPytest(project: string): boolean {
  if (existsSync(join(project, 'pytest.ini'))) return true;
  try {
    return tableAt(parseToml(readText(join(project, PYPROJECT))), ['tool', 'pytest']) !== undefined;
  } catch {
    return false;
  }
}

interface Row {
  readonly command: string;
  readonly what: string;
}

/**
 * Writes the file into `project`, which has all other files of `plan`.
 * @param name that of the project's folder
 * @returns the plan with the file
 */
export async function addReadme(project: string, name: string, plan: Plan): Promise<Plan> {
  const path = join(project, PROJECT_README);
  if (existsSync(path)) return plan;
  const text = formatReadme(name, plan, await commandRows(project), (file) =>
    existsSync(join(project, file)),
  );
  writeFileSync(path, text);
  const after = integrityOf(Buffer.from(text));
  const edits = [...plan.edits, { path: PROJECT_README, action: 'create' as const, after }];
  return { ...plan, edits: edits.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function formatReadme(
  name: string,
  { builds }: Plan,
  rows: readonly Row[],
  has: (file: string) => boolean,
): string {
  const [foundation, ...modules] = builds.map(({ id, version }) => `\`${id}\` ${version}`);
  const from = modules.length === 0 ? foundation : `${foundation}, with ${modules.join(', ')}`;
  const notes = [
    [ENV_EXAMPLE, `Variables: copy \`${ENV_EXAMPLE}\`, which describes them, to \`.env\`.`],
    [
      'compose.yaml',
      'In production: `docker compose up --build`, with the required variables in `.env`.',
    ],
    ['AGENTS.md', 'How to work on it: [AGENTS.md](AGENTS.md).'],
  ].flatMap(([file = '', note]) => (has(file) ? [note] : []));
  const table = ['| Command | What it does |', '|---|---|'].concat(
    rows.map(({ command, what }) => `| ${cell(command)} | ${what} |`),
  );
  const parts = [
    // A folder may have any name: none of it may become markup.
    `# ${name.replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`)}`,
    `Started from ${from}.`,
    ...(rows.length === 0 ? [] : ['## Commands', table.join('\n')]),
    ...notes,
  ];
  return `${parts.join('\n\n')}\n`;
}

async function commandRows(project: string): Promise<Row[]> {
  const rows = (await setUpCommands(project)).map((command): Row => {
    // The other arguments are for the client, which runs it automatically.
    const isNode = command.args[0] === 'install';
    const typed = isNode ? { ...command, args: ['install'] } : command;
    return { command: formatCommand(typed), what: command.why ?? whatOf(command) };
  });
  const scripts = Object.entries(field(readJson(join(project, PACKAGE_JSON)), 'scripts') ?? {});
  const { name } = await findNodeManager(project);
  const run = name === 'deno' ? 'deno task' : `${name} run`;
  const ran = scripts
    .filter((script): script is [string, string] => typeof script[1] === 'string')
    .map(([script, value]): Row => {
      const need = script === 'test' ? needOfTests(project) : '';
      return { command: `${run} ${script}`, what: `${cell(value)}${need}` };
    });
  const python = pythonSteps(project).map(({ command, why }): Row => ({ command, what: why }));
  return [...rows, ...ran, ...python];
}

function whatOf({ args }: PackageCommand): string {
  return args.includes('install') ? 'installs the packages' : 'makes the environment';
}

function cell(code: string): string {
  return `\`${code
    .replaceAll('`', "'")
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ')}\``;
}
