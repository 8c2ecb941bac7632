/** Adds a build to a project, runs what the project runs, removes it, and compares every file. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join, dirname, relative, sep } from 'node:path';
import { createHash } from 'node:crypto';
import {
  PROJECTS,
  type Limit,
  type ProjectKind,
  type Trial,
  type Use,
  type Edits,
} from './projects.ts';
import { runProgram } from '../../generator/matrix/run-program.ts';

/** What the client answered instead of adding a build. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface TrialProof {
  readonly build: string;
  readonly refusal?: Refusal;
  /** The commands of other programs that the client left to the user. */
  readonly commands: readonly string[];
  readonly typeCheck?: string;
  readonly test?: string;
  readonly seconds?: number;
  readonly uses: readonly (readonly [what: string, result: string])[];
  readonly removal: string;
  readonly failures: readonly string[];
}

/** Runs the client in the project, with `--json`. */
export type Client = (...args: string[]) => Promise<{ readonly stdout: string }>;

interface ProjectUnderTest {
  readonly kind: ProjectKind;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly client: Client;
}

interface Answer {
  readonly error?: Partial<Refusal>;
  readonly next: readonly { readonly command: string }[];
  readonly data?: {
    readonly plan?: { readonly wiring?: readonly (WiredEntry & { readonly action: string })[] };
  } | null;
}

interface WiredEntry {
  readonly build: string;
  readonly step: number;
  readonly why?: string;
}

const MODULES = join(PROJECTS, 'modules');
const TIMED_RUNS = 3;

export async function proveTrial(at: ProjectUnderTest, trial: Trial): Promise<TrialProof> {
  const { kind, project, env } = at;
  const failures: string[] = [];
  const commands: string[] = [];
  const before = readTree(project, kind.written);
  const isSame = (): boolean => {
    const paths = differentPaths(before, readTree(project, kind.written));
    if (paths.length > 0) failures.push(`These files differ in the end: ${paths.join(', ')}`);
    return paths.length === 0;
  };
  const change = async (...args: string[]): Promise<Answer> => {
    const answer = await ask(at, args);
    for (const { command } of answer.next) {
      if (command.startsWith('stackyard ')) continue;
      commands.push(command);
      const result = await runCommand(command, memberFolder(at), env);
      if (!result.isOk) failures.push(failureOf(command, result));
    }
    return answer;
  };

  const added: string[] = [];
  for (const args of trial.add ?? [[trial.build]]) {
    const { error } = await change('add', ...args.map(sourceOf));
    if (error !== undefined) {
      const { code = '', message = '', hint = '' } = error;
      for (const id of added.reverse()) await change('remove', id);
      const removal = isSame() ? 'nothing was changed' : 'FAILED';
      const refusal = { code, message, hint };
      return { build: trial.build, refusal, commands, uses: [], removal, failures };
    }
    added.push(idOf(args[0] ?? ''));
  }
  const typeCheck = await check(at, kind.typeCheck, failures, trial.limit);
  const tests = await runTests(at, failures);
  const uses: [string, string][] = [];
  for (const use of trial.uses ?? []) uses.push([use.what, await tryUse(at, use, failures)]);
  for (const id of added.reverse()) {
    const { error } = await change('remove', id);
    if (error !== undefined) failures.push(`"${id}" is not removed: ${error.message}`);
  }
  const { afterRemoval } = trial;
  if (afterRemoval !== undefined) await check(at, afterRemoval, failures);
  const own = afterRemoval === undefined ? '' : `, after \`${afterRemoval}\` by hand`;
  const removal = isSame() ? `every byte as before${own}` : 'FAILED';
  return { build: trial.build, commands, typeCheck, ...tests, uses, removal, failures };
}

/** The results of the project's own tests, with the median of their times where these count. */
export async function runTests(
  { kind, project, env }: ProjectUnderTest,
  failures: string[],
): Promise<{ test?: string; seconds?: number }> {
  const command = kind.test;
  if (command === undefined) return {};
  const seconds: number[] = [];
  let test = 'FAILED';
  for (let run = 0; run < (kind.isTimed ? TIMED_RUNS : 1); run++) {
    const result = await runCommand(command, project, env);
    const count = countPassedTests(result.output);
    if (!result.isOk || count === undefined) {
      failures.push(failureOf(command, result));
      return { test: 'FAILED' };
    }
    test = `${count} passed`;
    seconds.push(result.seconds);
  }
  const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0;
  return kind.isTimed ? { test, seconds: median } : { test };
}

/** The result of a command that prints nothing that counts. */
export async function check(
  { project, env }: ProjectUnderTest,
  command: string,
  failures: string[],
  limit?: Limit,
): Promise<string> {
  const result = await runCommand(command, project, env);
  if (result.isOk) return 'passed';
  if (limit !== undefined && result.output.includes(limit.output)) return `fails: ${limit.why}`;
  failures.push(failureOf(command, result));
  return 'FAILED';
}

async function tryUse(at: ProjectUnderTest, use: Use, failures: string[]): Promise<string> {
  const before = readTree(at.project, at.kind.written);
  await wire(at, use, failures);
  const undo = change(at.project, use.files, use.edits);
  try {
    const left = (use.byHand ?? []).map((step) => `; left to the user: step ${step}`);
    return (await check(at, use.command, failures, use.limit)) + left.join('');
  } finally {
    undo();
    if (use.wire !== undefined) await ask(at, ['update', '--unwire', ...use.wire]);
    const paths = differentPaths(before, readTree(at.project, at.kind.written));
    if (paths.length > 0) failures.push(`These files differ after unwire: ${paths.join(', ')}`);
  }
}

/** Lets the client carry out the steps, and compares those that it leaves to the user with what is expected. */
async function wire(at: ProjectUnderTest, use: Use, failures: string[]): Promise<void> {
  if (use.wire === undefined) return;
  const { error, data } = await ask(at, ['add', '--wire', ...use.wire]);
  if (error !== undefined) failures.push(`"wire" failed: ${error.message}`);
  const byHand = (data?.plan?.wiring ?? [])
    .filter(({ action }) => action === 'by_hand')
    .map(({ build, step, why }) => `${build} ${step}: ${why}`);
  const expected = use.byHand ?? [];
  if (byHand.join('\n') === expected.join('\n')) return;
  failures.push(`"wire" left other steps to the user than expected: ${byHand.join('; ')}`);
}

async function ask(at: ProjectUnderTest, args: readonly string[]): Promise<Answer> {
  const member = at.kind.member === undefined ? [] : ['-w', at.kind.member.name];
  const { stdout: output } = await at.client(...args, ...member, '--json');
  const start = output.indexOf('{');
  try {
    return JSON.parse(output.slice(start, output.lastIndexOf('\n}') + 2)) as Answer;
  } catch {
    throw new Error(`"${args.join(' ')}" prints no JSON: ${output.slice(0, 2000)}`);
  }
}

function failureOf(command: string, { output }: CommandResult): string {
  return `"${command}" failed: ${output.trim().slice(-2000)}`;
}

function memberFolder({ kind, project }: ProjectUnderTest): string {
  return join(project, kind.member?.folder ?? '');
}

/** A build of `tests/projects/modules` is added from its folder. */
function sourceOf(build: string): string {
  return isLocal(build) ? join(MODULES, build) : build;
}

function idOf(build: string): string {
  return isLocal(build) ? `local/${build}` : build;
}

function isLocal(build: string): boolean {
  return /^[a-z-]+$/.test(build) && existsSync(join(MODULES, build));
}

/** How many tests a test program reports as passed. */
const FORMS: readonly RegExp[] = [
  // vitest and jest count files as well, in lines of their own.
  /^\s*Tests:?\s+(?:\d+ skipped, )?(\d+) passed/m,
  /^\s*(\d+) passing/m,
  /\b(\d+) passed/,
];

/**
 * The number in the output of vitest, jest, mocha, pytest or `deno test`; `undefined` where none is found, as when no
 * test ran.
 */
export function countPassedTests(output: string): number | undefined {
  for (const form of FORMS) {
    const count = form.exec(output)?.[1];
    if (count !== undefined) return Number(count);
  }
  return undefined;
}

/** Runs commands in a project that is being proved, and changes its files for a while. */
interface CommandResult {
  readonly isOk: boolean;
  /** Standard output, then the standard error. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command of a shell; not synchronous, because the registry is served by this very process. */
export async function runCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const started = performance.now();
  const { isOk, stdout, stderr } = await runProgram('sh', ['-c', command], { cwd, env });
  return { isOk, output: stdout + stderr, seconds: (performance.now() - started) / 1000 };
}

/** Writes files and edits others, in folder `project`. Returns what takes that back. */
export function change(
  project: string,
  files: Readonly<Record<string, string>> = {},
  edits: Edits = {},
): () => void {
  const paths = [...Object.keys(files), ...Object.keys(edits)];
  const before = paths.map((path) => {
    const file = join(project, path);
    return [file, existsSync(file) ? readFileSync(file) : undefined] as const;
  });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  for (const [path, changes] of Object.entries(edits)) {
    let content = readFileSync(join(project, path), 'utf8');
    for (const [old, now] of changes) {
      if (!content.includes(old)) throw new Error(`"${path}" has no ${JSON.stringify(old)}`);
      content = content.replace(old, () => now);
    }
    writeFileSync(join(project, path), content);
  }
  return () => {
    for (const [file, bytes] of before) {
      if (bytes === undefined) rmSync(file);
      else writeFileSync(file, bytes);
    }
  };
}

/** Folders and files of package managers and compilers, which these write again. */
const OF_TOOLS = [
  'node_modules',
  '.venv',
  '.git',
  '.mypy_cache',
  '.pytest_cache',
  '__pycache__',
  '.pdm-build',
  '.pdm-python',
  'dist',
  '.vite',
  '.next',
  'tsconfig.tsbuildinfo',
];

/**
 * The digest of every file, by path with `/`.
 * @param written names or paths that are left out in addition to those of tools
 */
export function readTree(project: string, written: readonly string[] = []): Map<string, string> {
  const left = new Set([...OF_TOOLS, ...written]);
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = join(folder, entry.name);
      const path = relative(project, file).split(sep).join('/');
      if (left.has(entry.name) || left.has(path)) continue;
      if (entry.isDirectory()) visit(file);
      else tree.set(path, createHash('sha256').update(readFileSync(file)).digest('hex'));
    }
  };
  visit(project);
  return tree;
}

/** The paths whose files differ, or are in one tree only, sorted. */
export function differentPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.filter((path) => before.get(path) !== after.get(path));
}
