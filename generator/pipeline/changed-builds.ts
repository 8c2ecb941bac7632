/** Which builds an owner file has to do with: those whose yanks, withdrawals, deprecation or moves changed. */
import type { OwnerFile } from '../../format/registry/owner-file.ts';

/** Ids of the builds that two files of an owner treat differently. */
export function changedBuilds(owner: string, before: OwnerFile, after: OwnerFile): string[] {
  const names = new Set(
    [before, after].flatMap((f) =>
      [f.yanked, f.withdrawn, f.deprecated, f.moved].flatMap((map) => Object.keys(map ?? {})),
    ),
  );
  const accepted = [before, after].flatMap((f) => Object.values(f.accepts ?? {}));
  const statusOf = (file: OwnerFile, name: string): string =>
    JSON.stringify([
      file.yanked?.[name],
      file.withdrawn?.[name],
      file.deprecated?.[name],
      file.moved?.[name],
    ]);
  const changed = [...names].filter((n) => statusOf(before, n) !== statusOf(after, n));
  const isSame = JSON.stringify(before.accepts) === JSON.stringify(after.accepts);
  return [...changed.map((n) => `${owner}/${n}`), ...(isSame ? [] : accepted)];
}
