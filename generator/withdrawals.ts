/** Versions that are gone: those that their owner withdrew, soon after publication, and those that an admin took down, at any time. Pure. */
import { HOUR_MS } from '../format/duration.ts';
import { own } from '../format/registry/moves.ts';
import { WHOLE_BUILD, type OwnerFile, type TakeDown } from '../format/registry/owner-file.ts';

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

/** Statements about the build `name` by version, and by `*` about the whole build. */
export function takeDownsOf({ taken_down }: OwnerFile, name: string): Takings {
  return own(taken_down, name) ?? {};
}
type Takings = Readonly<Record<string, TakeDown>>;

/** The statement that takes a version down, by itself or with the whole build. */
export function takeDownOf(file: OwnerFile, name: string, version: string): TakeDown | undefined {
  const taken = takeDownsOf(file, name);
  return own(taken, version) ?? taken[WHOLE_BUILD];
}

/** Version to reason of all versions of the build `name` that are gone. @param file with every version of a whole build */
export function goneOf(file: OwnerFile, name: string): Reasons {
  const taken = Object.entries(takeDownsOf(file, name));
  const versions = taken.filter(([version]) => version !== WHOLE_BUILD);
  const reasons = versions.map(([version, { reason }]) => [version, reason]);
  return { ...withdrawnOf(file, name), ...Object.fromEntries(reasons) };
}

/** Version to reason of all versions of the build `name` that nobody should install: gone or yanked. */
export function yanksOf(file: OwnerFile, name: string): Reasons {
  return { ...own(file.yanked, name), ...goneOf(file, name) };
}

/** Every version that is gone by an owner file, as build name and version. */
export function allGone(file: OwnerFile): [string, string][] {
  const names = new Set([file.withdrawn, file.taken_down].flatMap((one) => Object.keys(one ?? {})));
  return [...names].flatMap((name) =>
    Object.keys(goneOf(file, name)).map((version): [string, string] => [name, version]),
  );
}

/** What a member of an owner file states of versions, such as `yanked`: build name, version, statement. */
export function statedIn<Stated>(
  member: Readonly<Record<string, Readonly<Record<string, Stated>>>> = {},
): [name: string, version: string, stated: Stated][] {
  return Object.entries(member).flatMap(([name, versions]) =>
    Object.entries(versions).map(([version, stated]): [string, string, Stated] => {
      return [name, version, stated];
    }),
  );
}
