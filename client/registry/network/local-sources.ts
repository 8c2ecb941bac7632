/** Registries on this machine: a folder with an index, and a git repository whose index is generated in the cache. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RETIRED_FOLDER } from '../../../format/index/layout.ts';
import { ClientError } from '../../errors.ts';
import type { NetworkMode } from './fetcher.ts';
import type { GitAddress } from './registry-address.ts';
import type { Answer, Source, SourceRequest } from './source.ts';

/** A registry in a folder: an index as the generator writes it, for use without network and for tests. */
export class FolderSource implements Source {
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

  async get(path: string, request: SourceRequest): Promise<Answer> {
    const answer = await this.#read(this.url(path), request);
    // The index may be that of a newer checkpoint meanwhile.
    return answer.kind === 'absent'
      ? this.#read(this.url(join(RETIRED_FOLDER, path)), request)
      : answer;
  }

  async #read(file: string, { maxBytes, onBytes }: SourceRequest): Promise<Answer> {
    try {
      // Checked first, because opening a pipe would block.
      const status = await stat(file);
      if (!status.isFile()) throw new Error('it is not a file');
      const { size } = status;
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

/** A registry in a git repository, whose index is generated in the cache before it is read. */
export class GitSource implements Source {
  readonly base: string;
  readonly isFolder = true;
  readonly secret = '';
  readonly #prepare: () => Promise<string>;
  #made: Promise<Source | ClientError> | undefined;

  constructor(base: string, git: GitAddress, mode: NetworkMode, signal: AbortSignal) {
    this.base = base;
    this.#prepare = async () => {
      // Most commands read no registry of this kind.
      const { GitIndex } = await import('./git-index.ts');
      return new GitIndex(base, git, mode, signal).prepare();
    };
  }

  url(path: string): string {
    return `${this.base} (${path})`;
  }

  async get(path: string, request: SourceRequest): Promise<Answer> {
    this.#made ??= this.#prepare().then(
      (folder) => new FolderSource(this.base, folder),
      (error: unknown) => {
        if (error instanceof ClientError) return error;
        throw error;
      },
    );
    const made = await this.#made;
    if (made instanceof ClientError) return { kind: 'failed', error: made, isFinal: true };
    return made.get(path, request);
  }

  async close(): Promise<void> {}
}
