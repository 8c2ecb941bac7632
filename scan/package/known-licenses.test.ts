import { describe, expect, it } from 'vitest';
import { knownPrint, readLicenseText } from './known-licenses.ts';
import { licensePrint, likeness } from './license-print.ts';

const ISC =
  'Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies. THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS.';

describe('knownPrint()', () => {
  it('returns the same parsed print each time', () => {
    expect(knownPrint('MIT')).toHaveLength(128);
    expect(knownPrint('MIT')).toBe(knownPrint('MIT'));
  });

  it.each(['', 'No-Such-License', 'constructor', '__proto__'])('does not know %j', (id) => {
    expect(knownPrint(id)).toBeUndefined();
  });
});

describe('readLicenseText()', () => {
  it('finds the licence that a text is most like', () => {
    const { nearest, print } = readLicenseText(ISC);
    expect(nearest.id).toMatch(/^ISC/);
    expect(nearest.like).toBe(likeness(print, knownPrint(nearest.id)!));
  });

  it('caches a text, and evicts the least recently used one', () => {
    const first = readLicenseText('one two three four');
    for (let n = 0; n < 63; n += 1) readLicenseText(`text number ${n} of many`);
    expect(readLicenseText('one two three four')).toBe(first);
    for (let n = 0; n < 64; n += 1) readLicenseText(`another text ${n} of many`);
    const again = readLicenseText('one two three four');
    expect(again).not.toBe(first);
    expect(again.print).toEqual(licensePrint('one two three four'));
  });
});
