import { describe, expect, it } from 'vitest';
import { isBounded, ReleasableTree } from './is-bounded.ts';

describe('isBounded()', () => {
  it.each([
    ['a: b: c', true],
    ['a: '.repeat(100), false],
    ['x = <T>(y);'.repeat(16), true],
    ['x = <T>(y);'.repeat(17), false],
    // As a fuzzer made it: each is in the one before.
    [`x = ${'<T>('.repeat(17)}`, false],
    ['', true],
  ])('%j: %j', (text, is) => {
    expect(isBounded(text)).toBe(is);
  });

  it('takes no time that grows faster than the text', () => {
    for (const part of ['a', 'a ', 'a:', '=<', '=<a', '=<a>'])
      expect(typeof isBounded(part.repeat(200_000))).toBe('boolean');
  });
});

it('makes a tree once, and again after its release', () => {
  let made = 0;
  const one = new ReleasableTree(() => ({ number: (made += 1) }));
  expect(made).toBe(0);
  expect(one.tree).toBe(one.tree);
  expect(made).toBe(1);
  one.release();
  expect(one.tree).toEqual({ number: 2 });
});

it('does not make a tree that is known', () => {
  const tree = {};
  const one = new ReleasableTree(() => {
    throw new Error('It was made');
  }, tree);
  expect(one.tree).toBe(tree);
});
