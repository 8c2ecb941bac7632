/** What a pull request may change in an owner file. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import { finding } from '../../format/finding/finding.ts';
import type { Role } from './authority.ts';
import { checkOwnerTexts } from './owner-text-rules.ts';
import { findingReason, reason } from './reason.ts';

/** Whether a version was published, or is published by this pull request. */
type IsPublished = (name: string, version: string) => Promise<boolean>;

/** @param after `undefined` when the file is deleted */
export async function checkOwnerFileChange(
  { owner, layout }: { readonly owner: string; readonly layout: Layout },
  before: OwnerFile | undefined,
  after: OwnerFile | undefined,
  role: Role,
  isPublished: IsPublished,
): Promise<Reason[]> {
  const file = ownerFilePath(owner, layout);
  if (after === undefined) return [reason('gate-owner-deleted', file)];
  const reasons: Reason[] = [];
  const isNew = before === undefined;
  if (!isNew && before.account_id !== after.account_id && role !== 'admin') {
    reasons.push(reason('gate-owner-id', file));
  }
  if (JSON.stringify(before?.maintainers ?? []) !== JSON.stringify(after.maintainers ?? [])) {
    reasons.push(reason('gate-maintainers', file));
    for (const login of bareLogins(after)) {
      reasons.push(reason('gate-maintainer-id', file, { login }));
    }
  }
  reasons.push(...checkOwnerTexts(file, before, after));
  for (const [name, version] of yanks(before)) {
    // An admin may have yanked the version: the owner alone cannot revert that.
    if (after.yanked?.[name]?.[version] === undefined) {
      reasons.push(reason('gate-unyank', file, { version: `${owner}/${name}@${version}` }));
    }
  }
  for (const [name, version] of yanks(after)) {
    if (before?.yanked?.[name]?.[version] !== undefined) continue;
    if (await isPublished(name, version)) continue;
    const args = { version: `${owner}/${name}@${version}` };
    const found = finding('owner-file-yank-unknown', 'owner.json', args);
    reasons.push(findingReason(found, ownerFolder(owner, layout)));
  }
  return reasons;
}

function bareLogins({ maintainers = [] }: OwnerFile): string[] {
  return maintainers.filter((one) => typeof one === 'string');
}

function yanks(file: OwnerFile | undefined): [string, string][] {
  return Object.entries(file?.yanked ?? {}).flatMap(([name, versions]) =>
    Object.keys(versions).map((version): [string, string] => [name, version]),
  );
}
