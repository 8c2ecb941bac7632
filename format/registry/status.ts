/** The status of a version: open, yanked by its owner, withdrawn by its owner soon after publication, or taken down by an admin. Pure. */
import { own } from './moves.ts';
import type { OwnerFile, TakeDown } from './owner-file.ts';

/** Reasons and references are texts of owners and admins. */
export type Status =
  | { readonly is: 'open' }
  | { readonly is: 'yanked' | 'withdrawn'; readonly reason: string }
  | ({ readonly is: 'taken down' } & TakeDown);

/** What `taken_down` of an owner file has for a whole build. */
export const WHOLE_BUILD = '*';

export const OPEN: Status = { is: 'open' };

/** What an owner file states about the version of the build `name`: what is permanent comes first. */
export function statusOf(file: OwnerFile, name: string, version: string): Status {
  const takenDown = takeDownOf(file, name, version);
  if (takenDown !== undefined) return { is: 'taken down', ...takenDown };
  const withdrawn = own(own(file.withdrawn, name), version);
  if (withdrawn !== undefined) return { is: 'withdrawn', reason: withdrawn };
  const yanked = own(own(file.yanked, name), version);
  return yanked === undefined ? OPEN : { is: 'yanked', reason: yanked };
}

/** The statement that takes a version down, by itself or with the whole build. */
export function takeDownOf(file: OwnerFile, name: string, version: string): TakeDown | undefined {
  const statements = own(file.taken_down, name);
  return own(statements, version) ?? own(statements, WHOLE_BUILD);
}

/** Whether its tarball is gone, permanently. */
export function isGone(
  status: Status,
): status is Extract<Status, { is: 'withdrawn' | 'taken down' }> {
  return status.is === 'withdrawn' || status.is === 'taken down';
}

/** Why it is so; `""` for an open version. */
export function reasonOf(status: Status): string {
  return status.is === 'open' ? '' : status.reason;
}

/** The status in words, such as `yanked`, `taken down on 2026-01-01 (12 O 34/26)`. */
export function statusText(status: Status): string {
  return status.is === 'taken down'
    ? `taken down on ${status.date} (${status.reference})`
    : status.is;
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
