import { expect, test } from 'vitest';
import { moveProblem, predecessors } from './moves.ts';
import type { OwnerFiles } from './moves.ts';
import type { OwnerFile } from './owner-file.ts';

const since = '2026-11-22';

function files(all: Readonly<Record<string, OwnerFile>>, missing = ''): OwnerFiles {
  return { ownerFile: (owner) => all[owner] ?? {}, hasBuild: (id) => id !== missing };
}

const ACCEPTED = {
  a: { moved: { x: { to: 'b/y', since } } },
  b: { accepts: { y: 'a/x' } },
};

test('moveProblem() wants both sides and a published build', () => {
  expect(moveProblem('a/x', files(ACCEPTED))).toBeUndefined();
  expect(moveProblem('b/y', files(ACCEPTED))).toBeUndefined();
  expect(moveProblem('a/x', files(ACCEPTED, 'b/y'))).toBe('unpublished');
  expect(moveProblem('a/x', files({ a: ACCEPTED.a }))).toBe('unaccepted');
  expect(moveProblem('a/x', files({ ...ACCEPTED, b: { accepts: { y: 'a/z' } } }))).toBe(
    'unaccepted',
  );
  expect(moveProblem('a/constructor', files(ACCEPTED))).toBeUndefined();
});

test('moveProblem() finds cycles of any length, and a way that is too long', () => {
  const itself = { a: { moved: { x: { to: 'a/x', since } }, accepts: { x: 'a/x' } } };
  expect(moveProblem('a/x', files(itself))).toBe('cycle');
  const back = {
    a: { ...ACCEPTED.a, accepts: { x: 'b/y' } },
    b: { ...ACCEPTED.b, moved: { y: { to: 'a/x', since } } },
  };
  expect([moveProblem('a/x', files(back)), moveProblem('b/y', files(back))]).toEqual([
    'cycle',
    'cycle',
  ]);
  // A build that leads into a cycle of others.
  const into = { ...back, c: { moved: { z: { to: 'a/x', since } } } };
  expect(moveProblem('c/z', files({ ...into, a: { ...back.a, accepts: { x: 'c/z' } } }))).toBe(
    'cycle',
  );
  const way = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `o${at}`,
      { moved: { x: { to: `o${at + 1}/x`, since } }, accepts: { x: `o${at - 1}/x` } },
    ]),
  );
  expect(moveProblem('o0/x', files(way))).toBe('cycle');
  expect(moveProblem('o12/x', files(way))).toBeUndefined();
});

test('predecessors() follows what was accepted, and ends in a cycle', () => {
  const chain = { ...ACCEPTED, c: { accepts: { z: 'b/y' } } };
  expect(predecessors('c/z', files(chain))).toEqual(['b/y', 'a/x']);
  expect(predecessors('b/y', files({ b: { accepts: { y: 'b/y' } } }))).toEqual([]);
  expect(predecessors('a/x', files({ a: { accepts: { x: 'a/y', y: 'a/x' } } }))).toEqual(['a/y']);
});
