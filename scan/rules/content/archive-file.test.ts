import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zipSync } from 'fflate';
import { MAX_ZIP_ENTRIES, zipEntries } from '../../text/zip-entries.ts';

function zip(names: readonly string[]): Uint8Array {
  return zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array([1])])));
}

describe('zipEntries()', () => {
  it('names what is in the archive', () => {
    expect(zipEntries(zip(['a.txt', 'b/ä.exe']))).toEqual([
      { name: 'a.txt', isEncrypted: false },
      { name: 'b/ä.exe', isEncrypted: false },
    ]);
  });

  it('knows entries that a password closes', () => {
    const bytes = zip(['a']);
    const at = Buffer.from(bytes).indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes[at + 8]! |= 1;
    expect(zipEntries(bytes)).toEqual([{ name: 'a', isEncrypted: true }]);
  });

  it('reads behind other bytes, and before a comment', () => {
    const bytes = zip(['a']);
    const withComment = Buffer.concat([bytes, Buffer.from('comment')]);
    expect(zipEntries(withComment)).toHaveLength(1);
    expect(zipEntries(bytes.subarray(0, bytes.length - 1))).toEqual([]);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('PK')],
    ['an end without a directory', Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])],
    ['an offset beyond the file', Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(255)])],
  ])('finds none in %s', (_, bytes) => {
    expect(zipEntries(bytes)).toEqual([]);
  });

  it('reads at most 2,000 entries', () => {
    const names = Array.from({ length: MAX_ZIP_ENTRIES + 10 }, (_, at) => `${at}`);
    expect(zipEntries(zip(names))).toHaveLength(MAX_ZIP_ENTRIES);
  });

  it('is bounded where an entry refers to itself and where all bytes are signatures', () => {
    const end = Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);
    const entry = Buffer.alloc(46);
    entry.set([0x50, 0x4b, 1, 2]);
    expect(zipEntries(Buffer.concat([...Array<Buffer>(50_000).fill(entry), end]))).toHaveLength(
      MAX_ZIP_ENTRIES,
    );
    expect(zipEntries(Buffer.alloc(5_000_000, Buffer.from([0x50, 0x4b, 5, 6])))).toEqual([]);
  });

  it('neither throws nor reads beyond the bytes, whatever they are', () => {
    const real = zip(['a.txt', 'b.exe']);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { maxLength: 10 }),
        fc.nat(real.length),
        (changes, length) => {
          const bytes = Uint8Array.from(real);
          for (const [at, value] of changes) bytes[at] = value;
          const entries = zipEntries(bytes.subarray(0, length));
          for (const { name } of entries)
            expect(Buffer.byteLength(name)).toBeLessThanOrEqual(3 * length);
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(zipEntries(bytes)).toEqual(expect.any(Array));
      }),
    );
  });
});
