import { describe, expect, it } from 'vitest';
import { bare, boundNames, fieldOf, readTree, statementsOf, stringOf } from './tree.ts';

const first = (text: string) => statementsOf(readTree('a.ts', text)!.program)[0];

describe('boundNames()', () => {
  it.each([
    ["import a, { b as c } from 'x';", ['a', 'c']],
    ['const { a, b: [c = 1], ...d } = x;', ['a', 'c', 'd']],
    ['export class A {}', ['A']],
    ['export default function f() {}', ['f']],
    ['a();', []],
  ])('%s', (text, names) => {
    expect(boundNames(first(text))).toEqual(names);
  });
});

describe('stringOf(), bare()', () => {
  it.each([
    ["'a';", 'a'],
    ['`a`;', 'a'],
    ['`a${b}`;', undefined],
    ["('a' as string)!;", 'a'],
  ])('%s', (text, value) => {
    expect(stringOf(bare(fieldOf(first(text), 'expression')))).toBe(value);
  });
});

describe('readTree()', () => {
  it('is undefined for what cannot be read, however deep it is', () => {
    expect(readTree('a.ts', '(')).toBeUndefined();
    expect(readTree('a.ts', `${'('.repeat(100_000)}`)).toBeUndefined();
  });
});
