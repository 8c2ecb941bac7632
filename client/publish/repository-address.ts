/**
 * The address of a registry's repository for git, and its name at the code host.
 *
 *     https://host/owner/name.git   ssh://git@host/owner/name   git@host:owner/name.git   /a/folder/name.git
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';

export interface RepositoryAddress {
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
