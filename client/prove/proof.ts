/** What a change did to a project: the facts before and after it. Only what got worse is a problem. Pure. */
import type { z } from 'zod';
import type { ChangeOutput, Plan } from '../plan/plan.ts';
import { LIMITS_MS, type Measured, type Result } from './measure.ts';
import type { CheckKind, ProofCommand } from './proof-commands.ts';

export type Proof = NonNullable<z.infer<typeof ChangeOutput>['proof']>;
const LABEL: Readonly<Record<CheckKind, string>> = {
  types: 'type check',
  lint: 'lint',
  tests: 'tests',
  start: 'start',
};
const MAX_LINES = 20;
/** `src/a.ts(3,5)`, `src/a.ts:3:5`, `  3:5  error`, and `a.py:3: error` */
const LOCATED = /\d+[:,]\d+|:\d+: /;

/** @param before absent for a new project */
export function compareFacts(
  before: Measured | undefined,
  after: Measured,
  plan: Pick<Plan, 'files' | 'wiring'>,
): Proof {
  const facts: string[] = [];
  const problems: Proof['problems'] = [];
  let output: readonly string[] = [];
  for (const [command, result] of after.results) {
    const old = before?.results.get(command);
    const worse = worseLines(command, result, old);
    const fact = factOf(command, result, old, worse?.length ?? 0);
    facts.push(fact);
    const lines = (worse ?? result.output).slice(-MAX_LINES);
    if (worse !== undefined) problems.push({ text: fact, output: lines, ...causeOf(lines, plan) });
    else if (command.kind === 'start' && result.state !== 'passed') output = lines;
  }
  for (const { request, status, why } of after.answers) {
    const answered = status === undefined ? 'was not answered' : `answered ${status}`;
    facts.push(`${request} ${answered}${why === undefined ? '' : `, ${why}`}`);
    if (why !== undefined) problems.push({ text: `${request} ${answered}, ${why}` });
  }
  if (after.isUnsent) {
    const isStarted = [...after.results.keys()].some(({ kind }) => kind === 'start');
    const why = isStarted ? 'the application did not listen' : 'nothing shows how it is started';
    facts.push(`requests of the guides: not sent, ${why}`);
  }
  const isWhole = after.results.size > 0 && !after.isUnsent;
  const shown = output.length === 0 ? {} : { output: [...output] };
  return { is_good: problems.length === 0 && isWhole, facts, problems, ...shown };
}

/** What a command wrote about what got worse; `undefined` where nothing did. */
function worseLines(
  { kind }: ProofCommand,
  { state, output, taken }: Result,
  old: Result | undefined,
): readonly string[] | undefined {
  if (state === 'passed' || taken !== undefined) return undefined;
  if (old?.state === 'passed') return output;
  // A new application may wait for its database, and new tests may need one.
  if (old === undefined) return kind === 'start' || state === 'endless' ? undefined : output;
  if (state === 'endless' || (kind !== 'types' && kind !== 'lint')) return undefined;
  const fresh = newLines(old.output, output);
  return fresh.length === 0 ? undefined : fresh;
}

/** Lines about a place in a file that were not there before, as often as they are more; a change moves the numbers of others. */
function newLines(before: readonly string[], after: readonly string[]): string[] {
  const plain = (line: string): string => line.replaceAll(/\d+/g, '').trim();
  const left = before.map(plain);
  return after.filter((line) => {
    if (!LOCATED.test(line)) return false;
    const at = left.indexOf(plain(line));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** `type check: failed, passed before` */
function factOf(
  { kind }: ProofCommand,
  { state, taken }: Result,
  old: Result | undefined,
  worse: number,
): string {
  if (taken !== undefined) return `start: not measured, port ${taken} is in use`;
  const words = {
    passed: kind === 'start' ? 'listened' : 'passed',
    failed: kind === 'start' ? 'did not listen' : 'failed',
    endless: `did not end within ${LIMITS_MS[kind] / 1000} seconds`,
  };
  const now = `${LABEL[kind]}: ${words[state]}`;
  if (old === undefined || old.taken !== undefined) return now;
  if (old.state !== state) return `${now}, ${words[old.state]} before`;
  return worse === 0 ? `${now}, as before` : `${now}, with ${worse} new lines about problems`;
}

/** The steps and files of the change that the lines name. */
function causeOf(
  lines: readonly string[],
  { files, wiring = [] }: Pick<Plan, 'files' | 'wiring'>,
): { readonly cause?: string } {
  const isNamed = (path: string): boolean => lines.some((line) => line.includes(path));
  const steps = wiring.filter(({ file, action }) => action !== 'by_hand' && isNamed(file));
  const causes = [
    ...steps.map(({ step, build }) => `step ${step} of ${build}`),
    ...files.filter(({ path }) => isNamed(path)).map(({ build }) => `a file of ${build}`),
  ];
  return causes.length === 0 ? {} : { cause: [...new Set(causes)].join(', ') };
}
