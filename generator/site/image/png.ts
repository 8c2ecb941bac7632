/** PNG with up to 16 colours, four bits for each pixel (PNG, third edition, 11.2). */
import { crc32 } from 'node:zlib';
import { deflateRows } from './deflate-rows.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Rows of pixels in colour 0, each after the byte of its filter, which is none. @param width even */
export function emptyRows(width: number, height: number): Uint8Array {
  return new Uint8Array((width / 2 + 1) * height);
}

/** Gives the pixel `x`, `y` the colour `colour` if that is a higher one than it has. */
export function brighten(
  rows: Uint8Array,
  width: number,
  x: number,
  y: number,
  colour: number,
): void {
  const at = (width / 2 + 1) * y + 1 + (x >> 1);
  const shift = x % 2 === 0 ? 4 : 0;
  const old = rows[at]!;
  if (((old >> shift) & 15) < colour) rows[at] = (old & (240 >> shift)) | (colour << shift);
}

/** The file. @param colours red, green, blue of each colour */
export function encodePng(
  rows: Uint8Array,
  colours: readonly (readonly number[])[],
  width: number,
): Uint8Array {
  const stride = width / 2 + 1;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length / stride, 4);
  header.set([4, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateRows(rows, stride)),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), data.length + 8);
  return bytes;
}
