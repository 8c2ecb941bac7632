/** How the files of a log are read through the fetcher of its registry. */
import { MAX_DOCUMENT_BYTES } from '../../../format/document/document.ts';
import { LOG_FOLDER, parseIndexPath, REGISTRY_PATH } from '../../../format/index/layout.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import type { Check, Fetcher } from '../network/fetcher.ts';
import type { checkLog } from './check-log.ts';
import { logError } from './log-error.ts';

/** How the files are read; `isFresh`: from the host itself. */
export interface LogFiles {
  readonly base: string;
  readonly read: (
    isFresh: boolean,
  ) => Pick<Parameters<typeof checkLog>[0], 'readFile' | 'readDigested'>;
  /** Reads `registry.json`. `prove` gets it before it is used or kept, and may refuse it. */
  readonly readInfo: (
    isFresh: boolean,
    prove: (
      info: RegistryInfo | undefined,
      bytes: Uint8Array | undefined,
      url: string,
    ) => Promise<void>,
  ) => Promise<RegistryInfo | undefined>;
}

export function logFiles(base: string, fetcher: Fetcher, parse: Check<RegistryInfo>): LogFiles {
  const isAwaited = true;
  return {
    base,
    read: (isFresh) => ({
      readFile: (name, maxBytes) => {
        const path = `${LOG_FOLDER}/${name}`;
        const parsed = parseIndexPath(path);
        // The checkpoint and the entry of the map change; tiles and bundles never do.
        const isLasting = parsed?.kind === 'log' && parsed.path.kind !== 'checkpoint';
        const options = { isLasting, isFresh, isAwaited };
        return fetcher.document(path, maxBytes, (bytes) => bytes, options);
      },
      readDigested: (path, sha256, maxBytes) => {
        const wrong = (_: Uint8Array, url: string): ReturnType<typeof logError> =>
          logError(`${url} has another digest than in its name`);
        return fetcher.digested({ path, sha256, maxBytes, wrong, isFresh, isAwaited });
      },
    }),
    readInfo: (isFresh, prove) => {
      return fetcher.document(REGISTRY_PATH, MAX_DOCUMENT_BYTES, parse, {
        isFresh,
        isAwaited,
        prove: (bytes, url) => prove(bytes && parse(bytes, url), bytes, url),
      });
    },
  };
}
