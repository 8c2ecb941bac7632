/** The entry that a version must have in the log, made from the head that lists it. */
import { FormatError } from '../../../format/errors.ts';
import type { Head } from '../../../format/index/head.ts';
import { formatLogEntry, parseLogEntry } from '../../../format/log/entry.ts';

/** `undefined` for a version that the head does not place in the log, or whose entry cannot be one. */
export function publishEntry(
  { id, versions }: Head,
  version: string,
): { readonly index: number; readonly bytes: Uint8Array } | undefined {
  const found = versions.find((one) => one.version === version);
  if (found?.log === undefined) return undefined;
  const { index, commit, tree } = found.log;
  const { integrity, published_at } = found;
  const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
  try {
    const bytes = formatLogEntry(entry);
    parseLogEntry(bytes);
    return { index, bytes };
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
