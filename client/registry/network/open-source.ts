/** Opens an address of a registry. */
import { ClientError } from '../../errors.ts';
import type { Credentials } from './credentials.ts';
import type { NetworkMode } from './fetcher.ts';
import { HttpSource } from './http-source.ts';
import { FolderSource, GitSource } from './local-sources.ts';
import { parseRegistryAddress } from './registry-address.ts';
import type { NetworkLimits, Source } from './source.ts';

interface SourceOptions {
  readonly credentials: Credentials;
  readonly limits: NetworkLimits;
  readonly signal: AbortSignal;
  readonly mode: NetworkMode;
  /** Whether an address that cannot be used, such as a folder that is gone, fails only when it is read. */
  readonly isLenient: boolean;
}

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, unless it is lenient */
export function openSource(
  address: string,
  { credentials, limits, signal, isLenient, mode }: SourceOptions,
): Source {
  try {
    const { base, folder, git } = parseRegistryAddress(address);
    if (folder !== undefined) return new FolderSource(base, folder);
    if (git !== undefined) return new GitSource(base, git, mode, signal);
    return new HttpSource(base, credentials, limits, signal);
  } catch (error) {
    if (isLenient && error instanceof ClientError) return unusable(address, error);
    throw error;
  }
}

function unusable(base: string, { message, hint }: ClientError): Source {
  const error = new ClientError('ERR_NETWORK', message, hint === undefined ? {} : { hint });
  return {
    base,
    isFolder: false,
    secret: '',
    url: (path) => `${base}/${path}`,
    get: async () => ({ kind: 'failed', error, isFinal: true }),
    close: async () => {},
  };
}
