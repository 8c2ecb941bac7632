/** Opens an address of a registry. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ClientError } from '../../errors.ts';
import { HttpSource } from './http-source.ts';
import type { NetworkLimits, Source, Answer, SourceRequest } from './mirrors.ts';
import { parseRegistryAddress, type RegistryHeaders } from './registry-headers.ts';

interface SourceOptions {
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

/** A registry in a folder: an index as the generator writes it, for use without network and for tests. */
class FolderSource implements Source {
  readonly base: string;
  readonly isFolder = true;
  readonly secret = '';
  readonly #folder: string;

  constructor(base: string, folder: string) {
    this.base = base;
    this.#folder = folder;
  }

  url(path: string): string {
    return join(this.#folder, path);
  }

  async get(path: string, { maxBytes, onBytes }: SourceRequest): Promise<Answer> {
    const file = this.url(path);
    try {
      // Checked first, because opening a pipe would block.
      const { size } = await stat(file).then((s) => (s.isFile() ? s : Promise.reject(notAFile())));
      if (size > maxBytes) throw new Error(`it has over ${maxBytes} bytes`);
      const handle = await open(file);
      try {
        const bytes = Buffer.alloc(size);
        const { bytesRead } = await handle.read(bytes, 0, size, 0);
        onBytes?.(bytesRead);
        return { kind: 'bytes', bytes: bytes.subarray(0, bytesRead), validators: {} };
      } finally {
        await handle.close();
      }
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
      const problem = cause instanceof Error ? cause.message : String(cause);
      const error = new ClientError('ERR_REGISTRY_ANSWER', `Cannot read ${file}: ${problem}`, {
        cause,
        hint: 'check the folder that --registry names',
      });
      return { kind: 'failed', error, isFinal: true };
    }
  }

  async close(): Promise<void> {}
}

function notAFile(): Error {
  return new Error('it is not a file');
}
