import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { gzip } from './gzip.ts';

const parts = fc.array(
  fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(text.repeat(99))),
  ),
);

test('gzip() returns the bytes of gzipSync() of fflate, which zlib reads', () => {
  fc.assert(
    fc.property(parts, (list) => {
      const bytes = new Uint8Array(Buffer.concat(list));
      const packed = gzip(bytes);
      expect(Buffer.from(packed)).toEqual(Buffer.from(gzipSync(bytes, { level: 6, mtime: 0 })));
      expect(gunzipSync(packed)).toEqual(Buffer.from(bytes));
    }),
  );
});

test('gzip() takes a view into a larger buffer', () => {
  const view = new Uint8Array([1, 2, 3, 4, 5, 6]).subarray(2, 5);
  expect([...gunzipSync(gzip(view))]).toEqual([3, 4, 5]);
});
