/** Opens an address of a registry. */
import { ClientError } from '../../errors.ts';
import { FolderSource } from './folder-source.ts';
import { HttpSource } from './http-source.ts';
import type { NetworkLimits } from './network-limits.ts';
import { parseRegistryAddress } from './registry-address.ts';
import type { RegistryHeaders } from './registry-headers.ts';
import type { Source } from './source.ts';

export interface SourceOptions {
  readonly headers: RegistryHeaders;
  readonly limits: NetworkLimits;
  readonly signal: AbortSignal;
  /** Whether an address that cannot be used, such as a folder that is gone, fails only when it is read. */
  readonly isLenient: boolean;
}

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, unless it is lenient */
export function openSource(
  address: string,
  { headers, limits, signal, isLenient }: SourceOptions,
): Source {
  try {
    const { base, folder } = parseRegistryAddress(address);
    if (folder !== undefined) return new FolderSource(base, folder);
    return new HttpSource(base, headers, limits, signal);
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
