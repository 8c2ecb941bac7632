/** The part of docs/compatibility.md about projects: an overview of builds and kinds, and the results of each pair. */
import { mkdirSync, realpathSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  change,
  runCommand,
  check,
  proveTrial,
  runTests,
  type Refusal,
  type TrialProof,
  type Client,
} from './prove-trial.ts';
import type { ProjectKind } from './projects.ts';

/** Numbers the answers of the client by their text, in the order of their first use. */
class Answers {
  readonly #numbers = new Map<string, number>();

  numberOf({ code, message, hint }: Refusal): number {
    const text = `\`${code}\`: ${message}<br>hint: ${hint}`;
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return number;
  }

  format(): string {
    return [...this.#numbers].map(([text, number]) => `| (${number}) | ${cell(text)} |`).join('\n');
  }
}

/** @param kinds the proofs of the kinds of projects @param servers those of the servers of other people */
export function formatProjects(kinds: readonly KindProof[], servers: readonly KindProof[]): string {
  const answers = new Answers();
  return `## Projects

Each project is made as its people would make it. Then the client adds each of our builds to it, and removes it at the end. A
build that does not fit must be refused, and leave every file as it was. "Works" stands for: the type check and the
project's tests pass as before, what the client wires and what the guide asks to write works, and the removal leaves every
byte of every file. Wired steps are taken out before, which must leave every byte as well. Lock files of package managers
count; \`node_modules\`, \`.venv\`, caches, \`deno.lock\` and what a project's own tests and builds write do not.
"Works in part" has its reason in the table of the builds that were added. The numbers are the answers of the client below.

${formatOverview(kinds, answers)}

| Answer | What the client printed |
|---|---|
${answers.format()}

The published builds in Python are foundations, which start a project. In projects of Python, and in Deno, a module of
\`tests/projects/modules\` shows the rest: \`prices\` needs a package of PyPI and one for its types, \`ports\` one of npm.

| Project | Made by |
|---|---|
${kinds.map(({ kind }) => `| ${kind.name} | ${kind.made} |`).join('\n')}

Where builds were added; "left to the user" lists the commands that the client printed instead of running them, and that were
then run:

${formatTrials(kinds)}

## Servers of other people

Templates with tests that their authors publish on npm. Times are medians of three runs on one machine; \`--check\` does not
compare them.

| Server | Made by |
|---|---|
${servers.map(({ kind }) => `| \`${kind.name}\` | ${kind.made} |`).join('\n')}

${formatServers(servers)}
`;
}

/** Rows are kinds, columns the builds of the registry; modules of our own have a column together. */
function formatOverview(kinds: readonly KindProof[], answers: Answers): string {
  const isOwn = ({ build }: TrialProof): boolean => !build.includes('/');
  const first = kinds[0]?.trials.filter((trial) => !isOwn(trial)) ?? [];
  const builds = first.map(({ build }) => build);
  const rows = kinds.map(({ kind, trials }) => {
    const cells = builds.map((build) => {
      const trial = trials.find((one) => one.build === build);
      return trial === undefined ? '' : summary(trial, answers);
    });
    const own = trials.filter(isOwn).map((one) => `\`${one.build}\`: ${summary(one, answers)}`);
    return `| ${kind.name} | ${[...cells, own.join(', ')].join(' | ')} |`;
  });
  const head = builds.map((build) => `\`${build}\``).join(' | ');
  return `| Project | ${head} | A module of our own |
|---|${builds.map(() => '---|').join('')}---|
${rows.join('\n')}`;
}

function summary(trial: TrialProof, answers: Answers): string {
  if (trial.failures.length > 0) return 'FAILED';
  if (trial.refusal !== undefined) return `refused (${answers.numberOf(trial.refusal)})`;
  const results = [trial.typeCheck ?? '', ...trial.uses.map(([, result]) => result)];
  return results.some((result) => result.startsWith('fails: ')) ? 'works in part' : 'works';
}

function formatTrials(kinds: readonly KindProof[]): string {
  const rows = kinds.flatMap(({ kind, typeCheck, test, trials }) =>
    trials
      .filter(({ refusal }) => refusal === undefined)
      .map((trial) => {
        const checks = `${typeCheck} | ${trial.typeCheck ?? '–'}`;
        const tests = `${test ?? '–'} | ${trial.test ?? '–'}`;
        const left = [...new Set(trial.commands)].map((command) => `\`${command}\``).join(', ');
        const ends = `${uses(trial)} | ${left} | ${trial.removal}`;
        return `| ${kind.name} | \`${trial.build}\` | ${checks} | ${tests} | ${ends} |`;
      }),
  );
  return `| Project | Build | Types before | Types after | Tests before | Tests after | In use | Left to the user | Removal |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}`;
}

function formatServers(servers: readonly KindProof[]): string {
  const rows = servers.flatMap(({ kind, typeCheck, test, seconds, trials }) =>
    trials
      .filter(({ refusal }) => refusal === undefined)
      .map((trial) => {
        const checks = `${typeCheck} | ${trial.typeCheck ?? '–'}`;
        const tests = `${test ?? '–'} | ${trial.test ?? '–'}`;
        const times = `${formatTime(seconds)} | ${formatTime(trial.seconds)}`;
        return `| \`${kind.name}\` | \`${trial.build}\` | ${checks} | ${tests} | ${times} | ${uses(trial)} | ${trial.removal} |`;
      }),
  );
  return `| Server | Build | Types before | Types after | Tests before | Tests after | Test time before | Test time after | In use | Removal |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}`;
}

function uses({ uses: all }: TrialProof): string {
  return all.map(([what, result]) => `${what}: ${result}`).join('; ') || '–';
}

function formatTime(seconds: number | undefined): string {
  return seconds === undefined ? '–' : `${seconds.toFixed(1)} s`;
}

/** A text that may hold the sign between cells. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

// Proves builds in a project that was made without our client: its type check and its tests before and after, the builds
// in use, and a removal that leaves every byte as it was. Builds that do not fit are refused, and change nothing.

/** The results of one kind. */
interface KindProof {
  readonly kind: ProjectKind;
  readonly typeCheck: string;
  readonly test?: string;
  readonly seconds?: number;
  /** One for each build, in the order of the ids. */
  readonly trials: readonly TrialProof[];
  readonly failures: readonly string[];
}

/**
 * @param builds all first-party builds
 * @param project a folder that does not exist yet
 * @param env for the commands of the project
 */
export async function proveKind(
  kind: ProjectKind,
  builds: readonly string[],
  project: string,
  env: NodeJS.ProcessEnv,
  client: Client,
): Promise<KindProof> {
  try {
    await create(kind, project, env);
  } catch (error) {
    return { kind, typeCheck: 'FAILED', trials: [], failures: [(error as Error).message] };
  }
  const at: Parameters<typeof check>[0] = { kind, project: realpathSync(project), env, client };
  const failures: string[] = [];
  const typeCheck = await check(at, kind.typeCheck, failures);
  const tests = await runTests(at, failures);
  const trials: TrialProof[] = [];
  const ofFirstParty = builds.map((build) => {
    return kind.trials.find((trial) => trial.build === build) ?? { build };
  });
  const others = kind.trials.filter(({ build }) => !builds.includes(build));
  for (const trial of [...ofFirstParty, ...others]) {
    const proof = await proveTrial(at, trial);
    trials.push(proof);
    if (kind.trials.includes(trial) && proof.refusal !== undefined) {
      failures.push(`${trial.build} was refused: ${proof.refusal.message}`);
    }
    failures.push(...proof.failures.map((failure) => `${trial.build}: ${failure}`));
  }
  return { kind, typeCheck, ...tests, trials, failures };
}

/** @throws {Error} when a command fails */
async function create(kind: ProjectKind, project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const parent = dirname(project);
  mkdirSync(parent, { recursive: true });
  for (const command of kind.create) await run(command, parent);
  mkdirSync(project, { recursive: true });
  change(project, kind.files, kind.edits);
  for (const command of kind.install) await run(command, project);

  async function run(command: string, cwd: string): Promise<void> {
    const result = await runCommand(command, cwd, {
      ...env,
      NAME: basename(project),
      PROVE: import.meta.dirname,
    });
    if (result.isOk) return;
    throw new Error(`Cannot make "${kind.name}": "${command}" failed: ${result.output}`);
  }
}

/**
 * Returns false when `isCheck` is set and the file differs from `text`, which is reported; else writes it. Times such as
 * `1.2 s` are not compared: they depend on the machine.
 */
export function writePage(path: string, text: string, isCheck: boolean): boolean {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (before === text) return true;
  if (isCheck && before !== undefined && withoutTimes(before) === withoutTimes(text)) return true;
  if (!isCheck) writeFileSync(path, text);
  else console.error(`error: "${path}" is not current\nhint: run npm run prove`);
  return !isCheck;
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+\.\d s\b/g, 's');
}
