/**
 * Entry bundles, C2SP tlog-tiles "Log entries": each entry with its length before it, a big-endian uint16.
 *
 *     00 03 'a' 'b' 'c' 00 00
 */
import { FormatError } from '../errors.ts';
import { TILE_WIDTH } from './tile.ts';

/** The longest entry that a bundle can hold. */
export const MAX_ENTRY_BYTES = 0xffff;

/** Writes up to 256 entries of at most 65,535 bytes. */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length > TILE_WIDTH) throw new RangeError(`${entries.length} entries in a bundle`);
  const length = entries.reduce((sum, entry) => sum + 2 + entry.length, 0);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`An entry of ${entry.length} bytes`);
    view.setUint16(at, entry.length);
    bytes.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bytes;
}

/**
 * Reads the entries of a bundle: the inverse of `formatBundle`.
 * @param width how many entries it must hold
 * @throws {FormatError} `ERR_LOG_BUNDLE` for a bundle that is cut or has another number of entries
 */
export function parseBundle(bytes: Uint8Array, width: number): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = at + 2 <= bytes.length ? at + 2 + view.getUint16(at) : Infinity;
    if (end > bytes.length) throw refused(`entry ${entries.length} is cut`);
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  if (entries.length !== width) throw refused(`it has ${entries.length} entries, not ${width}`);
  return entries;
}

function refused(problem: string): FormatError {
  return new FormatError('ERR_LOG_BUNDLE', `Cannot read an entry bundle: ${problem}`);
}
