/** Reads the files of an index that is published at an address or in a folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import { urlPath } from '../../format/index/layout.ts';
import { MAX_NOTE_BYTES } from '../../format/log/note.ts';
import { TILE_WIDTH } from '../../format/log/tile.ts';
import { MAX_ENTRY_BYTES } from '../../format/log/entry-bundle.ts';
import { GeneratorError } from '../errors.ts';

/** Reads a file of a published index; `undefined` where there is none. */
export type ReadPublished = (path: string) => Promise<Uint8Array | undefined>;

const TIMEOUT_MS = 30_000;
/** No file that is read is larger. */
const MAX_BYTES = Math.max(MAX_NOTE_BYTES, MAX_TARBALL_BYTES, TILE_WIDTH * (MAX_ENTRY_BYTES + 2));

/** @param place an address with `http:` or `https:`, or a folder */
export function readPublished(place: string): ReadPublished {
  return /^https?:\/\//.test(place) ? readFromAddress(place) : readFromFolder(place);
}

/** Reads from the folder of an index. */
export function readFromFolder(folder: string): ReadPublished {
  return (path) => {
    const file = join(folder, path);
    return Promise.resolve(existsSync(file) ? readFileSync(file) : undefined);
  };
}

function readFromAddress(address: string): ReadPublished {
  return async (path) => {
    const url = `${address.replace(/\/+$/, '')}/${urlPath(path)}`;
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'cache-control': 'no-cache' },
      });
      if (response.status === 404 || response.status === 410) return undefined;
      if (!response.ok) throw new Error(`the server answers ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (bytes.length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return bytes;
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new GeneratorError('ERR_LOG_PUBLISHED', `Cannot read ${url}: ${problem}`, {
        cause,
        hint: 'nothing was written; run again when the address can be reached',
      });
    }
  };
}
