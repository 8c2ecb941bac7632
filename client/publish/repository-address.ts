/**
 * The address of a registry's repository for git, and its name at the code host.
 *
 *     https://host/owner/name.git   ssh://git@host/owner/name   git@host:owner/name.git   /a/folder/name.git
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ClientError } from '../errors.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import type { GitAccess } from './git-program.ts';

interface RepositoryAddress {
  /** For git; without user name, password or token. */
  readonly url: string;
  /** Such as `https://host`; `undefined` for a folder. */
  readonly origin: string | undefined;
  /** Whether git uses HTTP for it, which needs a token. */
  readonly isHttp: boolean;
  readonly owner: string;
  readonly name: string;
}

const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
const SCP = /^\w[\w.-]{0,63}@([A-Za-z0-9][\w.-]{0,252}):(?!\/\/)([\w./~-]{1,200})$/;
const IPV6 = /\[[0-9a-f:.]{2,45}\]/i;
const SEGMENT = /^[\w.-]{1,100}$/;

/**
 * @param folder base of relative paths
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
 */
export function parseRepositoryAddress(text: string, folder: string): RepositoryAddress {
  const scp = SCP.exec(text);
  if (scp !== null) {
    return { url: text, origin: `https://${scp[1]}`, isHttp: false, ...placeOf(text, scp[2]!) };
  }
  // Also `file:` addresses and git's remote helpers, such as `ext::sh`, which run programs.
  if (!SCHEME.test(text)) return folderAddress(text, resolve(folder, text));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Refuses `::` everywhere, although git looks for helper names only at the start.
  if (text.replace(IPV6, '').includes('::')) throw noAddress(text);
  if (url === undefined || url.search !== '' || url.hash !== '') throw noAddress(text);
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    throw new ClientError('ERR_USAGE', 'The repository address contains a user name or password', {
      hint: 'give the address without them, and a token in GITHUB_TOKEN',
    });
  }
  const place = placeOf(text, url.pathname);
  if (url.protocol === 'ssh:') {
    return { url: url.href, origin: `https://${url.hostname}`, isHttp: false, ...place };
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('ERR_INSECURE_URL', `Repository ${text} is not encrypted`, {
      hint: 'use https or ssh',
    });
  }
  if (!['http:', 'https:'].includes(url.protocol)) throw noAddress(text);
  return { url: url.href, origin: url.origin, isHttp: true, ...place };
}

function folderAddress(text: string, path: string): RepositoryAddress {
  if (text.startsWith('-') || text.includes('::') || !existsSync(path)) throw noAddress(text);
  return {
    url: path,
    origin: undefined,
    isHttp: false,
    ...placeOf(text, path.replaceAll('\\', '/')),
  };
}

/** The last two segments of a path. */
function placeOf(text: string, path: string): { owner: string; name: string } {
  const segments = path.split('/').filter((segment) => segment !== '');
  const [owner = '', last = ''] = segments.slice(-2);
  const name = last.replace(/\.git$/, '');
  if (!SEGMENT.test(owner) || !SEGMENT.test(name)) throw noAddress(text);
  return { owner, name };
}

function noAddress(text: string): ClientError {
  return new ClientError('ERR_USAGE', `Repository ${JSON.stringify(text)} is not an address`, {
    hint: 'give one such as STACKYARD_REPOSITORY=https://host.example/owner/registry, or a folder that contains it',
  });
}

/**
 * The token of the code host, and where it may be sent: `GITHUB_TOKEN` to the host of `GITHUB_SERVER_URL`
 * (default github.com) and to the address `GITHUB_API_URL`, and to no other.
 */
const PUBLIC_HOST = 'https://github.com';
const PUBLIC_API = 'https://api.github.com';

export interface Credentials {
  /** The base address of the code host's API, without `/` at the end. */
  readonly api: string;
  readonly token: string;
  /** For git over HTTP. */
  readonly git: GitAccess | undefined;
}

/**
 * The credentials for `address`; `undefined` without a token, or when the token is for another host.
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
 */
export function credentialsFor(
  address: RepositoryAddress,
  env: Readonly<Record<string, string | undefined>>,
): Credentials | undefined {
  const token = env['GITHUB_TOKEN'] ?? '';
  if (token === '') return undefined;
  if (!/^[\x21-\x7e]{1,1000}$/.test(token)) {
    throw new ClientError('ERR_USAGE', 'The token in GITHUB_TOKEN is not a token', {
      hint: 'it consists of letters, digits and punctuation: no spaces and no line break',
    });
  }
  const server = addressIn(env, 'GITHUB_SERVER_URL') ?? PUBLIC_HOST;
  const named = addressIn(env, 'GITHUB_API_URL');
  const isHost = address.origin === new URL(server).origin;
  // A folder is on this machine; the API is then the one that the user named.
  if (!isHost && !(address.origin === undefined && named !== undefined)) return undefined;
  const api = named ?? (server === PUBLIC_HOST ? PUBLIC_API : `${server}/api/v3`);
  const git = address.isHttp && isHost ? { origin: new URL(server).origin, token } : undefined;
  return { api, token, git };
}

function addressIn(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const text = (env[name] ?? '').replace(/\/{1,3}$/, '');
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ClientError('ERR_USAGE', `The variable ${name} is not an address`, {
      hint: 'give an https address, or unset it',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ClientError('ERR_INSECURE_URL', `The address in ${name} is not encrypted`, {
      hint: 'a token is sent over https only',
    });
  }
  return text;
}
