/** Runs what a project checks itself with in a copy of it, and sends requests to its application. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Expectation } from '../../format/wiring/expectations.ts';
import { oneLine } from '../terminal/printable.ts';
import { type Answered, checkExpectations } from './check-expectations.ts';
import type { Copy } from './copy-project.ts';
import { lintProblems, typeErrors, withoutPath } from './found-problems.ts';
import type { CheckKind, ProofCommand } from './proof-commands.ts';
import { type Ran, runLimited, withApplication } from './run-command.ts';

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
  /** Whether requests that guides promise answers to could not be sent. */
  readonly isUnsent?: boolean;
}

/** How long each check may take. */
export const LIMITS_MS: Readonly<Record<CheckKind, number>> = {
  types: 180_000,
  lint: 120_000,
  tests: 120_000,
  start: 30_000,
};
const MAX_TAIL_LINES = 6;

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
  { folder: copy, missing, pythonPath }: Copy,
  { commands, paths, requests, signal, note }: Measuring,
  limitsMs = LIMITS_MS,
): Promise<Measured> {
  const results = new Map<ProofCommand, Result>();
  if (missing !== undefined) return { results, answers: [], missing };
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
  return { results, answers, isUnsent: answers.length < requests.length };
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
