/** Which owners grew older: their reputation changes though nothing of theirs did. */
import { formatDay, tryParseDay } from '../../format/statement/day.ts';
import { AGE_STEPS } from '../score/reputation.ts';
import type { State } from '../state/state.ts';

/**
 * Adds to `owners` those whose age may have passed a step between two times: who published on a day that
 * is now so old. That they published before changes nothing, they are only looked at in vain.
 * @param before the newest commit's time at the last run; `undefined` for a full run, which sees to all
 */
export function collectAged(
  state: State,
  before: string | undefined,
  now: string,
  owners: Set<string>,
): void {
  if (before === undefined) return;
  // A committer's clock that is behind takes time back, and owners grow younger.
  const [from, to] = [before, now].map(dayOf).sort((a, b) => a - b) as [number, number];
  if (from === to) return;
  for (const [days] of AGE_STEPS) {
    const ids = state.publishedBetween(formatDay(from - days + 1), formatDay(to - days + 1));
    for (const id of ids) owners.add(id.slice(0, id.indexOf('/')));
  }
}

function dayOf(time: string): number {
  return tryParseDay(time) ?? 0;
}
