/** Finds the owners whose reputation changes by age alone. */
import { formatDay, tryParseDay } from '../../format/statement/day.ts';
import { AGE_STEPS } from '../reputation.ts';
import type { State } from '../state/state.ts';

/**
 * Adds to `owners` those whose age may have passed a step between two times: who published on a day that
 * that long ago. Owners that published earlier too are included without need, which does no harm.
 * @param before the newest commit's time at the last run; `undefined` for a full run, which covers all owners
 */
export function collectAged(
  state: State,
  before: string | undefined,
  now: string,
  owners: Set<string>,
): void {
  if (before === undefined) return;
  // With a committer's clock that is behind, time goes backwards, and ages decrease.
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
