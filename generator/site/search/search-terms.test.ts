import { describe, expect, it } from 'vitest';
import { commonStart, leafOf, leavesUnder, newLeaf, nodesOf } from './search-terms.ts';

const LEAVES = ['=kind', 'a', 's ', 'sa', 'sql', 'sqlite ', 'sqlite3', 't'];
/** As above, but `sql` is divided. */
const DIVIDED = ['=kind', 'a', 's ', 'sa', 'sql ', 'sqlite ', 'sqlite3', 't'];

describe('leafOf()', () => {
  it.each([
    ['auth', 'a'],
    ['s', 's '],
    ['sqlite', 'sqlite '],
    ['sqlite3', 'sqlite3'],
    ['sqlit', undefined],
    ['su', undefined],
    ['zebra', undefined],
  ])('%s is in %s', (term, leaf) => {
    expect(leafOf(DIVIDED, term)).toBe(leaf);
  });
});

describe('newLeaf()', () => {
  it('goes only as deep as the tree does', () => {
    expect(newLeaf(DIVIDED, 'sun')).toBe('su');
    expect(newLeaf(DIVIDED, 'sqlx')).toBe('sqlx');
    expect(newLeaf(DIVIDED, 'sqli')).toBe('sqli ');
    expect(newLeaf(DIVIDED, '𠮷野')).toBe('𠮷');
    expect(newLeaf([], 'sun')).toBe('');
  });
});

describe('leavesUnder()', () => {
  it('finds the leaves with a beginning', () => {
    expect(leavesUnder(LEAVES, 'sql')).toEqual(['sql', 'sqlite ', 'sqlite3']);
    expect(leavesUnder(LEAVES, 'x')).toEqual([]);
  });
});

describe('nodesOf()', () => {
  it('finds where leaves part, without filters', () => {
    expect(nodesOf(DIVIDED)).toEqual(['s', 'sql', 'sqlite']);
    expect(nodesOf(['=a', '=b'])).toEqual([]);
  });
});

describe('commonStart()', () => {
  it('does not divide a character', () => {
    expect(commonStart('a𠮷', 'a𠮸')).toBe('a');
    expect(commonStart('sqlite', 'sql ')).toBe('sql');
  });
});
