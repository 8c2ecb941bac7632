/**
 * The entries of a git tree object as it is stored, with their modes, each `<mode> <name>\0<oid bytes>`. Other
 * commands of git report `100644` for a stored `100600`, and `120000` for `120777`, which a checkout writes as a
 * symbolic link.
 */
import type { EntryType } from '../../scan/source.ts';

export interface TreeEntry {
  /** Octal, as stored: `40000` for a folder. */
  readonly mode: string;
  readonly name: Buffer;
  readonly oid: string;
}

/** The modes that git writes; the first is a folder. */
const TYPES: Readonly<Record<string, EntryType | 'folder'>> = {
  '40000': 'folder',
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** What an entry with the stored mode `mode` is; `other` for every mode that git never writes. */
export function entryTypeOf(mode: string): EntryType | 'folder' {
  return Object.hasOwn(TYPES, mode) ? (TYPES[mode] ?? 'other') : 'other';
}

/**
 * Parses a tree object.
 * @param oidBytes length of an object id: 20 or 32
 */
export function* treeEntries(bytes: Buffer, oidBytes: number): Generator<TreeEntry> {
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, space);
    const end = nul + 1 + oidBytes;
    yield {
      mode: bytes.toString('latin1', at, space),
      name: bytes.subarray(space + 1, nul),
      oid: bytes.toString('hex', nul + 1, end),
    };
    at = end;
  }
}
