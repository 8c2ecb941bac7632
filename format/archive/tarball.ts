/**
 * Tarballs. A build is packed into one `.tgz`, the same bytes on every machine: the archive of `tar.ts`, and gzip by
 * fflate, because zlib's bytes differ between platforms.
 *
 * Reading accepts exactly this form and nothing else, and checks the whole archive before it returns
 * the first entry: archives come from the network and are treated as hostile.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { deflateSync } from 'fflate';
import { checkFilePaths, printable } from '../build/file-path.ts';
import { findingMessage } from '../finding/finding.ts';
import {
  TARBALL_LIMITS,
  maxTarBytes,
  packTar,
  readTar,
  refused,
  type TarballEntry,
  type TarballLimits,
} from './tar.ts';

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
  const tar = gunzip(bytes, maxTarBytes(limits));
  return readTar(tar, limits, (paths) => {
    const [problem] = checkFilePaths(paths);
    return problem && `entry "${printable(problem.file)}": ${findingMessage(problem)}`;
  });
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

// The one form of gzip in which tarballs are packed: one member with the shortest header.
//
//     1f 8b 08 00   magic number, method deflate, no flags
//     00 00 00 00   time
//     00 03         level, system
//     ...           deflate by fflate 0.8.3, level 6
//     CRC-32, length of the content, little-endian

/** The first four bytes, as a big-endian number. */
const GZIP_MAGIC = 0x1f8b0800;
const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;

const GZIP_LEVEL = 6;
const UNIX = 3;

/** Packs `bytes`: what fflate's own `gzipSync` returns, whose checksum takes a fifth of the time of packing. */
export function gzip(bytes: Uint8Array): Uint8Array {
  const body = deflateSync(bytes, { level: GZIP_LEVEL });
  const packed = new Uint8Array(GZIP_HEADER_BYTES + body.length + GZIP_TRAILER_BYTES);
  const view = new DataView(packed.buffer);
  view.setUint32(0, GZIP_MAGIC);
  view.setUint8(GZIP_HEADER_BYTES - 1, UNIX);
  packed.set(body, GZIP_HEADER_BYTES);
  const end = GZIP_HEADER_BYTES + body.length;
  view.setUint32(end, crc32(bytes), true);
  view.setUint32(end + 4, bytes.length, true);
  return packed;
}
