/** The resolver on registries of the size at which searches without learning never end. */
import { describe, expect, test } from 'vitest';
import { headsOf, resolveFamily, unmet } from './resolve-family.ts';
import type { Family } from './universe-families.ts';
import {
  chain,
  diamonds,
  manyVersions,
  pigeonhole,
  randomUniverse,
  sharedCore,
} from './universe-families.ts';

function solved(family: Family): ReadonlyMap<string, { readonly version: string }> {
  const { resolution } = resolveFamily(family, headsOf(family));
  if (resolution.kind !== 'solved') throw new Error(`${family.name}: ${resolution.message}`);
  expect(unmet(family, resolution.versions)).toEqual([]);
  return resolution.versions;
}

test.each([
  [4, 8],
  [5, 8],
  [6, 8],
  [20, 20],
  [50, 50],
])('%i builds that share a core of %i majors', (count, majors) => {
  const versions = solved(sharedCore(count, majors));
  expect([...versions.values()].map(({ version }) => version)).toEqual(
    Array.from({ length: count + 1 }, () => '1.0.0'),
  );
});

describe('random universes are decided', () => {
  test.each([
    [20, 10],
    [50, 50],
  ])('%i builds of %i versions, 100 seeds', (count, majors) => {
    const found = { solved: 0, refuted: 0 };
    for (let seed = 0; seed < 100; seed += 1) {
      const family = randomUniverse(count, majors, seed);
      const { resolution } = resolveFamily(family, headsOf(family));
      if (resolution.kind === 'solved') {
        expect(unmet(family, resolution.versions)).toEqual([]);
        found.solved += 1;
      } else {
        expect(resolution.code).not.toBe('ERR_RESOLVE_LIMIT');
        found.refuted += 1;
      }
    }
    expect(found.solved + found.refuted).toBe(100);
    expect(found.solved).toBeGreaterThan(50);
  });
});

test.each([5, 6, 7, 8, 9])('a pigeonhole of %i is refuted, with a derivation', (count) => {
  const family = pigeonhole(count);
  const { resolution } = resolveFamily(family, headsOf(family));
  expect(resolution).toMatchObject({ kind: 'conflict', code: 'ERR_RESOLVE' });
  if (resolution.kind !== 'conflict') return;
  const { tree, lines } = resolution.explanation!;
  expect(tree.text).toBe('the request cannot be met');
  expect(lines.length).toBeGreaterThan(3);
  expect(JSON.stringify(tree).length).toBeLessThan(10_000_000);
});

test.each([1000, 5000])('a chain of %i asks for each head once', (count) => {
  const family = chain(count);
  const { resolution, rounds, steps } = resolveFamily(family, headsOf(family));
  expect(resolution.kind === 'solved' && resolution.versions.size).toBe(count);
  expect(rounds).toBe(count);
  // The search goes on where it was: no step is taken twice.
  expect(steps).toBeLessThan(5 * count);
});

test('1,000 diamonds', () => {
  const versions = solved(diamonds(1000));
  expect(versions.size).toBe(3001);
  expect(versions.get('top1000')?.version).toBe('1.1.0');
});

test('100,000 versions in one head', () => {
  expect(solved(manyVersions(100_000)).get('wide')?.version).toBe('1.9.0');
});

test('at the bound, the builds on which it hangs and what was concluded so far', () => {
  const family = pigeonhole(9);
  const { resolution } = resolveFamily(family, headsOf(family), 20_000);
  expect(resolution).toMatchObject({ kind: 'conflict', code: 'ERR_RESOLVE_LIMIT' });
  if (resolution.kind !== 'conflict') return;
  expect(resolution.message).toMatch(/gave up after 2\d{4} steps: .*"bird\d"/);
  expect(resolution.explanation!.lines.at(-1)).toMatch(/bird\d/);
  // The bound counts work: it is the same on every machine.
  expect(resolveFamily(family, headsOf(family), 20_000).resolution).toEqual(resolution);
});
