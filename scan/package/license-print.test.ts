import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPrint, licensePrint, likeness, parsePrint } from './license-print.ts';
import { knownPrint, nearestLicense } from './license-text.ts';
import table from './license-prints.json' with { type: 'json' };

const MIT = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8');

describe('licensePrint(), likeness()', () => {
  const print = licensePrint(MIT);

  it.each([
    ['the same text', MIT],
    ['another holder', MIT.replace(/^Copyright.*$/m, 'Copyright (c) 1999 Another Holder')],
    ['other lines and case', MIT.replaceAll('\n', ' ').toUpperCase()],
    ['comment marks', MIT.replaceAll(/^/gm, ' * ')],
    ['British spelling', MIT.replaceAll('icense', 'icence')],
  ])('knows %s', (_, text) => {
    expect(likeness(print, licensePrint(text))).toBeGreaterThan(0.9);
  });

  it.each([
    ['nothing', ''],
    ['two words', 'MIT License'],
    [
      'other text',
      'All rights are reserved and nobody may use this for anything at all. '.repeat(9),
    ],
  ])('is not like %s', (_, text) => {
    expect(likeness(print, licensePrint(text))).toBeLessThan(0.1);
  });

  it('is that of the licence in the table', () => {
    const prints = Object.entries(table.prints).map(
      ([id, one]) => [id, likeness(print, parsePrint(one))] as const,
    );
    expect(prints.toSorted((a, b) => b[1] - a[1])[0]?.[0]).toBe('MIT');
  });

  it('is bounded on long text and one long line', () => {
    expect(licensePrint('word '.repeat(200_000))).toHaveLength(128);
    expect(licensePrint(`${'<'.repeat(100_000)}${'a'.repeat(100_000)}`)).toHaveLength(128);
  });
});

describe('formatPrint(), parsePrint()', () => {
  it('are inverse', () => {
    fc.assert(
      fc.property(fc.uint16Array({ minLength: 128, maxLength: 128 }), (print) => {
        expect(parsePrint(formatPrint(print))).toEqual(print);
      }),
    );
  });
});

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

describe('nearestLicense()', () => {
  it('finds the licence that a text is most like', () => {
    const print = licensePrint(ISC);
    const nearest = nearestLicense(print);
    expect(nearest.id).toMatch(/^ISC/);
    expect(nearest.like).toBe(likeness(print, knownPrint(nearest.id)!));
  });
});
