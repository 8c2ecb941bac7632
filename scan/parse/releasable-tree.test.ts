import { expect, it } from 'vitest';
import { ReleasableTree } from './releasable-tree.ts';

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
