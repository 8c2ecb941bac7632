/** Which versions are eligible: prereleases, yanked versions, young versions. */
import { describe, expect, test } from 'vitest';
import type { Extra } from '../../tests/client/universe.ts';
import { answer, solve, universe } from '../../tests/client/universe.ts';
import { parseAge } from './version-age.ts';

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

  test('a range of a build admits one, and a stable version is preferred', () => {
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
    ['are chosen when requested exactly', ['a@1.1.0'], 'a 1.1.0'],
    [
      'are not by a range that has them alone',
      ['a@^1.1.0'],
      'ERR_VERSION_NOT_FOUND: Every version of "x/a" that fits ^1.1.0 is yanked: 1.1.0 because "leaks"',
    ],
    ['named, serve a build that admits them', ['a@1.1.0', 'top'], 'a 1.1.0, top 1.0.0'],
    ['lead back to a build that needs no yanked one', ['new'], 'a 1.0.0, new 0.9.0'],
    [
      'of all versions that a build needs are reported',
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
      'change nothing for what is installed and requested',
      ['a@^1.1.0', 'new'],
      'new 1.0.0',
      { locked: { 'x/a': { version: '1.1.0' } } },
    ],
  ])('%s', (_, requests, expected, extra) => {
    expect(answer(universe(YANKED), requests, extra)).toBe(expected);
  });
});

const WITHDRAWN: Parameters<typeof universe>[0] = {
  'a 1.0.0': {},
  'a 1.1.0': { yanked: 'leaks', withdrawn: true },
  'b 1.0.0': { yanked: 'slow' },
  'b 1.1.0': { yanked: 'leaks', withdrawn: true },
  'top 1.0.0': { a: '^1.0.0' },
  'lost 1.0.0': { a: '1.1.0' },
};

describe('withdrawn versions', () => {
  const GONE = '"x/a" 1.1.0 was withdrawn: "leaks"';
  test.each<[string, string[], string, Extra?]>([
    ['are not chosen', ['a', 'top'], 'a 1.0.0, top 1.0.0'],
    ['are not when requested exactly', ['a@1.1.0'], `ERR_VERSION_NOT_FOUND: ${GONE}`],
    ['are not for a build that admits them', ['a@=1.1.0', 'top'], `ERR_VERSION_NOT_FOUND: ${GONE}`],
    ['alone in a range are reported', ['a@^1.1.0'], `ERR_VERSION_NOT_FOUND: ${GONE}`],
    [
      'are reported for a build that needs one',
      ['lost'],
      `ERR_VERSION_NOT_FOUND: "x/lost" 1.0.0 needs "x/a" 1.1.0, but ${GONE}`,
    ],
    [
      'beside a yanked one give way to it in the error',
      ['b@^1.0.0'],
      'ERR_VERSION_NOT_FOUND: Every version of "x/b" that fits ^1.0.0 is yanked: 1.0.0 because "slow"',
    ],
    [
      'change nothing for what is installed',
      ['top'],
      'top 1.0.0',
      { locked: { 'x/a': { version: '1.1.0' } } },
    ],
  ])('%s', (_, requests, expected, extra) => {
    expect(answer(universe(WITHDRAWN), requests, extra)).toBe(expected);
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
    [
      ['a@2.1.0'],
      { minAge: '7d' },
      'ERR_VERSION_NOT_FOUND: "x/a" 2.1.0 is too new (published 2026-11-20, --min-age 7d)',
    ],
    [
      ['top'],
      { minAge: '1w' },
      'ERR_VERSION_NOT_FOUND: "x/top" 1.0.0 needs "x/a" ^2.0.0, but "x/a" 2.1.0 is too new (published 2026-11-20, --min-age 1w)',
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
