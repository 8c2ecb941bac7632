/**
 * Tarballs. A build is packed into one `.tgz`, the same bytes on every machine:
 *
 *     package/<path>   ustar, entries sorted by path bytes, mode 0644 or 0755, owner 0, time 0;
 *                      a pax header with the single record `path` only where ustar cannot hold it
 *     gzip as in `gzip.ts`, by fflate: zlib's bytes differ between platforms
 *
 * Reading accepts exactly this form and nothing else, and checks the whole archive before it returns
 * the first entry: archives come from the network and are treated as hostile.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { MAX_FILES, MAX_TARBALL_BYTES, MAX_UNPACKED_BYTES } from '../build/build-files.ts';
import { FormatError } from '../errors.ts';
import { checkFilePaths, printable } from '../build/file-path.ts';
import { findingMessage } from '../finding/finding.ts';
import { GZIP_HEADER_BYTES, GZIP_MAGIC, GZIP_TRAILER_BYTES, gzip } from './gzip.ts';

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

/** Packs `entries`, in any order, into the bytes of a `.tgz`. */
export function packTarball(entries: readonly TarballEntry[]): Uint8Array {
  return gzip(packTar(entries));
}

/**
 * Reads a tarball that `packTarball` could have written.
 * @returns the entries in the archive's order
 * @throws {FormatError} `ERR_TARBALL`, naming the entry and what is wrong with it
 */
export function readTarball(
  bytes: Uint8Array,
  limits: TarballLimits = TARBALL_LIMITS,
): TarballEntry[] {
  if (bytes.length > limits.packedBytes) {
    throw refused(`it has ${bytes.length} bytes, at most ${limits.packedBytes} are read`);
  }
  const tar = gunzip(bytes, limits.unpackedBytes + limits.files * 4 * BLOCK);
  const entries = readTar(tar, limits);
  const [problem] = checkFilePaths(entries.map((e) => e.path));
  if (problem !== undefined) {
    throw refused(`entry "${printable(problem.file)}": ${findingMessage(problem)}`);
  }
  // What the header fields and the order leave open could differ between readers: there is one form.
  if (Buffer.compare(packTar(entries), tar) !== 0) throw refused('it is not in the one form');
  return entries;
}

function packTar(entries: readonly TarballEntry[]): Uint8Array {
  const sorted = entries
    .map((entry) => ({ entry, name: Buffer.from(TARBALL_ROOT + entry.path) }))
    .sort((a, b) => Buffer.compare(a.name, b.name));
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
      const paxName: [Buffer, Buffer] = [Buffer.from('package/pax'), Buffer.alloc(0)];
      writeHeader(tar, offset, paxName, record.length, 'x', 0o644);
      tar.set(record, offset + BLOCK);
      offset += BLOCK + padded(record.length);
    }
    let cut = Math.min(name.length, NAME_BYTES);
    while (((name[cut] ?? 0) & 0xc0) === 0x80) cut -= 1; // do not cut a UTF-8 character
    const fallback: [Buffer, Buffer] = [name.subarray(0, cut), Buffer.alloc(0)];
    const mode = entry.executable ? 0o755 : 0o644;
    writeHeader(tar, offset, split ?? fallback, entry.bytes.length, '0', mode);
    tar.set(entry.bytes, offset + BLOCK);
    offset += BLOCK + padded(entry.bytes.length);
  }
  return tar;
}

/** The ustar fields `name` and `prefix`, or `undefined` when only pax can hold the path. */
function splitName(name: Buffer): [Buffer, Buffer] | undefined {
  if (name.some((byte) => byte > 0x7e)) return undefined;
  if (name.length <= NAME_BYTES) return [name, Buffer.alloc(0)];
  for (let at = Math.min(PREFIX_BYTES, name.length - 2); at > 0; at -= 1) {
    if (name[at] !== 0x2f || name.length - at - 1 > NAME_BYTES) continue;
    return [name.subarray(at + 1), name.subarray(0, at)];
  }
  return undefined;
}

/** `<length> path=<name>\n`, where the length counts its own digits (POSIX.1-2017, pax). */
function paxRecord(name: Buffer): Buffer {
  const rest = name.length + ' path=\n'.length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return Buffer.concat([Buffer.from(`${length} path=`), name, Buffer.from('\n')]);
}

function writeHeader(
  tar: Uint8Array,
  offset: number,
  [name, prefix]: [Buffer, Buffer],
  size: number,
  type: '0' | 'x',
  mode: number,
): void {
  const octal = (value: number, width: number): string =>
    value.toString(8).padStart(width - 1, '0');
  const header = Buffer.alloc(BLOCK);
  name.copy(header, 0);
  header.write(`${octal(mode, 8)}\0${octal(0, 8)}\0${octal(0, 8)}\0`, 100, 'latin1');
  header.write(`${octal(size, 12)}\0${octal(0, 12)}\0        ${type}`, 124, 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  header.write(`${octal(0, 8)}\0${octal(0, 8)}\0`, 329, 'latin1');
  prefix.copy(header, 345);
  header.write(`${octal(checksum(header), 7)}\0 `, 148, 'latin1');
  tar.set(header, offset);
}

function readTar(tar: Uint8Array, limits: TarballLimits): TarballEntry[] {
  const data = Buffer.from(tar.buffer, tar.byteOffset, tar.length);
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

function readHeader(header: Buffer): { name: string; size: number; type: string; mode: number } {
  if (header.toString('latin1', 257, 265) !== 'ustar\0' + '00')
    throw refused('a header is not ustar');
  const blanked = Buffer.from(header);
  blanked.fill(0x20, 148, 156);
  if (readOctal(header, 148, 8) !== checksum(blanked))
    throw refused('a header has a wrong checksum');
  const prefix = readText(header.subarray(345, 500));
  const name = readText(header.subarray(0, NAME_BYTES));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readOctal(header, 124, 12),
    type: header.toString('latin1', 156, 157),
    mode: readOctal(header, 100, 8),
  };
}

function readOctal(header: Buffer, at: number, width: number): number {
  const text = header.toString('latin1', at, at + width).replace(/[\0 ]+$/, '');
  if (!/^[0-7]{1,11}$/.test(text)) throw refused('a header has a number that is not octal');
  return Number.parseInt(text, 8);
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}

function readPaxPath(bytes: Buffer): string {
  const space = bytes.indexOf(0x20);
  const isWhole = bytes.toString('latin1', 0, space) === String(bytes.length);
  const key = bytes.toString('latin1', space + 1, space + 6);
  if (!isWhole || key !== 'path=' || bytes.at(-1) !== 0x0a) {
    throw refused('a pax header holds something else than one path');
  }
  return decodeUtf8(bytes.subarray(space + 6, -1));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refused('a path is not UTF-8', cause);
  }
}

/** Exactly one gzip member with the shortest header and nothing after it: zlib's own `gunzip` accepts several. */
function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = packed.length - GZIP_TRAILER_BYTES;
  if (end < GZIP_HEADER_BYTES || packed.readUInt32BE(0) !== GZIP_MAGIC) {
    throw refused('it is not a whole gzip file');
  }
  const tar = inflate(packed.subarray(GZIP_HEADER_BYTES, end), maxBytes);
  if (packed.readUInt32LE(end) !== crc32(tar) || packed.readUInt32LE(end + 4) !== tar.length) {
    throw refused('it is not a whole gzip file: its checksum or length differs');
  }
  return tar;
}

function inflate(bytes: Uint8Array, maxBytes: number): Buffer {
  let result: { buffer: Buffer; engine: { bytesWritten: number } };
  try {
    const options = { maxOutputLength: maxBytes, info: true };
    // The types of Node do not declare that `info` returns the engine as well.
    result = inflateRawSync(bytes, options) as unknown as typeof result;
  } catch (cause) {
    const isBomb =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw refused(
      isBomb ? `it unpacks to over ${maxBytes} bytes` : 'it is not a whole gzip file',
      cause,
    );
  }
  if (result.engine.bytesWritten !== bytes.length) throw refused('there is data behind its end');
  return result.buffer;
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
function checksum(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += header[at]!;
  return sum;
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function refused(problem: string, cause?: unknown): FormatError {
  return new FormatError('ERR_TARBALL', `Cannot read tarball: ${problem}`, { cause });
}
