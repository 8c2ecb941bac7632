/** Where the code host of a registry is: by its configuration, the remote "origin", and the workflows that it has. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CODE_HOSTS,
  type CodeHostKind,
  type RegistryConfig,
} from '../../format/registry/registry-config.ts';
import { usageError } from '../errors.ts';
import { gitEnvironment } from '../git/run-git.ts';

/** A repository at a code host, and what its registry needs there. */
export interface HostedRegistry {
  readonly kind: CodeHostKind;
  /** Such as https://api.github.com. */
  readonly api: string;
  /** "owner/name". */
  readonly repository: string;
  readonly token: string;
  readonly waitSeconds: number;
  /** Empty where it is not known. */
  readonly baseUrl: string;
  /** Whether the configuration names the key of the log. */
  readonly isSigned: boolean;
  /** Whether the registry is a folder of a larger repository, to whose main branch people push. */
  readonly isShared: boolean;
}

/**
 * @param folder top of the repository
 * @returns `undefined` for a registry without workflows
 * @throws {GeneratorError} `ERR_USAGE` where nothing names the repository at the code host
 */
export function hostedRegistry(
  folder: string,
  config: RegistryConfig,
  token: string,
): HostedRegistry | undefined {
  const kind = CODE_HOSTS.find((one) => existsSync(join(folder, `.${one}/workflows/publish.yml`)));
  if (kind === undefined) return undefined;
  const place = placeOf(config.repository ?? originOf(folder));
  if (place === undefined) {
    const problem =
      'Field "repository" of registry.config.json must be the address of the repository at its code host';
    throw usageError('doctor', problem);
  }
  return {
    kind,
    token,
    api: apiOf(kind, place.server),
    repository: place.repository,
    waitSeconds: 1,
    baseUrl: config.base_url,
    isSigned: config.log.key !== undefined,
    isShared: config.root !== '',
  };
}

function apiOf(kind: CodeHostKind, server: string): string {
  if (kind !== 'github') return `${server}/api/v1`;
  return server === 'https://github.com' ? 'https://api.github.com' : `${server}/api/v3`;
}

/** @param text an address, or what git takes for one */
function placeOf(
  text: string,
): { readonly server: string; readonly repository: string } | undefined {
  const address = /^[\w.-]+@[\w.-]+:/.test(text) ? `ssh://${text.replace(':', '/')}` : text;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(address);
  const repository = pathname.replace(/^\/+|(?:\.git)?\/*$/g, '');
  if (!/^(?:https?|ssh):$/.test(protocol) || !repository.includes('/')) return undefined;
  const server = protocol === 'ssh:' ? `https://${hostname}` : `${protocol}//${host}`;
  return { server, repository };
}

function originOf(folder: string): string {
  try {
    const args = ['remote', 'get-url', 'origin'];
    const options = { cwd: folder, env: gitEnvironment(), stdio: 'pipe' } as const;
    return execFileSync('git', args, { ...options, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
