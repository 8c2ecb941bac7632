/**
 * Proves a change: runs what the project checks itself with in a copy as it was and in a copy as it is, and sends the requests
 * that the guides of its builds promise answers to. Only what is new counts.
 */
import type { z } from 'zod';
import type { ChangeOutput, Plan } from '../plan/plan.ts';
import { LIMITS_MS, type Measured } from './measure-copy.ts';
import type { CheckKind } from './proof-commands.ts';

export type Proof = NonNullable<z.infer<typeof ChangeOutput>['proof']>;
const LABEL: Readonly<Record<CheckKind, string>> = {
  types: 'type check',
  lint: 'lint',
  tests: 'tests',
  start: 'start',
};
const MAX_PROBLEMS = 20;

/** Compares both copies. @param before absent for a new project */
export function compareCopies(
  before: Measured | undefined,
  after: Measured,
  plan: Pick<Plan, 'files' | 'wiring'>,
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
  const isWhole = after.results.size > 0 && after.isUnsent !== true;
  return { is_good: problems.length === 0 && isWhole, facts, problems };
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
