/** The derivation of a failure, as sentences and as a tree. */
import { describe, expect, test } from 'vitest';
import { solve, universe, type Extra } from '../../tests/client/universe.ts';
import type { Conflict } from './conflict.ts';
import type { Derivation, Explanation } from './build-table.ts';

type Listed = Parameters<typeof universe>[0];

function failure(listed: Listed, requests: readonly string[], extra?: Extra): Conflict {
  const resolution = solve(
    universe(listed),
    requests.map((request) => `x/${request}`),
    extra,
  );
  if (resolution.kind !== 'conflict') throw new Error('It fits');
  return resolution;
}

function explanation(...args: Parameters<typeof failure>): Explanation {
  return failure(...args).explanation!;
}

test('a clash of two requirements is one sentence', () => {
  const listed = { 'a 1.0.0': { c: '^1.0.0' }, 'c 1.0.0': {}, 'c 2.0.0': {} };
  const { lines, isBranching } = explanation(listed, ['a', 'c@^2.0.0']);
  expect(isBranching).toBe(false);
  expect(lines).toEqual([
    'Because you asked for "x/a" and "x/c" ^2.0.0, and "x/a" 1.0.0 needs "x/c" ^1.0.0, the request cannot be met.',
  ]);
});

describe('of a build whose versions fail for different reasons', () => {
  const listed: Listed = {
    'app 1.0.0': { core: '^2.0.0' },
    'app 2.0.0': { builds: { 'x/gone': '*' } },
    'app 3.0.0': { requires: { react: '^19.0.0' } },
    'app 4.0.0': { core: '^9.0.0' },
    'app 5.0.0': { old: '*' },
    'core 1.0.0': {},
    'core 2.0.0': {},
    'old 1.0.0': { yanked: 'leaks' },
  };

  test('every reason appears once', () => {
    const { lines, isBranching } = explanation(listed, ['app', 'core@^1.0.0']);
    expect(isBranching).toBe(true);
    const text = lines.join('\n');
    for (const reason of [
      '"x/app" 1.0.0 needs "x/core" ^2.0.0',
      '"x/app" 2.0.0 needs "x/gone" *, and the registry has no such build',
      '"x/app" 3.0.0 needs react ^19.0.0 (the project has none)',
      '"x/app" 4.0.0 needs "x/core" ^9.0.0, but "x/core" has no version that fits ^9.0.0',
      '"x/app" 5.0.0 needs "x/old" *, but every version of "x/old" that fits * is yanked: 1.0.0 because "leaks"',
    ]) {
      expect(text.split(reason)).toHaveLength(2);
    }
    expect(lines.at(-1)).toContain('the request cannot be met.');
  });

  test('the message is about the highest version', () => {
    expect(failure(listed, ['app@<5.0.0', 'core@^1.0.0'])).toMatchObject({
      message: '"x/app" 4.0.0 needs "x/core" ^9.0.0, but "x/core" has no version that fits ^9.0.0',
    });
    expect(failure(listed, ['app@<2.0.0', 'core@^1.0.0'])).toMatchObject({
      message: '"x/app" 1.0.0 needs "x/core" ^2.0.0, but you asked for "x/core" ^1.0.0',
    });
  });
});

test('versions that fail for the same reason are named together', () => {
  const listed: Record<string, Record<string, string>> = { 'b 1.0.0': {} };
  for (let n = 0; n < 9; n += 1) listed[`a 1.${n}.0`] = { b: '^2.0.0' };
  expect(explanation(listed, ['a@>=1.4.0']).lines).toEqual([
    'Because you asked for "x/a" >=1.4.0, and any "x/a" needs "x/b" ^2.0.0, but "x/b" has no version that fits ^2.0.0, the request cannot be met.',
  ]);
});

test('installed builds appear', () => {
  const listed: Listed = {
    'a 1.0.0': { b: '^2.0.0' },
    'a 2.0.0': { c: '^1.0.0' },
    'b 1.0.0': {},
    'b 2.0.0': {},
    'c 1.0.0': {},
    'c 2.0.0': {},
  };
  const locked = {
    'x/b': { version: '1.0.0' },
    'x/d': { version: '1.0.0', builds: { 'x/c': '^2.0.0' } },
  };
  const text = explanation(listed, ['a'], { locked }).lines.join('\n');
  expect(text).toContain('"x/a" 1.0.0 needs "x/b" ^2.0.0, but "x/b" 1.0.0 is installed');
  expect(text).toContain('"x/d" 1.0.0, which is installed, needs "x/c" ^2.0.0');
});

/** Four birds in three holes: a derivation whose conclusions are used several times. */
function birds(): Listed {
  const listed: Record<string, Record<string, string>> = {};
  for (let hole = 1; hole < 4; hole += 1) {
    for (let bird = 1; bird <= 4; bird += 1) {
      listed[`hole${hole} ${bird}.0.0`] = {};
      listed[`bird${bird} ${hole}.0.0`] = { [`hole${hole}`]: `^${bird}.0.0` };
    }
  }
  return listed;
}

test('a conclusion that is used twice is derived once, and has a number', () => {
  const { lines, tree } = explanation(birds(), ['bird1', 'bird2', 'bird3', 'bird4']);
  expect(new Set(lines).size).toBe(lines.length);
  const numbered = lines.filter((line) => /^\(\d+\)/.test(line));
  expect(numbered.length).toBeGreaterThan(0);
  for (const [at, line] of numbered.entries()) {
    expect(line.startsWith(`(${at + 1}) `)).toBe(true);
    // It is referred to after it was derived.
    const uses = lines.flatMap((other, index) => (other.includes(` (${at + 1})`) ? [index] : []));
    expect(uses.length).toBeGreaterThan(0);
    expect(Math.min(...uses)).toBeGreaterThan(lines.indexOf(line));
  }
  const defined: number[] = [];
  const used: number[] = [];
  const visit = ({ line, see, because = [] }: Derivation): void => {
    if (line !== undefined) defined.push(line);
    if (see !== undefined) used.push(see);
    for (const one of because) visit(one);
  };
  visit(tree);
  expect(new Set(defined).size).toBe(defined.length);
  for (const line of used) expect(defined).toContain(line);
});

test('the same failure has the same text each time', () => {
  const requests = ['bird1', 'bird2', 'bird3', 'bird4'];
  expect(explanation(birds(), requests)).toEqual(explanation(birds(), requests));
});
