/**
 * The owners in whose folders something changes, and what the author may do there: by the owner file and the configuration
 * as the base branch has them, never by the content of the pull request.
 */
import { isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import type { Person } from '../../format/registry/account.ts';
import type { Reason } from './gate-verdict.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { ownerFilePath, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Repository } from '../git/repository.ts';
import { ownerFileAt } from './registry.ts';
import type { Registry } from './registry.ts';
import { isGone, touchedOwners } from './changes.ts';
import type { Changes } from './changes.ts';
import { gateGitText } from './git.ts';
import { readDocument } from '../git/read-document.ts';
import { reason } from './reasons.ts';

/** An owner folder in which something changes. */
export interface ChangedOwner {
  readonly owner: string;
  readonly folder: string;
  /** Whether the base branch has the folder, or ever had it. */
  readonly isKnown: boolean;
  readonly authority: Authority;
  /** The owner file on the base branch; `undefined` when there is none that can be read. */
  readonly before: OwnerFile | undefined;
  /** The owner file that the pull request adds or changes; `deleted`, or an error where it cannot be read. */
  readonly after: OwnerFile | 'deleted' | Error | undefined;
}

/** In which role an account may change the folder. */
type Role = 'owner' | 'maintainer' | 'admin' | 'nobody';

export interface Authority {
  readonly role: Role;
  readonly reasons: readonly Reason[];
}

/** @throws {GeneratorError} `ERR_GIT` */
export async function readOwners(
  registry: Registry,
  changes: Changes,
  author: Person,
): Promise<ChangedOwner[]> {
  const { repository, config } = registry;
  const owners: ChangedOwner[] = [];
  for (const owner of touchedOwners(changes)) {
    const present = await ownerFileAt(registry, repository.head, owner);
    // Only an admin may change the folder while its owner file cannot be read.
    const before = present instanceof Error ? undefined : present;
    const after = await ownerFileAfter(registry, changes, owner);
    const isKnown = present !== undefined || (await hasHistory(repository, owner, config));
    const read = typeof after === 'string' || after instanceof Error ? undefined : after;
    const authority = authorityOver(owner, author, before, read, isKnown, config);
    const folder = ownerFolder(owner, config);
    owners.push({ owner, folder, isKnown, authority, before, after });
  }
  return owners;
}

/**
 * @param before the owner file on the base branch; `undefined` when there is none
 * @param after the owner file that the pull request brings
 * @param isKnown whether the base branch has the owner's folder, or ever had it
 */
export function authorityOver(
  owner: string,
  author: Person,
  before: OwnerFile | undefined,
  after: OwnerFile | undefined,
  isKnown: boolean,
  config: RegistryConfig,
): Authority {
  const folder = ownerFolder(owner, config);
  const isNamesake = author.login.toLowerCase() === owner;
  const account = before?.account_id;
  const { id, login } = author;
  if (account === id) {
    const renamed = reason('gate-owner-renamed', folder, { login, owner });
    return { role: 'owner', reasons: isNamesake ? [] : [renamed] };
  }
  if (before?.maintainers?.some((one) => isAccountOf(one, author)) === true) {
    return { role: 'maintainer', reasons: [] };
  }
  if (before?.maintainers?.some((one) => isBareLoginOf(one, author)) === true) {
    const file = ownerFilePath(owner, config);
    return { role: 'maintainer', reasons: [reason('gate-maintainer-id', file, { login })] };
  }
  if (config.admins.some((admin) => isAccountOf(admin, author))) {
    // The folder of the registry's own builds, whose owner is its admin.
    if (isNamesake && account === undefined) return { role: 'owner', reasons: [] };
    return { role: 'admin', reasons: [reason('gate-admin', folder, { login, owner })] };
  }
  if (isNamesake && account !== undefined) {
    const args = { id, login, account };
    return { role: 'nobody', reasons: [reason('gate-owner-account', folder, args)] };
  }
  if (isNamesake && !isKnown) {
    if (after?.account_id === id) return { role: 'owner', reasons: [] };
    const file = ownerFilePath(owner, config);
    return { role: 'nobody', reasons: [reason('gate-owner-new', file, { id })] };
  }
  if (config.admins.some((admin) => isBareLoginOf(admin, author))) {
    return { role: 'nobody', reasons: [bareAdmin(author)] };
  }
  if (isNamesake) {
    return { role: 'nobody', reasons: [reason('gate-owner-unclaimed', folder, { owner })] };
  }
  return { role: 'nobody', reasons: [reason('gate-owner-foreign', folder, { login, owner })] };
}

/** An admin whom the configuration names by a login alone: the gate does not act for a login. */
export function bareAdmin({ login }: Person): Reason {
  return reason('gate-admin-id', 'registry.config.json', { login });
}

async function ownerFileAfter(
  { reader }: Registry,
  { ownerFiles }: Changes,
  owner: string,
): Promise<ChangedOwner['after']> {
  const entry = ownerFiles.get(owner);
  if (entry === undefined) return undefined;
  if (isGone(entry)) return 'deleted';
  if (entry.mode !== '100644') return new Error('it is no plain file');
  return readDocument(reader, OwnerFile, entry.oid);
}

/** Whether an owner ever had something on the base branch: a deleted owner folder is not free for others. */
async function hasHistory(
  { folder, head }: Repository,
  owner: string,
  layout: Layout,
): Promise<boolean> {
  // Of a single literal path git may know this without reading trees.
  const path = `:(literal)${ownerFolder(owner, layout)}`;
  const args = ['rev-list', '--first-parent', '-1', head, '--', path];
  return (await gateGitText(folder, args)) !== '';
}
