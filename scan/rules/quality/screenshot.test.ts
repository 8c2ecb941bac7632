import { describe, expect, it } from 'vitest';
import { deflateSync } from 'node:zlib';
import { readScreenshot } from './screenshot.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // Nothing here reads the sum behind a chunk.
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const data = chunk('IDAT', deflateSync(Buffer.alloc(100)));
  const mark = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([mark, chunk('IHDR', head), ...more, data, chunk('IEND', Buffer.alloc(0))]);
}

function webp(type: string, payload: string): Buffer {
  const data = Buffer.concat([Buffer.from(payload, 'hex'), Buffer.alloc(20)]);
  const head = Buffer.from(`RIFF____WEBP${type}____`);
  head.writeUInt32LE(head.length + data.length - 8, 4);
  return Buffer.concat([head, data]);
}

describe('readScreenshot()', () => {
  it.each([
    ['PNG', 'screenshot.png', png(1280, 800)],
    ['lossy WebP', 'screenshot.webp', webp('VP8 ', '0000009d012a00052003')],
    ['lossless WebP', 'screenshot.webp', webp('VP8L', '2fffc4c70000')],
    ['extended WebP', 'screenshot.webp', webp('VP8X', '00000000ff04001f0300')],
  ])('has the size of %s', (_, path, bytes) => {
    expect(readScreenshot(path, bytes)).toEqual({ width: 1280, height: 800 });
  });

  it.each([
    ['too many pixels', 'screenshot.png', png(60_000, 60_000), /60000 x 60000 pixels/],
    ['too few', 'screenshot.png', png(1280, 0), /1280 x 0 pixels/],
    [
      'too many bytes',
      'screenshot.png',
      Buffer.concat([png(640, 480), Buffer.alloc(400_000)]),
      /bytes/,
    ],
    ['a part of it', 'screenshot.png', png(640, 480).subarray(0, 60), /no whole picture/],
    ['a header alone', 'screenshot.webp', webp('VP8 ', '00').subarray(0, 21), /no whole picture/],
    ['an animation', 'screenshot.png', png(640, 480, chunk('acTL', Buffer.alloc(8))), /moves/],
    ['an animation in WebP', 'screenshot.webp', webp('VP8X', '02000000ff04001f0300'), /moves/],
    ['another type', 'screenshot.png', webp('VP8L', '2fffc4c70000'), /another type/],
    ['a page', 'screenshot.png', Buffer.from('<html><script>alert(1)</script>'), /another type/],
    ['nothing', 'screenshot.png', Buffer.alloc(0), /another type/],
  ])('refuses %s', (_, path, bytes, why) => {
    expect(readScreenshot(path, bytes)).toMatch(why);
  });
});
