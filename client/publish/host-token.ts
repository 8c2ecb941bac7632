/**
 * The token of the code host, and where it may be sent: `GITHUB_TOKEN` to the host of `GITHUB_SERVER_URL`
 * (default github.com) and to the address `GITHUB_API_URL`, and to no other.
 */
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import type { GitAccess } from './git-program.ts';
import type { RepositoryAddress } from './repository-address.ts';

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
