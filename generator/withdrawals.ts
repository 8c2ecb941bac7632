/** Until when an owner may withdraw a version. Pure. */
import { HOUR_MS } from '../format/duration.ts';

/** Afterwards a version can be yanked only. */
export const WITHDRAWAL_HOURS = 72;

/** Whether a version that was published at `published` may still be withdrawn at `now`; both ISO 8601. */
export function isWithdrawable(published: string, now: string, hours: number): boolean {
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  const milliseconds = Date.parse(now) - Date.parse(published);
  return milliseconds <= hours * HOUR_MS;
}
