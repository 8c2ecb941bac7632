/** Reads files of a registry that have their digest for a name. */
import type { Fetcher } from '../network/fetcher.ts';
import { logError, missingFile } from './log-error.ts';

/** @throws {ClientError} `ERR_LOG` for one that is missing or altered, `ERR_NETWORK` */
export async function readNamed(
  fetcher: Fetcher,
  wanted: Omit<Parameters<Fetcher['digested']>[0], 'wrong'>,
): Promise<Uint8Array> {
  const wrong = (_: Uint8Array, url: string): ReturnType<typeof logError> =>
    logError(`${url} has another digest than in its name`);
  const bytes = await fetcher.digested({ ...wanted, wrong });
  if (bytes === undefined) throw missingFile(fetcher.url(wanted.path));
  return bytes;
}
