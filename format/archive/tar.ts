/**
 * The one form of a tar archive of a build, on byte arrays alone, so that clients, the generator and browsers read the same:
 *
 *     package/<path>   ustar, entries sorted by path bytes, mode 0644 or 0755, owner 0, time 0;
 *                      a pax header with the single record `path` only where ustar cannot hold it
 *
 * Archives come from the network and are treated as hostile.
 */
import { MAX_FILES, MAX_TARBALL_BYTES, MAX_UNPACKED_BYTES } from '../build/build-files.ts';
import { printable } from '../build/file-path.ts';
import { FormatError } from '../errors.ts';

/** Every path of a tarball begins with this folder. */
const TARBALL_ROOT = 'package/';

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

export interface TarballEntry {
  /** Path within the build. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface TarballLimits {
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly files: number;
}

export const TARBALL_LIMITS: TarballLimits = {
  packedBytes: MAX_TARBALL_BYTES,
  unpackedBytes: MAX_UNPACKED_BYTES,
  files: MAX_FILES,
};

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** The most bytes of an archive within `limits`: contents, headers and padding. */
export function maxTarBytes({ unpackedBytes, files }: TarballLimits): number {
  return unpackedBytes + files * 4 * BLOCK;
}

/** The archive of `entries`, in any order. */
export function packTar(entries: readonly TarballEntry[]): Uint8Array {
  const sorted = entries
    .map((entry) => ({ entry, name: encoder.encode(TARBALL_ROOT + entry.path) }))
    .sort((a, b) => compareBytes(a.name, b.name));
  const parts = sorted.map(({ entry, name }) => ({ entry, name, split: splitName(name) }));
  let size = 2 * BLOCK;
  for (const { entry, name, split } of parts) {
    if (split === undefined) size += BLOCK + padded(paxRecord(name).length);
    size += BLOCK + padded(entry.bytes.length);
  }
  const tar = new Uint8Array(size);
  let offset = 0;
  for (const { entry, name, split } of parts) {
    if (split === undefined) {
      const record = paxRecord(name);
      const paxName = encoder.encode('package/pax');
      writeHeader(tar, offset, [paxName, NOTHING], record.length, 'x', 0o644);
      tar.set(record, offset + BLOCK);
      offset += BLOCK + padded(record.length);
    }
    let cut = Math.min(name.length, NAME_BYTES);
    while (((name[cut] ?? 0) & 0xc0) === 0x80) cut -= 1; // do not cut a UTF-8 character
    const fallback = [name.subarray(0, cut), NOTHING] as const;
    const mode = entry.executable ? 0o755 : 0o644;
    writeHeader(tar, offset, split ?? fallback, entry.bytes.length, '0', mode);
    tar.set(entry.bytes, offset + BLOCK);
    offset += BLOCK + padded(entry.bytes.length);
  }
  return tar;
}

/** The ustar fields `name` and `prefix`, or `undefined` when only pax can hold the path. */
function splitName(name: Uint8Array): readonly [Uint8Array, Uint8Array] | undefined {
  if (name.some((byte) => byte > 0x7e)) return undefined;
  if (name.length <= NAME_BYTES) return [name, NOTHING];
  for (let at = Math.min(PREFIX_BYTES, name.length - 2); at > 0; at -= 1) {
    if (name[at] !== 0x2f || name.length - at - 1 > NAME_BYTES) continue;
    return [name.subarray(at + 1), name.subarray(0, at)];
  }
  return undefined;
}

/** `<length> path=<name>\n`, where the length counts its own digits (POSIX.1-2017, pax). */
function paxRecord(name: Uint8Array): Uint8Array {
  const rest = name.length + ' path=\n'.length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  const record = new Uint8Array(length);
  record.set(encoder.encode(`${length} path=`));
  record.set(name, length - name.length - 1);
  record[length - 1] = 0x0a;
  return record;
}

function writeHeader(
  tar: Uint8Array,
  offset: number,
  [name, prefix]: readonly [Uint8Array, Uint8Array],
  size: number,
  type: '0' | 'x',
  mode: number,
): void {
  const octal = (value: number, width: number): string =>
    value.toString(8).padStart(width - 1, '0');
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number): void => header.set(encoder.encode(text), at);
  header.set(name);
  write(`${octal(mode, 8)}\0${octal(0, 8)}\0${octal(0, 8)}\0`, 100);
  write(`${octal(size, 12)}\0${octal(0, 12)}\0        ${type}`, 124);
  write('ustar\0' + '00', 257);
  write(`${octal(0, 8)}\0${octal(0, 8)}\0`, 329);
  header.set(prefix, 345);
  write(`${octal(checksum(header), 7)}\0 `, 148);
  tar.set(header, offset);
}

/**
 * Reads an archive that `packTar` could have written.
 * @param pathProblem what is wrong with one of the paths of an archive, if anything is
 * @returns the entries in the archive's order; their bytes are those of `data`
 * @throws {FormatError} `ERR_TARBALL`, naming the entry and what is wrong with it
 */
export function readTar(
  data: Uint8Array,
  limits: TarballLimits,
  pathProblem: (paths: readonly string[]) => string | undefined,
): TarballEntry[] {
  const entries = readEntries(data, limits);
  const problem = pathProblem(entries.map(({ path }) => path));
  if (problem !== undefined) throw refused(problem);
  // What the header fields and the order leave open could differ between readers: there is one form.
  if (compareBytes(packTar(entries), data) !== 0) throw refused('it is not in the one form');
  return entries;
}

function readEntries(data: Uint8Array, limits: TarballLimits): TarballEntry[] {
  const entries: TarballEntry[] = [];
  let total = 0;
  let paxPath: string | undefined;
  for (let offset = 0; ;) {
    if (offset + BLOCK > data.length) throw refused('it ends before its end mark: it is truncated');
    const header = data.subarray(offset, offset + BLOCK);
    offset += BLOCK;
    if (header.every((byte) => byte === 0)) {
      if (paxPath !== undefined) throw refused('a pax header has no entry');
      if (data.length - offset < BLOCK || data.subarray(offset).some((byte) => byte !== 0)) {
        throw refused('there is data behind its end mark');
      }
      if (entries.length === 0) throw refused('it is empty');
      return entries;
    }
    const { name, size, type, mode } = readHeader(header);
    const label = paxPath ?? name;
    if (size > limits.unpackedBytes || offset + padded(size) > data.length) {
      throw refused(`entry "${printable(label)}" is longer than the archive`);
    }
    const bytes = data.subarray(offset, offset + size);
    offset += padded(size);
    if (type === 'x') {
      if (paxPath !== undefined) throw refused('two pax headers follow each other');
      paxPath = readPaxPath(bytes);
      continue;
    }
    if (type !== '0') throw refused(`entry "${printable(label)}" is ${typeName(type)}, not a file`);
    if (mode !== 0o644 && mode !== 0o755) {
      throw refused(`entry "${printable(label)}" has mode ${mode.toString(8)}, not 644 or 755`);
    }
    if (!label.startsWith(TARBALL_ROOT)) {
      throw refused(`entry "${printable(label)}" is not below "${TARBALL_ROOT}"`);
    }
    total += size;
    if (entries.length === limits.files) throw refused(`it has more than ${limits.files} files`);
    if (total > limits.unpackedBytes)
      throw refused(`it unpacks to over ${limits.unpackedBytes} bytes`);
    entries.push({ path: label.slice(TARBALL_ROOT.length), bytes, executable: mode === 0o755 });
    paxPath = undefined;
  }
}

function readHeader(header: Uint8Array): {
  name: string;
  size: number;
  type: string;
  mode: number;
} {
  if (latin1(header, 257, 265) !== 'ustar\0' + '00') throw refused('a header is not ustar');
  const blanked = Uint8Array.from(header);
  blanked.fill(0x20, 148, 156);
  if (readOctal(header, 148, 8) !== checksum(blanked))
    throw refused('a header has a wrong checksum');
  const prefix = readText(header.subarray(345, 500));
  const name = readText(header.subarray(0, NAME_BYTES));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readOctal(header, 124, 12),
    type: latin1(header, 156, 157),
    mode: readOctal(header, 100, 8),
  };
}

function readOctal(header: Uint8Array, at: number, width: number): number {
  const text = latin1(header, at, at + width).replace(/[\0 ]+$/, '');
  if (!/^[0-7]{1,11}$/.test(text)) throw refused('a header has a number that is not octal');
  return Number.parseInt(text, 8);
}

function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}

function readPaxPath(bytes: Uint8Array): string {
  const space = bytes.indexOf(0x20);
  // Lengths have few digits: what is longer is not read as one.
  const isWhole = space > 0 && space < 16 && latin1(bytes, 0, space) === String(bytes.length);
  const key = latin1(bytes, space + 1, space + 6);
  if (!isWhole || key !== 'path=' || bytes.at(-1) !== 0x0a) {
    throw refused('a pax header holds something else than one path');
  }
  return decodeUtf8(bytes.subarray(space + 6, -1));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refused('a path is not UTF-8', cause);
  }
}

function typeName(type: string): string {
  const names: Record<string, string> = {
    '1': 'a hard link',
    '2': 'a symbolic link',
    '3': 'a character device',
    '4': 'a block device',
    '5': 'a folder entry',
    '6': 'a pipe',
  };
  return names[type] ?? `of type ${JSON.stringify(type)}`;
}

/** Sum of the header's bytes. The checksum field of `header` must hold spaces. */
function checksum(header: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += header[at]!;
  return sum;
}

/** The order of byte strings, as of `Buffer.compare`. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** The error of a tarball that is not read. */
export function refused(problem: string, cause?: unknown): FormatError {
  return new FormatError('ERR_TARBALL', `Cannot read tarball: ${problem}`, { cause });
}
