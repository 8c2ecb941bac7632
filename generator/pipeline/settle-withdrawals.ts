/**
 * Which withdrawals of a changed owner file count. Those that counted before stay, whatever the file has now: a
 * withdrawal is permanent. A new one counts soon after the publication, whatever requires the version.
 */
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import {
  WITHDRAWAL_HOURS,
  isWithdrawable,
  withdrawals,
  withdrawnOf,
} from '../../format/registry/withdrawals.ts';
import type { State } from '../state/state.ts';

/** A pull request that the gate accepted in time may wait for a review, and lands later. */
const LANDING_HOURS = 24;

/** What an owner file makes of its withdrawals. */
export interface Settled {
  /** `after` with the withdrawals that count. */
  readonly file: OwnerFile;
  /** Those that count from now on. */
  readonly fresh: readonly { readonly id: string; readonly version: string }[];
  /** Those that do not count, each with the reason. */
  readonly refused: readonly { readonly version: string; readonly problem: string }[];
}

/** @param state has every version that was published up to the change, which happened at `time` */
export function settleWithdrawals(
  state: State,
  {
    owner,
    time,
    commit,
  }: { readonly owner: string; readonly time: string; readonly commit: string },
  before: OwnerFile,
  after: OwnerFile,
): Settled {
  const named = withdrawals(after);
  const kept = withdrawals(before);
  if (named.length === 0 && kept.length === 0) return { file: after, fresh: [], refused: [] };
  const settled: Record<string, Record<string, string>> = {};
  const [fresh, refused]: [{ id: string; version: string }[], Settled['refused'][number][]] = [
    [],
    [],
  ];
  for (const [name, version] of kept) {
    const reason = withdrawnOf(after, name)[version] ?? withdrawnOf(before, name)[version] ?? '';
    (settled[name] ??= {})[version] = reason;
  }
  for (const [name, version] of named) {
    if (withdrawnOf(before, name)[version] !== undefined) continue;
    const id = `${owner}/${name}`;
    // What the log has counts, however many hours it may take now.
    const isInLog = state.decisions.isYank(commit, id, version);
    const problem = isInLog ? undefined : problemOf(state, id, version, time);
    if (problem !== undefined) {
      refused.push({ version: `${id}@${version}`, problem });
      continue;
    }
    fresh.push({ id, version });
    (settled[name] ??= {})[version] = withdrawnOf(after, name)[version] ?? '';
  }
  const { withdrawn: _, ...rest } = after;
  const isAny = Object.keys(settled).length > 0;
  return { file: isAny ? { ...rest, withdrawn: settled } : rest, fresh, refused };
}

function problemOf(state: State, id: string, version: string, time: string): string | undefined {
  const own = state.risksOf(id).find((one) => one.version === version);
  if (own === undefined) return 'it was never published';
  if (isWithdrawable(own.published_at, time, WITHDRAWAL_HOURS + LANDING_HOURS)) return undefined;
  return `it was published at ${own.published_at}, more than ${WITHDRAWAL_HOURS} hours before`;
}
