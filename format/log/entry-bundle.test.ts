import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ENTRY_BYTES, formatBundle, parseBundle } from './entry-bundle.ts';

const entries = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 256 });

describe('entry bundles', () => {
  test('have the length of each entry before it', () => {
    const bytes = formatBundle([Uint8Array.of(97, 98, 99), new Uint8Array()]);
    expect([...bytes]).toEqual([0, 3, 97, 98, 99, 0, 0]);
  });

  test('parse and format are inverse', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(parseBundle(formatBundle(list), list.length)).toEqual(list);
      }),
    );
  });

  test('cut anywhere, they are refused', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (list, at) => {
        fc.pre(list.length > 0);
        const bytes = formatBundle(list);
        const cut = bytes.subarray(0, at % bytes.length);
        expect(() => parseBundle(cut, list.length)).toThrow('Cannot read an entry bundle');
      }),
    );
  });

  test('with another number of entries they are refused', () => {
    expect(() => parseBundle(Uint8Array.of(0, 0), 2)).toThrow('it has 1 entries, not 2');
  });

  test('too long an entry and too many entries are programming errors', () => {
    expect(() => formatBundle([new Uint8Array(MAX_ENTRY_BYTES + 1)])).toThrow(RangeError);
    expect(() => formatBundle(Array.from({ length: 257 }, () => new Uint8Array()))).toThrow(
      RangeError,
    );
  });
});
