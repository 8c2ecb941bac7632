/**
 * Proves a change: runs what the project checks itself with in a copy as it was and in a copy as it is, and sends the requests
 * that the guides of its builds promise answers to. Only what is new counts.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import type { Expectation } from '../../format/wiring/expectations.ts';
import type { ChangeOutput, Plan } from '../plan/plan.ts';
import { isOnPath } from '../project/find-program.ts';
import { stateFolder } from '../project/state-folder.ts';
import { oneLine } from '../terminal/printable.ts';
import { checkExpectations, type Answered } from './check-expectations.ts';
import type { Copy } from './copy-project.ts';
import type { CheckKind, ProofCommand } from './proof-commands.ts';
import { runLimited, withApplication, type Ran } from './run-command.ts';

export type Proof = NonNullable<z.infer<typeof ChangeOutput>['proof']>;

/** What one check found in one copy. */
interface Result {
  readonly state: 'passed' | 'failed' | 'endless';
  /** Without the numbers of lines, which a change moves. */
  readonly problems: readonly string[];
  readonly tail: string;
}

/** What was measured in one copy, by command. */
export interface Measured {
  readonly results: ReadonlyMap<ProofCommand, Result>;
  readonly answers: readonly Answered[];
  /** Why there is no copy. */
  readonly missing?: string;
  /** Folders of the workspace that are not in it. */
  readonly leftOut?: readonly string[];
  /** Whether requests that guides promise answers to could not be sent. */
  readonly isUnsent?: boolean;
}

/** How long each check may take. */
export const LIMITS_MS: Readonly<Record<CheckKind, number>> = {
  types: 180_000,
  lint: 120_000,
  tests: 120_000,
  script: 30_000,
  start: 30_000,
};
const LABEL: Readonly<Record<CheckKind, string>> = {
  types: 'type check',
  lint: 'lint',
  tests: 'tests',
  script: 'script',
  start: 'start',
};
const MAX_PROBLEMS = 20;
const MAX_TAIL_LINES = 6;
/** Folders in one fact. */
const MAX_LISTED = 5;

/** A new folder for copies, which is removed by `dropCopies()`; removes those of processes that are gone. */
export async function makeCopyFolder(): Promise<string> {
  const folder = join(stateFolder(), 'proofs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!isAlive(Number.parseInt(name, 10))) await dropCopies(join(folder, name));
  }
  return mkdtemp(join(folder, `${process.pid}-`));
}

export async function dropCopies(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Measuring {
  readonly commands: readonly ProofCommand[];
  /** Files that the change writes: the linter looks at no other. */
  readonly paths: readonly string[];
  /** Sent to the application where it listens. */
  readonly requests: readonly Expectation[];
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** Runs the commands in a copy of the project. @throws what the signal is aborted with */
export async function measureCopy(
  { folder: copy, missing, leftOut, pythonPath }: Copy,
  { commands, paths, requests, signal, note }: Measuring,
  limitsMs = LIMITS_MS,
): Promise<Measured> {
  const results = new Map<ProofCommand, Result>();
  if (missing !== undefined) return { results, answers: [], missing, leftOut };
  let answers: readonly Answered[] = [];
  const others = process.env['PYTHONPATH'] ?? [];
  const path = [...pythonPath, ...[others].flat()].join(delimiter);
  const env = pythonPath.length === 0 ? {} : { PYTHONPATH: path };
  for (const command of commands) {
    note(command.command);
    const limits = { timeMs: limitsMs[command.kind], signal, env };
    if (command.kind === 'start') {
      const started = await withApplication(command.command, copy, limits, (address) =>
        checkExpectations(address, requests, signal),
      );
      const isListening = started.kind === 'listened';
      if (isListening) answers = started.result;
      const tail = isListening ? '' : tailOf(started.output, copy);
      results.set(command, { state: isListening ? 'passed' : 'failed', problems: [], tail });
      continue;
    }
    const files = command.linter === undefined ? [] : lintedFiles(copy, command, paths);
    if (command.linter !== undefined && files.length === 0) continue;
    const text = [command.command, ...files.map(quoted)].join(' ');
    const ran = await runLimited(text, copy, limits);
    results.set(command, resultOf(command, ran, copy));
  }
  return { results, answers, leftOut, isUnsent: answers.length < requests.length };
}

/** Compares both copies. @param before absent for a new project */
export function compareCopies(
  before: Measured | undefined,
  after: Measured,
  plan: Pick<Plan, 'files' | 'wiring' | 'scripts'>,
  project: string,
): Proof {
  const facts: string[] = [];
  const problems: Proof['problems'] = [];
  const unmeasured = before?.missing ?? after.missing;
  if (unmeasured !== undefined) {
    const fact = `not proved: the project is too large for a copy: ${unmeasured}`;
    return { is_good: false, facts: [fact], problems };
  }
  for (const [command, { state, problems: found, tail }] of after.results) {
    const { kind } = command;
    const old = before?.results.get(command);
    const label = LABEL[kind];
    if (kind === 'start') {
      if (state === 'passed') facts.push('start: the application listens');
      else if (old?.state === 'passed') {
        facts.push('start: the application no longer listens');
        problems.push({ text: `the application no longer starts: ${tail}` });
      } else facts.push('start: the application does not listen here, as before the change');
      continue;
    }
    if (kind === 'script') continue;
    if (state === 'endless') {
      facts.push(`${label}: did not end within ${LIMITS_MS[kind] / 1000} seconds`);
      if (old?.state === 'passed') problems.push({ text: `${label}: no longer ends in time` });
      continue;
    }
    const fresh = kind === 'tests' ? [] : without(found, old?.problems ?? []);
    const isBroken =
      state === 'failed' &&
      found.length === 0 &&
      old?.state !== 'failed' &&
      old?.state !== 'endless';
    if (isBroken) problems.push({ text: `${label} fails: ${tail}` });
    problems.push(...fresh.slice(0, MAX_PROBLEMS).map((text) => withCause(text, plan)));
    const count = kind === 'types' ? `${fresh.length} new errors` : `${fresh.length} new problems`;
    const plain =
      kind === 'tests'
        ? state === 'passed'
          ? 'pass'
          : isBroken && old !== undefined
            ? 'fail, and passed before'
            : 'fail'
        : count;
    const also = old?.state === 'failed' ? ' (it failed before the change as well)' : '';
    facts.push(`${label}: ${plain}${also}`);
  }
  for (const { request, status, why } of after.answers) {
    const answered = status === undefined ? 'was not answered' : `answered ${status}`;
    facts.push(`${request} ${answered}${why === undefined ? '' : `, ${why}`}`);
    if (why !== undefined) problems.push({ text: `${request} ${answered}, ${why}` });
  }
  if (after.isUnsent === true) {
    const isStarted = [...after.results.keys()].some(({ kind }) => kind === 'start');
    const why = isStarted ? 'the application does not listen' : 'nothing shows how it is started';
    facts.push(`requests of the guides: not sent, ${why}`);
  }
  for (const { fact, problem } of addedScripts(plan, after, project)) {
    facts.push(fact);
    if (problem !== undefined) problems.push({ text: problem });
  }
  const { leftOut = [] } = after;
  const more = leftOut.length > MAX_LISTED ? ` and ${leftOut.length - MAX_LISTED} more` : '';
  if (leftOut.length > 0)
    facts.push(`not in the copies: ${leftOut.slice(0, MAX_LISTED).join(', ')}${more}`);
  const isWhole = after.results.size > 0 && after.isUnsent !== true;
  return { is_good: problems.length === 0 && isWhole, facts, problems };
}

/** What is known of the scripts that the change adds: most do work, such as that of a database, and are not run. */
function addedScripts(
  { scripts }: Pick<Plan, 'scripts'>,
  { results }: Measured,
  project: string,
): { readonly fact: string; readonly problem?: string }[] {
  const ran = [...results].filter(([{ added }]) => added !== undefined);
  return scripts.flatMap(({ name, value, action }) => {
    if (action !== 'added') return [];
    const [command, result] = ran.find(([{ added }]) => added === name) ?? [];
    const label = `script "${name}"`;
    if (command !== undefined && result !== undefined) {
      const does = `${label}: "${command.command}"`;
      if (result.state === 'passed') return [{ fact: `${does} ends with status 0` }];
      const fact = `${does} ${result.state === 'failed' ? 'fails' : 'does not end'}`;
      return [{ fact, problem: `${fact}: ${result.tail}` }];
    }
    const [program = ''] = value.split(/\s+/).filter((word) => !/^\w+=/.test(word));
    if (!/^[\w.-]+$/.test(program)) return [{ fact: `${label}: not run` }];
    if (existsSync(join(project, 'node_modules/.bin', program)) || isOnPath(program))
      return [{ fact: `${label}: not run, "${program}" is installed` }];
    const problem = `${label} starts "${program}", which is not installed`;
    return [{ fact: `${label}: not run`, problem }];
  });
}

/** The file of a problem shows which part of the change it is in. */
function withCause(
  text: string,
  { files, wiring = [] }: Pick<Plan, 'files' | 'wiring'>,
): Proof['problems'][number] {
  const isIn = (path: string): boolean => text.startsWith(`${path}:`);
  const step = wiring.find(({ file, action }) => action !== 'by_hand' && isIn(file));
  if (step !== undefined) return { text, cause: `step ${step.step} of ${step.build}` };
  const file = files.find(({ path }) => isIn(path));
  return file === undefined ? { text } : { text, cause: `a file of ${file.build}` };
}

/** Those of `found` that are not in `known`, as often as they are more. */
function without(found: readonly string[], known: readonly string[]): string[] {
  const left = [...known];
  return found.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function resultOf(command: ProofCommand, { status, stdout, output }: Ran, copy: string): Result {
  const tail = tailOf(output, copy);
  if (status === undefined) return { state: 'endless', problems: [], tail };
  const problems =
    command.linter === undefined
      ? command.kind === 'types'
        ? typeErrors(output, copy)
        : []
      : lintProblems(stdout, copy);
  return { state: status === 0 ? 'passed' : 'failed', problems, tail };
}

/** `src/a.ts(3,5): error TS2322: text` of TypeScript, `src/a.ts:3:5 - error TS2322: text`, and `a.py:3: error: text` of mypy. */
const TYPE_ERROR =
  /^(?<file>[^\s(:][^(:\n]*?)(?:\(\d+,\d+\)|:\d+(?::\d+)?)(?: -|:) error(?<text>(?: TS\d+)?:.*)$/gm;

export function typeErrors(output: string, copy: string): string[] {
  return Array.from(withoutPath(output, copy).matchAll(TYPE_ERROR), ({ groups }) => {
    return oneLine(`${groups?.['file']}: error${groups?.['text']}`).slice(0, 300);
  });
}

const LintOutput = z.union([
  z.array(
    z.object({
      filePath: z.string(),
      messages: z.array(z.object({ ruleId: z.string().nullable(), message: z.string() })),
    }),
  ),
  z.array(z.object({ filename: z.string(), code: z.string().nullable(), message: z.string() })),
  z.object({
    diagnostics: z.array(
      z.looseObject({
        filename: z.string().optional(),
        code: z.string().optional(),
        category: z.string().optional(),
        message: z.unknown().optional(),
        location: z.looseObject({ path: z.unknown() }).optional(),
      }),
    ),
  }),
]);

/** The problems in the JSON of eslint, ruff, oxlint or biome, each as `file: rule`; the text would have names that move. */
export function lintProblems(stdout: string, copy: string): string[] {
  const json = stdout.slice(Math.max(0, stdout.search(/[[{]/)));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const read = LintOutput.safeParse(value).data;
  if (read === undefined) return [];
  const rows: (readonly [unknown, unknown])[] = Array.isArray(read)
    ? read.flatMap((one): (readonly [unknown, unknown])[] =>
        'messages' in one
          ? one.messages.map(({ ruleId, message }) => [one.filePath, ruleId ?? message] as const)
          : [[one.filename, one.code ?? one.message]],
      )
    : read.diagnostics.map(({ filename, code, category, location }) => {
        const path = location?.path;
        const file = typeof path === 'object' && path !== null && 'file' in path ? path.file : path;
        return [filename ?? file, code ?? category] as const;
      });
  return rows.map(([file, rule]) =>
    oneLine(`${withoutPath(String(file), copy)}: ${String(rule)}`).slice(0, 300),
  );
}

const LINTED: Readonly<Record<NonNullable<ProofCommand['linter']>, RegExp>> = {
  eslint: /\.[cm]?[jt]sx?$/,
  biome: /\.(?:[cm]?[jt]sx?|jsonc?)$/,
  oxlint: /\.[cm]?[jt]sx?$/,
  ruff: /\.py$/,
};

function lintedFiles(copy: string, { linter }: ProofCommand, paths: readonly string[]): string[] {
  return paths.filter((path) => LINTED[linter!].test(path) && existsSync(join(copy, path)));
}

/** For a shell: paths of builds have no quotes, those of projects may. */
function quoted(path: string): string {
  return process.platform === 'win32'
    ? `"${path.replaceAll('"', '')}"`
    : `'${path.replaceAll("'", `'\\''`)}'`;
}

function withoutPath(text: string, copy: string): string {
  return text.replaceAll(`${copy}/`, '').replaceAll(copy, '.');
}

function tailOf(output: string, copy: string): string {
  const all = withoutPath(output, copy).trim().split('\n');
  // Details of an error follow it.
  const named = all.slice(0, -MAX_TAIL_LINES).findLast((line) => /^\S*Error\b/.test(line));
  return [named?.slice(0, 300) ?? '', ...all.slice(-MAX_TAIL_LINES)]
    .map(oneLine)
    .filter((line) => line !== '')
    .join(' | ')
    .slice(0, 600);
}
