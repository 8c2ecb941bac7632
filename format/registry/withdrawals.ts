/** Versions that their owner withdrew completely: which ones an owner file names, and how long after publication one may. Pure. */
import { HOUR_MS } from '../duration.ts';
import type { OwnerFile } from './owner-file.ts';

/** Afterwards a version can be yanked only. */
export const WITHDRAWAL_HOURS = 72;

type Reasons = Readonly<Record<string, string>>;

/** Whether a version that was published at `published` may still be withdrawn at `now`; both ISO 8601. */
export function isWithdrawable(published: string, now: string, hours: number): boolean {
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  const milliseconds = Date.parse(now) - Date.parse(published);
  return milliseconds <= hours * HOUR_MS;
}

/** Withdrawn version to reason, of the build `name`. */
export function withdrawnOf({ withdrawn }: OwnerFile, name: string): Reasons {
  return own(withdrawn, name) ?? {};
}

/** Version to reason of all versions of the build `name` that nobody should install: withdrawn or yanked. */
export function yanksOf(file: OwnerFile, name: string): Reasons {
  return { ...own(file.yanked, name), ...withdrawnOf(file, name) };
}

/** Every version that an owner file withdraws, as build name and version. */
export function withdrawals({ withdrawn = {} }: OwnerFile): [string, string][] {
  return Object.entries(withdrawn).flatMap(([name, versions]) =>
    Object.keys(versions).map((version): [string, string] => [name, version]),
  );
}

/** Names of builds may be names of inherited properties, such as `constructor`. */
function own<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
