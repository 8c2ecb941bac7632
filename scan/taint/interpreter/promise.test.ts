import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../tests/taint/interpret-code.ts';
import { FETCHED } from '../label.ts';

describe('callPromise()', () => {
  it('has the value that the executor resolves', () => {
    expect(valueOf("new Promise((resolve) => resolve('a'))").texts).toEqual(['a']);
    expect(valueOf("new Promise((_, reject) => reject('a'))").texts).toEqual(['a']);
  });

  it('has the value that a callback resolves', () => {
    const text = "new Promise((ok) => require('https').get('http://a.io', (r) => ok(r)))";
    expect(valueOf(text).labels).toBe(FETCHED);
  });

  it('keeps the promises of two places apart', () => {
    const before = "const a = new Promise((ok) => ok('a')); const b = new Promise((ok) => ok('b'))";
    expect(valueOf('b', before).texts).toEqual(['b']);
  });

  it('is empty without an executor', () => {
    expect(valueOf('new Promise()').texts).toEqual([]);
  });
});
