/**
 * Tarballs. A build is packed into one `.tgz`, the same bytes on every machine: the archive of `tar.ts`, and gzip by
 * fflate, because zlib's bytes differ between platforms.
 *
 * Reading accepts exactly this form and nothing else, and checks the whole archive before it returns
 * the first entry: archives come from the network and are treated as hostile.
 */
import { crc32, inflateRawSync } from 'node:zlib';
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
import { GZIP_MAGIC, GZIP_HEADER_BYTES, GZIP_TRAILER_BYTES, gzip } from './gzip.ts';

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
