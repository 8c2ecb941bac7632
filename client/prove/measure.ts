/** Runs what a project checks itself with in its folder, as its user does, and sends requests to its application. */
import { stripVTControlCharacters } from 'node:util';
import type { Expectation } from '../../format/wiring/expectations.ts';
import { printable } from '../terminal/printable.ts';
import { type Answered, checkExpectations } from './check-expectations.ts';
import type { CheckKind, ProofCommand } from './proof-commands.ts';
import { runLimited, withApplication } from './run-command.ts';

/** What one command did. An application passes when it listens. */
export interface Result {
  readonly state: 'passed' | 'failed' | 'endless';
  /** Lines of what it wrote that are not empty. */
  readonly output: readonly string[];
  /** The port that the application wants, where another program has it. */
  readonly taken?: string;
}

/** What is true of a project, by command. */
export interface Measured {
  readonly results: ReadonlyMap<ProofCommand, Result>;
  readonly answers: readonly Answered[];
  /** Whether requests that guides promise answers to could not be sent. */
  readonly isUnsent: boolean;
}

/** How long each check may take. */
export const LIMITS_MS: Readonly<Record<CheckKind, number>> = {
  types: 180_000,
  lint: 120_000,
  tests: 120_000,
  start: 30_000,
};
/** `listen EADDRINUSE: address already in use :::3000`, `('127.0.0.1', 8000): address already in use`, `Port 3000 is in use` */
const TAKEN =
  /^.*(?:EADDRINUSE.*:(?<node>\d+)|', (?<python>\d+)\).*address already in use|port (?<other>\d+) is (?:already )?in use)/im;

interface Measuring {
  readonly commands: readonly ProofCommand[];
  /** Sent to the application where it listens. */
  readonly requests: readonly Expectation[];
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** @throws what the signal is aborted with, after all processes ended */
export async function measure(
  project: string,
  { commands, requests, signal, note }: Measuring,
  limitsMs = LIMITS_MS,
): Promise<Measured> {
  const results = new Map<ProofCommand, Result>();
  let answers: readonly Answered[] = [];
  for (const command of commands) {
    note(`Running ${command.command}`);
    const limits = { timeMs: limitsMs[command.kind], signal };
    if (command.kind !== 'start') {
      const { status, output } = await runLimited(command.command, project, limits);
      const state = status === undefined ? 'endless' : status === 0 ? 'passed' : 'failed';
      results.set(command, { state, output: linesOf(output) });
      continue;
    }
    const started = await withApplication(command.command, project, limits, (address) =>
      checkExpectations(address, requests, signal),
    );
    if (started.kind === 'listened') {
      answers = started.result;
      results.set(command, { state: 'passed', output: [] });
      continue;
    }
    const output = linesOf(started.output);
    const { node, python, other } = TAKEN.exec(output.join('\n'))?.groups ?? {};
    const taken = node ?? python ?? other;
    results.set(command, { state: 'failed', output, ...(taken !== undefined && { taken }) });
  }
  return { results, answers, isUnsent: answers.length < requests.length };
}

function linesOf(output: string): string[] {
  const lines = printable(stripVTControlCharacters(output)).split(/\r?\n/);
  return lines.map((line) => line.trimEnd().slice(0, 300)).filter((line) => line !== '');
}
