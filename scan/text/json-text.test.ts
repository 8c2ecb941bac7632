import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findString, isObject, readJsonObject, stringEntries } from './json-text.ts';

describe('readJsonObject()', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['{ // comment\n "a": [1,], }', { a: [1] }],
    ['{}', {}],
    ['{"a":', {}],
    ['{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%j', (text, value) => {
    expect(readJsonObject(text)).toEqual(value);
  });

  it.each([undefined, '', '[]', '"a"', 'null', '1'])('%j is no object', (text) => {
    expect(readJsonObject(text)).toBeUndefined();
  });

  it('reads JSON of any size and depth', () => {
    expect(readJsonObject(`{"a":"${'x'.repeat(2_000_000)}"}`)).toBeDefined();
    expect(readJsonObject(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)).toBeDefined();
  });

  it('does not read JSON with comments that is too large or too deep', () => {
    expect(readJsonObject(`{"a":"${'x'.repeat(2_000_000)}",}`)).toBeUndefined();
    expect(readJsonObject('{"a":'.repeat(201))).toBeUndefined();
    expect(readJsonObject('['.repeat(1_000_000))).toBeUndefined();
    expect(readJsonObject(`${'{"a":'.repeat(199)}1,${'}'.repeat(199)}`)).toBeDefined();
  });

  it('is the inverse of writing JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
        const text = JSON.stringify(value);
        expect(readJsonObject(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('isObject()', () => {
  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['a', false],
    [undefined, false],
  ])('%j: %j', (value, is) => {
    expect(isObject(value)).toBe(is);
  });
});

describe('stringEntries()', () => {
  it.each([
    [
      { a: 'x', b: 1, c: 'y' },
      [
        ['a', 'x'],
        ['c', 'y'],
      ],
    ],
    [['x'], []],
    [null, []],
  ])('%j: %j', (value, entries) => {
    expect(stringEntries(value)).toEqual(entries);
  });
});

describe('findString()', () => {
  it.each([
    ['{"a":"x","b":"x"}', 'b', 'x', 14],
    ['{"b":"a\\"c"}', 'b', 'a"c', 6],
    ['{"b":"\\u0061"}', 'b', 'a', 1],
    ['{}', 'b', 'a', 0],
  ])('%s: %s', (text, key, value, place) => {
    expect(findString(text, key, value)).toBe(place);
  });
});
