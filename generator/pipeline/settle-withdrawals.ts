/**
 * Which withdrawals and take-downs of a changed owner file count. Those that counted before stay, whatever the file has now: both
 * are permanent. A new withdrawal counts soon after the publication, whatever requires the version; a take-down always.
 */
import { own } from '../../format/registry/moves.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { statedIn, WHOLE_BUILD } from '../../format/registry/status.ts';
import { isWithdrawable, WITHDRAWAL_HOURS } from '../withdrawals.ts';
import type { Tombstone } from '../../format/log/entry.ts';
import type { State } from '../state/state.ts';

/** A pull request that the gate accepted in time may wait for a review, and lands later. */
const LANDING_HOURS = 24;

/** What an owner file makes of its withdrawals. */
interface Settled {
  /** `after` with the withdrawals that count. */
  readonly file: OwnerFile;
  /** Those that count from now on. */
  readonly fresh: readonly { readonly id: string; readonly version: string }[];
  /** Those that do not count, each with the reason. */
  readonly refused: readonly { readonly version: string; readonly problem: string }[];
}

type Settling = Pick<Settled, 'file' | 'refused'> & {
  /** The statements that count from now on. */
  readonly tombstones: readonly Tombstone[];
};

/**
 * Of `file`, which has the withdrawals that count, those take-downs that count: the statement that came first stays. One about a whole
 * build is written for each of its versions as well.
 */
export function settleTakeDowns(
  state: State,
  owner: string,
  before: OwnerFile,
  file: OwnerFile,
): Settling {
  const settled: NonNullable<OwnerFile['taken_down']> = {};
  const [tombstones, refused]: [Tombstone[], Settled['refused'][number][]] = [[], []];
  const names = [before, file].flatMap((one) => Object.keys(one.taken_down ?? {}));
  for (const name of new Set(names)) {
    const id = `${owner}/${name}`;
    const kept = own(before.taken_down, name) ?? {};
    const taken = { ...kept };
    const published = new Set(state.risksOf(id).map(({ version }) => version));
    const isWhole = (): boolean => taken[WHOLE_BUILD] !== undefined;
    const stated = own(file.taken_down, name) ?? {};
    // The whole build first.
    for (const version of Object.keys(stated).sort()) {
      const statement = stated[version]!;
      if (taken[version] !== undefined || isWhole()) continue;
      const about = version === WHOLE_BUILD ? id : `${id}@${version}`;
      if (version === WHOLE_BUILD ? published.size === 0 : !published.has(version)) {
        refused.push({ version: about, problem: 'it was never published' });
        continue;
      }
      taken[version] = statement;
      tombstones.push({ id, ...(version === WHOLE_BUILD ? {} : { version }), statement });
    }
    const whole = taken[WHOLE_BUILD];
    if (whole !== undefined) for (const version of published) taken[version] ??= whole;
    if (Object.keys(taken).length > 0) settled[name] = taken;
  }
  const { taken_down: _, ...rest } = file;
  const isAny = Object.keys(settled).length > 0;
  return { file: isAny ? { ...rest, taken_down: settled } : rest, tombstones, refused };
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
  const named = statedIn(after.withdrawn);
  const kept = statedIn(before.withdrawn);
  if (named.length === 0 && kept.length === 0) return { file: after, fresh: [], refused: [] };
  const settled: Record<string, Record<string, string>> = {};
  const [fresh, refused]: [{ id: string; version: string }[], Settled['refused'][number][]] = [
    [],
    [],
  ];
  for (const [name, version] of kept) {
    (settled[name] ??= {})[version] =
      reasonIn(after, name, version) ?? reasonIn(before, name, version) ?? '';
  }
  for (const [name, version] of named) {
    if (reasonIn(before, name, version) !== undefined) continue;
    const id = `${owner}/${name}`;
    // What the log has counts, however many hours it may take now.
    const isInLog = state.decisions.isYank(commit, id, version);
    const problem = isInLog ? undefined : problemOf(state, id, version, time);
    if (problem !== undefined) {
      refused.push({ version: `${id}@${version}`, problem });
      continue;
    }
    fresh.push({ id, version });
    (settled[name] ??= {})[version] = reasonIn(after, name, version) ?? '';
  }
  const { withdrawn: _, ...rest } = after;
  const isAny = Object.keys(settled).length > 0;
  return { file: isAny ? { ...rest, withdrawn: settled } : rest, fresh, refused };
}

function reasonIn(file: OwnerFile, name: string, version: string): string | undefined {
  return own(own(file.withdrawn, name), version);
}

function problemOf(state: State, id: string, version: string, time: string): string | undefined {
  const own = state.risksOf(id).find((one) => one.version === version);
  if (own === undefined) return 'it was never published';
  if (isWithdrawable(own.published_at, time, WITHDRAWAL_HOURS + LANDING_HOURS)) return undefined;
  return `it was published at ${own.published_at}, more than ${WITHDRAWAL_HOURS} hours before`;
}
