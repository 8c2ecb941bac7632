import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { ClientError } from '../errors.ts';
import { chooseVersion } from './choose-version.ts';
import { formatRequest, parseRegistryRequest, parseRequest } from './request.ts';
import type { ResolveInput } from './build-table.ts';
import { resolve } from './resolver.ts';
import type { Movable } from './candidates.ts';
import { chosen, headOf, solve, type Facts, type Universe } from '../../tests/client/universe.ts';

test.each([
  ['alice/web', { id: 'alice/web', range: undefined }],
  ['alice/web@^1.2.0', { id: 'alice/web', range: '^1.2.0' }],
  ['alice/web@1.2.3', { id: 'alice/web', range: '1.2.3' }],
  ['alice/web@1.2.3-rc.1', { id: 'alice/web', range: '1.2.3-rc.1' }],
  ['alice/web@1.2.3-v1', { id: 'alice/web', range: '1.2.3-v1' }],
  ['alice/web@>=1 <3', { id: 'alice/web', range: '>=1 <3' }],
  ['alice/web@^1 || ^2', { id: 'alice/web', range: '^1 || ^2' }],
  ['alice/web@*', { id: 'alice/web', range: '*' }],
])('parseRequest() reads %s', (text, request) => {
  expect(parseRequest(text)).toEqual(request);
});

test.each([
  '',
  '@',
  'foo',
  'Foo/Bar',
  'a/b/c',
  'a/b@',
  'a/b@ ',
  '../x',
  'a/..',
  '-C/x',
  '@a/b',
  'a/b@newest',
  'a/b@v1',
  'a/b@^v1.0.0',
  'a/b@>=2 <1',
  'a/b@1@2',
  'a/b@^1\n',
  `a/b@${'1 '.repeat(500)}`,
  'https://example.com/a/b',
])('parseRequest() refuses %j and shows the pattern', (text) => {
  let error: unknown;
  try {
    parseRequest(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ code: 'ERR_USAGE' });
  expect((error as ClientError).hint).toContain('<owner>/<name>[@<range>]');
});

test('formatRequest() is the inverse of parseRequest()', () => {
  const part = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
  const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((numbers) => numbers.join('.'));
  const range = fc
    .tuple(fc.constantFrom('', '^', '~', '>=', '<=', '>'), version)
    .map((p) => p.join(''));
  fc.assert(
    fc.property(part, part, fc.option(range, { nil: undefined }), (owner, name, wanted) => {
      const request = { id: `${owner}/${name}`, range: wanted };
      expect(parseRequest(formatRequest(request))).toEqual(request);
    }),
  );
});

test.each([
  ['corp:alice/web', { id: 'alice/web', range: undefined, registry: 'corp' }],
  ['corp:alice/web@^1.2.0', { id: 'alice/web', range: '^1.2.0', registry: 'corp' }],
  ['default:alice/web', { id: 'alice/web', range: undefined, registry: 'default' }],
  ['alice/web@1.2.3', { id: 'alice/web', range: '1.2.3' }],
])('parseRegistryRequest() reads %s, and formatRequest() is its inverse', (text, request) => {
  expect(parseRegistryRequest(text)).toEqual(request);
  expect(formatRequest(request)).toBe(text);
});

test.each([
  ':alice/web',
  'Corp:alice/web',
  '../x:alice/web',
  `${'a'.repeat(200)}:alice/web`,
  'corp:',
  'corp:web',
  'corp:alice/web@newest',
  'corp:corp:alice/web',
  'https://example.com/a/b',
  'corp\n:alice/web',
])('parseRegistryRequest() refuses %j', (text) => {
  expect(() => parseRegistryRequest(text)).toThrow(ClientError);
});

test('parseRequest() takes no registry', () => {
  expect(() => parseRequest('corp:alice/web')).toThrow('is not a build id');
});

/** Heads with several versions of equal precedence, as an old or hostile index may list them. */
const DAY_1 = { published_at: '2026-01-01T00:00:00.000Z' };
const DAY_2 = { published_at: '2026-01-02T00:00:00.000Z' };
const DAY_3 = { published_at: '2026-01-03T00:00:00.000Z' };

const REPEATED = { '1.0.0': DAY_1, '1.0.0+evil': DAY_2 };
const METADATA_FIRST = { '1.0.0+first': DAY_1, '1.0.0': DAY_2, '1.0.0+z': DAY_3 };
const YANKED = { '0.9.0': DAY_1, '1.0.0': { ...DAY_1, yanked: 'leaks' }, '1.0.0+evil': DAY_2 };

const CASES: [Record<string, Facts>, string, string][] = [
  [REPEATED, 'a/x', '1.0.0'],
  [REPEATED, 'a/x@*', '1.0.0'],
  [REPEATED, 'a/x@^1.0.0', '1.0.0'],
  [REPEATED, 'a/x@>=1.0.0', '1.0.0'],
  [REPEATED, 'a/x@1.0.0', '1.0.0'],
  [REPEATED, 'a/x@=1.0.0', '1.0.0'],
  [REPEATED, 'a/x@1.0.0+evil', '1.0.0+evil'],
  [REPEATED, 'a/x@1.0.0+other', '1.0.0'],
  [METADATA_FIRST, 'a/x', '1.0.0+first'],
  [METADATA_FIRST, 'a/x@^1.0.0', '1.0.0+first'],
  [METADATA_FIRST, 'a/x@1.0.0', '1.0.0'],
  [METADATA_FIRST, 'a/x@1.0.0+z', '1.0.0+z'],
  [YANKED, 'a/x', '0.9.0'],
  [YANKED, 'a/x@1.0.0', '1.0.0'],
  [YANKED, 'a/x@1.0.0+evil', '1.0.0+evil'],
];

test.each(CASES)('resolve() chooses from %j for %s: %s', (versions, request, expected) => {
  const { id, range } = parseRequest(request);
  const named = range === undefined ? id : `${id}@${range}`;
  expect(chosen(solve({ 'a/x': versions }, [named]))).toEqual({ 'a/x': expected });
});

test.each(CASES)('chooseVersion() chooses from %j for %s: %s', (versions, request, expected) => {
  const { id, range } = parseRequest(request);
  const head = headOf('a/x', versions);
  expect(chooseVersion(id, head.versions, head.latest, range).version).toBe(expected);
});

describe('a repetition', () => {
  const registry: Universe = {
    'a/x': REPEATED,
    'a/exact': { '1.0.0': { builds: { 'a/x': '1.0.0+evil' } } },
    'a/range': { '1.0.0': { builds: { 'a/x': '^1.0.0' } } },
  };

  test.each(['a/exact', 'a/range'])('does not come in by the requirement of %s', (id) => {
    expect(chosen(solve(registry, [id]))).toEqual({ [id]: '1.0.0', 'a/x': '1.0.0' });
  });

  test('meets the range of another build when the user names it', () => {
    const solution = chosen(solve(registry, ['a/range', 'a/x@1.0.0+evil']));
    expect(solution).toEqual({ 'a/range': '1.0.0', 'a/x': '1.0.0+evil' });
  });

  test('is no reason for a build that requires its text', () => {
    const resolution = solve({ ...registry, 'a/x': YANKED }, ['a/exact']);
    expect(resolution).toMatchObject({
      message:
        '"a/exact" 1.0.0 needs "a/x" 1.0.0+evil, but every version of "a/x" that fits 1.0.0+evil is yanked: 1.0.0 because "leaks"',
    });
  });

  test('conflicts with a request for the version that it repeats', () => {
    expect(solve(registry, ['a/x@1.0.0', 'a/x@1.0.0+evil'])).toMatchObject({
      code: 'ERR_RESOLVE',
      message: 'You asked for "a/x" 1.0.0, but you asked for "a/x" 1.0.0+evil',
    });
  });

  test('does not replace a yanked version, and no message suggests it', () => {
    const resolution = solve({ 'a/x': YANKED }, ['a/x@^1.0.0']);
    expect(resolution).toMatchObject({
      code: 'ERR_VERSION_NOT_FOUND',
      message: 'Every version of "a/x" that fits ^1.0.0 is yanked: 1.0.0 because "leaks"',
    });
    expect(JSON.stringify(resolution)).not.toContain('evil');
    const head = headOf('a/x', YANKED);
    const choose = (): unknown => chooseVersion('a/x', head.versions, head.latest, '^1.0.0');
    expect(choose).toThrow(ClientError);
    expect(choose).toThrow('Every version of "a/x" in "^1.0.0" is yanked');
  });
});

describe('an update', () => {
  const update = (versions: Record<string, Facts>, movable: Movable, range: string): unknown => {
    const input: ResolveInput = {
      requests: [{ id: 'a/x', range }],
      heads: new Map([['a/x', headOf('a/x', versions)]]),
      missing: new Set(),
      locked: new Map(),
      stack: new Map(),
      movable: new Map([['a/x', movable]]),
    };
    return chosen(resolve(input))['a/x'];
  };

  test.each([
    ['1.0.0', 'raise', '^1.0.0', '1.0.0'],
    ['1.0.0+evil', 'raise', '^1.0.0', '1.0.0'],
    ['1.0.0+evil', 'raise', '1.0.0+evil', '1.0.0+evil'],
    ['1.0.0+evil', 'keep', '^1.0.0', '1.0.0+evil'],
    ['1.0.0', 'free', '1.0.0+evil', '1.0.0+evil'],
    ['1.0.0+evil', 'free', '1.0.0', '1.0.0'],
  ] as const)('from %s (%s) in %s goes to %s', (version, requirement, range, expected) => {
    expect(update(REPEATED, { version, requirement }, range)).toBe(expected);
  });

  test('leaves an installed repetition of a yanked version', () => {
    const installed = { version: '1.0.0+evil', requirement: 'raise' } as const;
    expect(update(YANKED, installed, '>=0.9.0')).toBe('1.0.0+evil');
  });
});
