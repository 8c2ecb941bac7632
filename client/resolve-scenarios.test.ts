/**
 * The scenarios that resolvers are known by: those of the PubGrub description, of Bundler's and pip's
 * suites and of npm's rules on prereleases, in our words.
 */
import { describe, expect, test } from 'vitest';
import type { Extra, Facts, Universe } from '../tests/client/universe.ts';
import { chosen, solve } from '../tests/client/universe.ts';
import { parseAge } from './version-age.ts';

/** `name version` to what it needs, such as `{ 'a 1.0.0': { b: '^1.0.0' } }`; ids get owner `x`. */
function universe(listed: Readonly<Record<string, Record<string, string> | Facts>>): Universe {
  const made: Record<string, Record<string, Facts>> = {};
  for (const [key, value] of Object.entries(listed)) {
    const [name = '', version = ''] = key.split(' ');
    const isFacts = ['yanked', 'requires', 'provides', 'builds', 'published_at'].some((field) =>
      Object.hasOwn(value, field),
    );
    const facts = isFacts
      ? (value as Facts)
      : {
          builds: Object.fromEntries(
            Object.entries(value as Record<string, string>).map(([id, r]) => [`x/${id}`, r]),
          ),
        };
    (made[`x/${name}`] ??= {})[version] = facts;
  }
  return made;
}

/** `a 1.0.0, b 2.0.0` for a solution, the code and message for a conflict. */
function answer(registry: Universe, requests: readonly string[], extra?: Extra): string {
  const resolution = solve(
    registry,
    requests.map((request) => `x/${request}`),
    extra,
  );
  if (resolution.kind === 'conflict') return `${resolution.code}: ${resolution.message}`;
  return Object.entries(chosen(resolution))
    .map(([id, version]) => `${id.slice(2)} ${version}`)
    .join(', ');
}

type Scenario = [
  name: string,
  registry: Parameters<typeof universe>[0],
  requests: string[],
  answer: string,
  extra?: Extra,
];

describe('finding versions', () => {
  test.each<Scenario>([
    [
      'no conflict',
      {
        'foo 1.0.0': { aa: '^1.0.0', ab: '^1.0.0' },
        'bar 2.0.0': { ba: '^1.0.0', bb: '^1.0.0' },
        'aa 1.0.0': {},
        'ab 1.0.0': {},
        'ba 1.0.0': {},
        'bb 1.0.0': {},
      },
      ['foo@1.0.0', 'bar@2.0.0'],
      'aa 1.0.0, ab 1.0.0, ba 1.0.0, bar 2.0.0, bb 1.0.0, foo 1.0.0',
    ],
    [
      'the newest of one that forbids the newest of another',
      {
        'foo 1.1.0': { bar: '^2.0.0' },
        'foo 1.0.0': {},
        'bar 1.0.0': {},
        'bar 1.1.0': {},
        'bar 2.0.0': {},
      },
      ['foo@^1.0.0', 'bar@^1.0.0'],
      'bar 1.1.0, foo 1.0.0',
    ],
    [
      'back to an older version of the one that was asked for',
      { 'foo 2.0.0': { bar: '^1.0.0' }, 'foo 1.0.0': {}, 'bar 1.0.0': { foo: '^1.0.0' } },
      ['foo@>=1.0.0'],
      'foo 1.0.0',
    ],
    [
      'a conflict that several choices share',
      {
        'foo 1.1.0': { left: '^1.0.0', right: '^1.0.0' },
        'foo 1.0.0': {},
        'left 1.0.0': { shared: '>=1.0.0' },
        'right 1.0.0': { shared: '<2.0.0' },
        'shared 2.0.0': {},
        'shared 1.0.0': { target: '^1.0.0' },
        'target 2.0.0': {},
        'target 1.0.0': {},
      },
      ['foo@^1.0.0', 'target@^2.0.0'],
      'foo 1.0.0, target 2.0.0',
    ],
    [
      'a shared build in a version that both sides of a diamond admit',
      {
        'top 1.0.0': { left: '*', right: '*' },
        'left 1.0.0': { base: '>=1.0.0 <3.0.0' },
        'right 1.0.0': { base: '^2.0.0' },
        'base 1.0.0': {},
        'base 2.0.0': {},
        'base 2.5.0': {},
        'base 3.0.0': {},
      },
      ['top'],
      'base 2.5.0, left 1.0.0, right 1.0.0, top 1.0.0',
    ],
    [
      'a diamond that is open only two versions back',
      {
        'left 3.0.0': { base: '^3.0.0' },
        'left 2.0.0': { base: '^2.0.0' },
        'left 1.0.0': { base: '^1.0.0' },
        'right 3.0.0': { base: '^4.0.0' },
        'right 2.0.0': { base: '^5.0.0' },
        'right 1.0.0': { base: '^1.0.0' },
        'base 1.0.0': {},
        'base 2.0.0': {},
        'base 3.0.0': {},
        'base 4.0.0': {},
        'base 5.0.0': {},
      },
      ['left', 'right'],
      'base 1.0.0, left 1.0.0, right 1.0.0',
    ],
    [
      'a circle of three',
      { 'a 1.0.0': { b: '^1.0.0' }, 'b 1.0.0': { c: '^1.0.0' }, 'c 1.0.0': { a: '^1.0.0' } },
      ['a'],
      'a 1.0.0, b 1.0.0, c 1.0.0',
    ],
    [
      'a circle that only an older version closes',
      {
        'a 1.0.0': { b: '*' },
        'a 2.0.0': { b: '*' },
        'b 1.0.0': { a: '^1.0.0' },
      },
      ['a'],
      'a 1.0.0, b 1.0.0',
    ],
    [
      'a build that requires itself in a range that has it',
      { 'a 1.0.0': { a: '^1.0.0' } },
      ['a'],
      'a 1.0.0',
    ],
    [
      'past versions whose requirement nobody has',
      { 'a 3.0.0': { gone: '*' }, 'a 2.0.0': { b: '^9.0.0' }, 'a 1.0.0': {}, 'b 1.0.0': {} },
      ['a'],
      'a 1.0.0',
    ],
  ])('%s', (_, listed, requests, expected, extra) => {
    expect(answer(universe(listed), requests, extra)).toBe(expected);
  });

  test('through a long chain whose last link decides', () => {
    const chain: Record<string, Record<string, string>> = {};
    for (let n = 0; n < 40; n += 1) {
      for (const version of ['1.0.0', '2.0.0']) {
        chain[`c${n} ${version}`] = { [`c${n + 1}`]: `^${version}` };
      }
    }
    chain['c40 1.0.0'] = {};
    const found = answer(universe(chain), ['c0']);
    expect(found.split(', ')).toHaveLength(41);
    expect(found).not.toContain('2.0.0');
  });

  test('without trying every combination of what has nothing to do with the conflict', () => {
    // 20 builds with 20 versions each come between; trying all of their combinations would never end.
    const wide: Record<string, Record<string, string>> = { 'a 1.0.0': { z: '^1.0.0' } };
    for (let n = 0; n < 20; n += 1) {
      for (let v = 0; v < 20; v += 1) wide[`m${String(n).padStart(2, '0')} 1.${v}.0`] = {};
    }
    wide['z 1.0.0'] = { nobody: '*' };
    const requests = [
      'a',
      ...Array.from({ length: 20 }, (_, n) => `m${String(n).padStart(2, '0')}`),
    ];
    expect(answer(universe(wide), requests)).toBe(
      'ERR_BUILD_NOT_FOUND: "x/z" 1.0.0 (needed by x/a) needs "x/nobody" *, and the registry has no such build',
    );
  });

  test('among 5,000 versions of a build, and among 1,000 builds', () => {
    const versions: Record<string, Record<string, string>> = {};
    for (let n = 0; n < 5000; n += 1) versions[`a 1.${n}.0`] = n < 10 ? {} : { b: '^2.0.0' };
    versions['b 1.0.0'] = {};
    expect(answer(universe(versions), ['a'])).toBe('a 1.9.0');
    const builds: Record<string, Record<string, string>> = {};
    for (let n = 0; n < 999; n += 1) builds[`b${n} 1.0.0`] = { [`b${n + 1}`]: '^1.0.0' };
    builds['b999 1.0.0'] = {};
    const found = answer(universe(builds), ['b0'], { isKnown: true });
    expect(found.split(', ')).toHaveLength(1000);
  });
});

describe('telling a conflict', () => {
  test.each<Scenario>([
    [
      'in a line',
      {
        'foo 1.0.0': { bar: '^2.0.0' },
        'bar 2.0.0': { baz: '^3.0.0' },
        'baz 1.0.0': {},
        'baz 3.0.0': {},
      },
      ['foo', 'baz@^1.0.0'],
      'ERR_RESOLVE: "x/bar" 2.0.0 (needed by x/foo) needs "x/baz" ^3.0.0, but you asked for "x/baz" ^1.0.0',
    ],
    [
      'of a diamond',
      {
        'left 1.0.0': { base: '^1.0.0' },
        'right 1.0.0': { base: '^2.0.0' },
        'base 1.0.0': {},
        'base 2.0.0': {},
      },
      ['left', 'right'],
      'ERR_RESOLVE: "x/left" 1.0.0 needs "x/base" ^1.0.0, but "x/right" 1.0.0 needs "x/base" ^2.0.0',
    ],
    [
      'of a build with itself',
      { 'a 1.0.0': { a: '^2.0.0' } },
      ['a'],
      'ERR_RESOLVE: "x/a" 1.0.0 needs "x/a" ^2.0.0, which is not the version that requires it',
    ],
    [
      'with what is installed',
      { 'a 1.0.0': { b: '^2.0.0' }, 'b 1.0.0': {}, 'b 2.0.0': {} },
      ['a'],
      'ERR_RESOLVE: "x/a" 1.0.0 needs "x/b" ^2.0.0, but "x/b" 1.0.0 is installed',
      { locked: { 'x/b': { version: '1.0.0' } } },
    ],
    [
      'with what an installed build needs',
      { 'b 1.0.0': {}, 'b 2.0.0': {} },
      ['b@^2.0.0'],
      'ERR_RESOLVE: "x/a" 1.0.0 needs "x/b" ^1.0.0, but you asked for "x/b" ^2.0.0',
      { locked: { 'x/a': { version: '1.0.0', builds: { 'x/b': '^1.0.0' } } } },
    ],
  ])('%s', (_, listed, requests, expected, extra) => {
    expect(answer(universe(listed), requests, extra)).toBe(expected);
  });
});

const PRE = {
  'a 1.0.0': {},
  'a 1.1.0-beta.1': {},
  'a 1.1.0-beta.2': {},
  'a 2.0.0-alpha.1': {},
};

describe('prereleases', () => {
  test.each<[string, string]>([
    ['a', 'a 1.0.0'],
    ['a@*', 'a 1.0.0'],
    ['a@>=1.0.0', 'a 1.0.0'],
    ['a@^1.0.0', 'a 1.0.0'],
    ['a@^1.1.0-beta.1', 'a 1.1.0-beta.2'],
    ['a@>=1.1.0-beta.2', 'a 1.1.0-beta.2'],
    ['a@1.1.0-beta.1', 'a 1.1.0-beta.1'],
    ['a@>1.1.0-beta.1 <1.1.0-beta.9', 'a 1.1.0-beta.2'],
    ['a@2.0.0-alpha.1', 'a 2.0.0-alpha.1'],
    ['a@^2.0.0-alpha.0', 'a 2.0.0-alpha.1'],
    ['a@~1.1.0-beta.1 || ^2.0.0-alpha.1', 'a 2.0.0-alpha.1'],
    ['a@^2.0.0', 'ERR_VERSION_NOT_FOUND: "x/a" has no version that fits ^2.0.0'],
  ])('%s is %s', (request, expected) => {
    expect(answer(universe(PRE), [request])).toBe(expected);
  });

  test('a range with one of 1.1.0 opens none of another version', () => {
    const both = { 'a 1.1.0-beta.1': {}, 'a 1.2.0-beta.1': {} };
    expect(answer(universe(both), ['a@^1.1.0-beta.1'])).toBe('a 1.1.0-beta.1');
  });

  test('a build asks for one in its range, and a stable one goes before it', () => {
    const listed = { ...PRE, 'top 1.0.0': { a: '>=1.1.0-beta.1' } };
    expect(answer(universe(listed), ['top'])).toBe('a 1.1.0-beta.2, top 1.0.0');
    const released = { ...listed, 'a 1.1.0': {} };
    expect(answer(universe(released), ['top'])).toBe('a 1.1.0, top 1.0.0');
  });

  test('one that the user names serves a build that takes anything', () => {
    const listed = { ...PRE, 'top 1.0.0': { a: '*' } };
    expect(answer(universe(listed), ['top', 'a@2.0.0-alpha.1'])).toBe('a 2.0.0-alpha.1, top 1.0.0');
    const strict = { ...PRE, 'top 1.0.0': { a: '>=1.0.0' } };
    expect(answer(universe(strict), ['top', 'a@2.0.0-alpha.1'])).toContain('ERR_RESOLVE');
  });
});

const YANKED: Parameters<typeof universe>[0] = {
  'a 1.0.0': {},
  'a 1.1.0': { yanked: 'leaks' },
  'a 2.0.0': { yanked: 'breaks' },
  'top 1.0.0': { a: '^1.0.0' },
  'new 1.0.0': { a: '^1.1.0' },
  'new 0.9.0': { a: '^1.0.0' },
  'lost 1.0.0': { a: '^2.0.0' },
};

describe('yanks', () => {
  test.each<[string, string[], string, Extra?]>([
    ['are not chosen', ['a'], 'a 1.0.0'],
    ['are not chosen for a build', ['top'], 'a 1.0.0, top 1.0.0'],
    ['are chosen when they are asked for exactly', ['a@1.1.0'], 'a 1.1.0'],
    [
      'are not by a range that has them alone',
      ['a@^1.1.0'],
      'ERR_VERSION_NOT_FOUND: every version of "x/a" that fits ^1.1.0 is yanked: 1.1.0 because "leaks"',
    ],
    ['named, serve a build that admits them', ['a@1.1.0', 'top'], 'a 1.1.0, top 1.0.0'],
    ['lead back to a build that needs no yanked one', ['new'], 'a 1.0.0, new 0.9.0'],
    [
      'of all that a build needs are told',
      ['lost'],
      'ERR_VERSION_NOT_FOUND: "x/lost" 1.0.0 needs "x/a" ^2.0.0, but every version of "x/a" that fits ^2.0.0 is yanked: 2.0.0 because "breaks"',
    ],
    [
      'change nothing for what is installed',
      ['top'],
      'top 1.0.0',
      { locked: { 'x/a': { version: '1.1.0' } } },
    ],
    [
      'change nothing for what is installed and asked for',
      ['a@^1.1.0', 'new'],
      'new 1.0.0',
      { locked: { 'x/a': { version: '1.1.0' } } },
    ],
  ])('%s', (_, requests, expected, extra) => {
    expect(answer(universe(YANKED), requests, extra)).toBe(expected);
  });
});

const AGED: Parameters<typeof universe>[0] = {
  'a 1.0.0': { published_at: '2026-01-01T00:00:00.000Z' },
  'a 2.0.0': { published_at: '2026-10-01T00:00:00.000Z', yanked: 'leaks' },
  'a 2.1.0': { published_at: '2026-11-20T00:00:00.000Z' },
  'b 1.0.0': { published_at: '2026-11-20T00:00:00.000Z' },
  'top 1.0.0': { published_at: '2026-01-01T00:00:00.000Z', builds: { 'x/a': '^2.0.0' } },
};
const NOW = Date.parse('2026-11-21T00:00:00.000Z');

describe('age', () => {
  test.each<[string[], object, string, Extra?]>([
    [['a'], {}, 'a 2.1.0'],
    [['a'], { minAge: '1d' }, 'a 2.1.0'],
    [['a'], { minAge: '2d' }, 'a 1.0.0'],
    [['a'], { asOf: '2026-11-19' }, 'a 1.0.0'],
    [['a'], { asOf: '2026-11-20' }, 'a 2.1.0'],
    [['a@2.0.0'], { asOf: '2026-10-02' }, 'a 2.0.0'],
    [
      ['a@2.1.0'],
      { minAge: '7d' },
      'ERR_VERSION_NOT_FOUND: "x/a" 2.1.0 is too new (published 2026-11-20, --min-age 7d)',
    ],
    [
      ['top'],
      { asOf: '2026-11-19', minAge: '1w' },
      'ERR_VERSION_NOT_FOUND: "x/top" 1.0.0 needs "x/a" ^2.0.0, but "x/a" 2.1.0 is too new (published 2026-11-20, --as-of 2026-11-19 --min-age 1w)',
    ],
    [
      ['b'],
      { minAge: '7d' },
      'ERR_VERSION_NOT_FOUND: "x/b" 1.0.0 is too new (published 2026-11-20, --min-age 7d)',
    ],
    [['top'], { minAge: '7d' }, 'top 1.0.0', { locked: { 'x/a': { version: '2.1.0' } } }],
  ])('%j with %j is %s', (requests, options, expected, extra) => {
    const age = parseAge(options, NOW);
    expect(answer(universe(AGED), requests, { ...extra, age })).toBe(expected);
  });

  test('a conflict names the young version that would end it', () => {
    const listed = {
      'left 1.0.0': { c: '>=1.0.0' },
      'right 1.0.0': { c: '^2.0.0 || ^1.5.0' },
      'c 1.0.0': {},
      'c 2.0.0': { published_at: '2026-11-20T00:00:00.000Z' },
    };
    const age = parseAge({ minAge: '7d' }, NOW);
    expect(solve(universe(listed), ['x/left', 'x/right'], { age })).toMatchObject({
      message: expect.stringContaining('"x/c" 2.0.0 is too new'),
    });
  });
});

test('an unknown version is answered with the five nearest', () => {
  const listed = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a 1.${n}.0`, {}]));
  expect(solve(universe(listed), ['x/a@1.14.5'])).toMatchObject({
    code: 'ERR_VERSION_NOT_FOUND',
    hint: 'the nearest versions are 1.16.0, 1.15.0, 1.14.0, 1.13.0, 1.12.0',
  });
});
