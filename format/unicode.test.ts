import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { UNICODE_VERSION } from './unicode-tables.ts';
import { characterClass, lowerCase, normalize, upperCase } from './unicode.ts';
import { CLASSES } from './unicode-tables.ts';

const FORMS: readonly Parameters<typeof normalize>[1][] = ['NFC', 'NFD', 'NFKC', 'NFKD'];
const ALL = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));

/** Letters of several scripts, their marks in any order, Hangul letters and syllables, and what has no partner. */
const TEXT = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('aAéßİıΣσςſKÅ\u1E9E\u1FB3\u0958\u2126ﬁ①ｶﾞ가각\u{1D15E}\ud800')),
    fc.constantFrom('\u0301', '\u0308', '\u0323', '\u0334', '\u0344', '\u0345', '\u093C'),
    fc.constantFrom('\u1100', '\u1161', '\u11A8', '\u11A7', '\u3099', "'", '.'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

// The engine of the tests has the same version of Unicode: package-lock.json names both.
describe(`as the engine with Unicode ${UNICODE_VERSION}`, () => {
  it('is the one that runs the tests', () => {
    // oxlint-disable-next-line no-restricted-globals
    expect(process.versions['unicode']).toBe(UNICODE_VERSION);
  });

  test.each(FORMS)('normalize() makes %s of every character', (form) => {
    expect(ALL.filter((one) => normalize(one, form) !== one.normalize(form))).toEqual([]);
  });

  test('lowerCase() and upperCase() change every character', () => {
    expect(ALL.filter((one) => lowerCase(one) !== one.toLowerCase())).toEqual([]);
    expect(ALL.filter((one) => upperCase(one) !== one.toUpperCase())).toEqual([]);
  });

  test.each(Object.keys(CLASSES) as (keyof typeof CLASSES)[])('characterClass(%s)', (property) => {
    const own = new RegExp(`[${characterClass(property)}]`, 'u');
    const wanted = new RegExp(`\\p{${property}}`, 'u');
    expect(ALL.filter((one) => own.test(one) !== wanted.test(one))).toEqual([]);
  });

  test('any text', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        for (const form of FORMS) expect(normalize(text, form)).toBe(text.normalize(form));
        expect(lowerCase(text)).toBe(text.toLowerCase());
        expect(upperCase(text)).toBe(text.toUpperCase());
      }),
      { numRuns: 5000 },
    );
  });
});

test('characterClass() joins properties', () => {
  const word = new RegExp(`^[${characterClass('L', 'Nd')}]+$`, 'u');
  expect(['aé漢7', 'a b', '-'].map((text) => word.test(text))).toEqual([true, false, false]);
});

test('a character that a newer Unicode may assign is unassigned', () => {
  const unassigned = new RegExp(`[${characterClass('C')}]`, 'u');
  expect(unassigned.test('\u{1DBFF}')).toBe(true);
  expect(upperCase('\uA7CF')).toBe('\uA7CE');
});

test('long runs of marks and of final sigmas are bounded', () => {
  const marks = `a${'\u0301\u0323'.repeat(50_000)}`;
  const sorted = `\u1EA1${'\u0323'.repeat(49_999)}${'\u0301'.repeat(50_000)}`;
  expect(normalize(marks, 'NFC') === sorted).toBe(true);
  const sigmas = `${"Σ'".repeat(50_000)}${"'".repeat(50_000)}`;
  expect(lowerCase(sigmas) === sigmas.toLowerCase()).toBe(true);
});
