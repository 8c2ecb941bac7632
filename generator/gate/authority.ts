/**
 * Who may change an owner's folder: by the owner file and the configuration as the base branch has them,
 * never by the content of the pull request.
 */
import { isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import type { Person } from '../../format/registry/account.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { ownerFilePath, ownerFolder } from '../../format/registry/repository-layout.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { reason } from './reason.ts';
import { lowerCase } from '../../format/unicode.ts';

/** In which role an account may change the folder. */
export type Role = 'owner' | 'maintainer' | 'admin' | 'nobody';

export interface Authority {
  readonly role: Role;
  readonly reasons: readonly Reason[];
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
  const folder = ownerFolder(owner, config.layout);
  const isNamesake = lowerCase(author.login) === owner;
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
    const file = ownerFilePath(owner, config.layout);
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
    const file = ownerFilePath(owner, config.layout);
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
