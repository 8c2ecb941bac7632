/**
 * Well-known scenarios of other resolvers: from the PubGrub description, from the test suites of Bundler and
 * pip, and from npm's rules on prereleases.
 */
import { describe, expect, test } from 'vitest';
import type { Extra } from '../../tests/client/universe.ts';
import { answer, solve, universe } from '../../tests/client/universe.ts';

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
      'back to an older version of the requested build',
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

describe('reporting a conflict', () => {
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

test('the error for an unknown version names the five nearest', () => {
  const listed = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a 1.${n}.0`, {}]));
  expect(solve(universe(listed), ['x/a@1.14.5'])).toMatchObject({
    code: 'ERR_VERSION_NOT_FOUND',
    hint: 'the nearest versions are 1.16.0, 1.15.0, 1.14.0, 1.13.0, 1.12.0',
  });
});
