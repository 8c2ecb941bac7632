import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendLeaves } from '../../format/log/append.ts';
import { tilePath } from '../../format/log/tile.ts';
import { runs } from '../../tests/run/runs.ts';
import { continuesLog } from './continues-log.ts';

const leaf = (at: number): Uint8Array => new Uint8Array(32).fill(at % 251);

function logOf(leaves: readonly Uint8Array[]) {
  const { root, tiles, size } = appendLeaves(0, () => new Uint8Array(), leaves);
  const files = new Map(tiles.map(({ tile, bytes }) => [tilePath(tile), bytes]));
  return { root, size, read: (path: string) => files.get(path) };
}

test('continuesLog() holds for each beginning of a log, and for no other log', () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 600 }));
  fc.assert(
    fc.property(sizes, fc.nat(), ([size, more], changed) => {
      const leaves = Array.from({ length: size + more }, (_, at) => leaf(at));
      const [before, now] = [logOf(leaves.slice(0, size)), logOf(leaves)];
      expect(continuesLog(before, now.size, now.read)).toBe(true);
      const other = logOf(leaves.with(changed % size, new Uint8Array(32).fill(255)));
      expect(continuesLog(before, other.size, other.read)).toBe(false);
      expect(continuesLog(before, now.size, () => undefined)).toBe(false);
    }),
    { numRuns: runs(40) },
  );
});
