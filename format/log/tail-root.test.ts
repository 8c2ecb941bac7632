import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definedRoot, madeLeaves, subtreesOf } from './made-tree.ts';
import { rootWithTail } from './tail-root.ts';

const LEAVES = madeLeaves(600);

test('rootWithTail() is the root of the tree, and another one with another leaf', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(), (size, cut) => {
      const from = cut % size;
      const leaves = LEAVES.slice(0, size);
      // Hashes of the tail are not available from the tree.
      const subtree = subtreesOf(leaves.slice(0, from));
      const root = definedRoot(leaves);
      expect(rootWithTail(size, leaves.slice(from), subtree)).toEqual(root);
      const altered = leaves.slice(from).with(-1, LEAVES[(size + 1) % 600]!);
      fc.pre(altered.at(-1) !== leaves.at(-1));
      expect(rootWithTail(size, altered, subtree)).not.toEqual(root);
    }),
  );
});
