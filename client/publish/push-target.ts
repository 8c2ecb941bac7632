/** The repository to push to: the registry's own, or where the account may not push there, its fork. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../errors.ts';
import type { Account, CodeHost, HostRepository } from './code-host.ts';
import { parseRepositoryAddress, type RepositoryAddress } from './repository-address.ts';

export interface PushTarget {
  readonly url: string;
  readonly owner: string;
  readonly isFork: boolean;
}

const FORK_TRIES = 20;
const FORK_PAUSE_MS = 1_500;

/** Asks the code host. @throws {ClientError} `ERR_CODE_HOST`, `ERR_NETWORK`, `ERR_USAGE` */
export async function pushTarget(
  upstream: RepositoryAddress,
  host: { readonly api: CodeHost; readonly user: Account } | undefined,
  signal: AbortSignal,
): Promise<PushTarget> {
  const own: PushTarget = { url: upstream.url, owner: upstream.owner, isFork: false };
  if (host === undefined) return own;
  const { api, user } = host;
  const repository = await api.repository(upstream.owner, upstream.name);
  if (repository === undefined) {
    throw new ClientError(
      'ERR_CODE_HOST',
      `The code host has no repository "${upstream.owner}/${upstream.name}", or the token cannot see it`,
      { hint: 'check the address (STACKYARD_REPOSITORY) and what the token may read' },
    );
  }
  if (repository.permissions?.push === true) return own;
  const known = await api.repository(user.login, upstream.name);
  const isOurs = known?.fork === true && isSameName(known.parent?.full_name, repository.full_name);
  const made = isOurs ? known : await api.fork(upstream.owner, upstream.name);
  const { url, owner } = addressOf(made, upstream);
  if (!isOurs) await untilThere(api, made, signal);
  return { url, owner, isFork: true };
}

/** The address comes from the code host: it must be at the same host as the registry's repository. */
function addressOf(
  { clone_url: text }: HostRepository,
  upstream: RepositoryAddress,
): RepositoryAddress {
  const address = parseRepositoryAddress(text, '.');
  if (address.origin === upstream.origin) return address;
  throw new ClientError('ERR_CODE_HOST', 'The code host names a fork at another host', {
    hint: 'ask the admins of the registry which address its repository has',
  });
}

/** A new fork is created asynchronously. */
async function untilThere(
  api: CodeHost,
  { full_name: fullName }: HostRepository,
  signal: AbortSignal,
): Promise<void> {
  const [owner = '', name = ''] = fullName.split('/');
  for (let tries = 0; tries < FORK_TRIES; tries += 1) {
    if ((await api.repository(owner, name)) !== undefined) return;
    await sleep(FORK_PAUSE_MS, undefined, { signal });
  }
  throw new ClientError('ERR_CODE_HOST', `The fork "${fullName}" is not there yet`, {
    hint: 'run the same command again in a minute',
  });
}

/** Whether the code host takes two logins, or names of repositories, for one. */
export function isSameName(a: string | undefined, b: string): boolean {
  return a !== undefined && a.toLowerCase() === b.toLowerCase();
}
