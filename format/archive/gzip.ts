/**
 * The one form of gzip in which tarballs are packed: one member with the shortest header.
 *
 *     1f 8b 08 00   magic number, method deflate, no flags
 *     00 00 00 00   time
 *     00 03         level, system
 *     ...           deflate by fflate 0.8.3, level 6
 *     CRC-32, length of the content, little-endian
 */
import { crc32 } from 'node:zlib';
import { deflateSync } from 'fflate';

/** The first four bytes, as a big-endian number. */
export const GZIP_MAGIC = 0x1f8b0800;
export const GZIP_HEADER_BYTES = 10;
export const GZIP_TRAILER_BYTES = 8;

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
