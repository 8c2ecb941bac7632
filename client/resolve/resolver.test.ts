import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { satisfies } from '../../format/version/semver-range.ts';
import type { Extra, Facts, Universe } from '../../tests/client/universe.ts';
import { chosen, solve } from '../../tests/client/universe.ts';
import { runs } from '../../tests/run/runs.ts';

describe('resolve() chooses', () => {
  const web = { '1.0.0': {}, '1.1.0': {}, '1.2.0': { yanked: 'broken' }, '2.0.0-rc.1': {} };

  test.each([
    ['a/web', '1.1.0'],
    ['a/web@^1.0.0', '1.1.0'],
    ['a/web@1.0.0', '1.0.0'],
    ['a/web@1.2.0', '1.2.0'],
    ['a/web@^2.0.0-rc.0', '2.0.0-rc.1'],
  ])(
    '%s: the highest that is stable, not yanked and in range, unless named',
    (request, version) => {
      expect(chosen(solve({ 'a/web': web }, [request]))).toEqual({ 'a/web': version });
    },
  );

  test('what a build requires, and returns which build requires it', () => {
    const registry: Universe = {
      'a/web': { '1.0.0': { builds: { 'b/db': '^1.0.0' } } },
      'b/db': { '1.0.0': {}, '1.3.0': { builds: { 'c/log': '*' } }, '2.0.0': {} },
      'c/log': { '0.1.0': {} },
    };
    const resolution = solve(registry, ['a/web']);
    expect(chosen(resolution)).toEqual({ 'a/web': '1.0.0', 'b/db': '1.3.0', 'c/log': '0.1.0' });
    expect(resolution).toMatchObject({
      requiredBy: new Map([
        ['a/web', []],
        ['b/db', ['a/web']],
        ['c/log', ['b/db']],
      ]),
    });
  });

  test('an older version where the newest leads nowhere', () => {
    const registry: Universe = {
      'a/web': {
        '1.0.0': { builds: { 'b/db': '^1.0.0' } },
        '2.0.0': { builds: { 'b/db': '^2.0.0', 'c/log': '^1.0.0' } },
      },
      'b/db': { '1.0.0': {}, '2.0.0': { builds: { 'c/log': '^2.0.0' } } },
      'c/log': { '1.0.0': {}, '2.0.0': {} },
    };
    expect(chosen(solve(registry, ['a/web']))).toEqual({ 'a/web': '1.0.0', 'b/db': '1.0.0' });
  });

  test('builds that require each other', () => {
    const registry: Universe = {
      'a/x': { '1.0.0': { builds: { 'a/y': '*' } } },
      'a/y': { '1.0.0': { builds: { 'a/x': '^1.0.0' } } },
    };
    expect(chosen(solve(registry, ['a/x']))).toEqual({ 'a/x': '1.0.0', 'a/y': '1.0.0' });
  });

  test('nothing for an installed build, whose version stays', () => {
    const registry: Universe = {
      'a/web': { '1.0.0': { builds: { 'b/db': '>=1.0.0' } } },
      'b/db': { '1.0.0': {}, '2.0.0': {} },
    };
    const locked = { 'b/db': { version: '1.0.0-rc.1' } };
    expect(
      chosen(solve(registry, ['a/web'], { locked: { 'b/db': { version: '1.0.0' } } })),
    ).toEqual({ 'a/web': '1.0.0' });
    expect(chosen(solve(registry, ['b/db'], { locked }))).toEqual({});
  });

  test('a version that installed builds admit', () => {
    const registry: Universe = { 'b/db': { '1.0.0': {}, '2.0.0': {} } };
    const locked = { 'a/web': { version: '1.0.0', builds: { 'b/db': '^1.0.0' } } };
    expect(chosen(solve(registry, ['b/db'], { locked }))).toEqual({ 'b/db': '1.0.0' });
  });

  test('a version whose stack tags the project, a build or the build itself gives', () => {
    const registry: Universe = {
      'a/web': {
        '1.0.0': { requires: { express: '^4.0.0' } },
        '2.0.0': { requires: { express: '^5.0.0' } },
      },
      'a/auth': { '1.0.0': { requires: { db: '^2.0.0' }, builds: { 'b/db': '*' } } },
      'b/db': { '2.1.0': { provides: ['db'] }, '3.0.0': { provides: ['db'] } },
      'a/own': { '1.0.0': { requires: { own: '*' }, provides: ['own'] } },
    };
    const stack = { express: '4.21.0' };
    expect(chosen(solve(registry, ['a/web', 'a/auth', 'a/own'], { stack }))).toEqual({
      'a/web': '1.0.0',
      'a/auth': '1.0.0',
      'b/db': '2.1.0',
      'a/own': '1.0.0',
    });
  });

  test('the highest version of the first request when only one request can have it', () => {
    const registry: Universe = {
      'a/x': { '1.0.0': {}, '2.0.0': { builds: { 'a/z': '^1.0.0' } } },
      'a/y': { '1.0.0': {}, '2.0.0': { builds: { 'a/z': '^2.0.0' } } },
      'a/z': { '1.0.0': {}, '2.0.0': {} },
    };
    const xFirst = { 'a/x': '2.0.0', 'a/y': '1.0.0', 'a/z': '1.0.0' };
    const yFirst = { 'a/x': '1.0.0', 'a/y': '2.0.0', 'a/z': '2.0.0' };
    expect(chosen(solve(registry, ['a/x', 'a/y']))).toEqual(xFirst);
    expect(chosen(solve(registry, ['a/y', 'a/x']))).toEqual(yFirst);
  });
});

describe('resolve() reports why not', () => {
  const registry: Universe = {
    'a/web': { '1.0.0': { builds: { 'b/db': '^1.0.0' } } },
    'a/api': { '3.0.0': { builds: { 'b/db': '^2.0.0' } } },
    'a/deep': { '1.0.0': { builds: { 'a/web': '*' } } },
    'b/db': { '1.4.0': {}, '2.0.0': {} },
    'c/gone': { '1.0.0': { yanked: 'leaks' } },
    'c/pre': { '1.0.0-rc.1': {}, '1.0.0-rc.2': {} },
    'c/lost': { '1.0.0': { builds: { 'nobody/none': '*' } } },
    'c/tag': { '1.0.0': { requires: { python: '>=3.10' } } },
  };

  test.each([
    [['nobody/none'], {}, 'ERR_BUILD_NOT_FOUND', 'The registry has no build "nobody/none"'],
    [
      ['c/lost'],
      {},
      'ERR_BUILD_NOT_FOUND',
      '"c/lost" 1.0.0 needs "nobody/none" *, and the registry has no such build',
    ],
    [['b/db@^3.0.0'], {}, 'ERR_VERSION_NOT_FOUND', '"b/db" has no version that fits ^3.0.0'],
    [
      ['c/gone'],
      {},
      'ERR_VERSION_NOT_FOUND',
      'Every version of "c/gone" is yanked: 1.0.0 because "leaks"',
    ],
    [['c/pre'], {}, 'ERR_VERSION_NOT_FOUND', '"c/pre" has no stable version'],
    [
      ['a/web', 'a/api'],
      {},
      'ERR_RESOLVE',
      '"a/api" 3.0.0 needs "b/db" ^2.0.0, but "a/web" 1.0.0 needs "b/db" ^1.0.0',
    ],
    [
      ['a/deep', 'a/api'],
      {},
      'ERR_RESOLVE',
      '"a/api" 3.0.0 needs "b/db" ^2.0.0, but "a/web" 1.0.0 (needed by a/deep) needs "b/db" ^1.0.0',
    ],
    [
      ['a/web', 'b/db@2.0.0'],
      {},
      'ERR_RESOLVE',
      '"a/web" 1.0.0 needs "b/db" ^1.0.0, but you asked for "b/db" 2.0.0',
    ],
    [
      ['a/api'],
      { locked: { 'b/db': { version: '1.4.0' } } },
      'ERR_RESOLVE',
      '"a/api" 3.0.0 needs "b/db" ^2.0.0, but "b/db" 1.4.0 is installed',
    ],
    [
      ['b/db@2.0.0'],
      { locked: { 'b/db': { version: '1.4.0' } } },
      'ERR_RESOLVE',
      'You asked for "b/db" 2.0.0, but "b/db" 1.4.0 is installed',
    ],
    [['c/tag'], {}, 'ERR_STACK', '"c/tag" 1.0.0 needs python >=3.10: the project has none'],
    [
      ['c/tag'],
      { stack: { python: '3.9.0' } },
      'ERR_STACK',
      '"c/tag" 1.0.0 needs python >=3.10: found 3.9.0 in package.json',
    ],
  ])('%o %o', (requests, extra: Extra, code, message) => {
    expect(solve(registry, requests, extra)).toMatchObject({ kind: 'conflict', code, message });
  });

  test('names the nearest versions, and the version that fits the project', () => {
    expect(solve(registry, ['b/db@~1.9.0'])).toMatchObject({
      hint: 'the nearest versions are 2.0.0, 1.4.0',
    });
    const tags: Universe = {
      'a/x': {
        '1.0.0': {},
        '1.1.0': { requires: { node: '>=30' } },
        '1.2.0': { requires: { node: '>=40' } },
      },
    };
    expect(solve(tags, ['a/x@>=1.1.0'], { stack: { node: '24.0.0' } })).toMatchObject({
      message: '"a/x" 1.2.0 needs node >=40: found 24.0.0 in package.json',
      hint: expect.stringContaining('"a/x@1.0.0" fits the stack of the project'),
    });
  });

  test.each([
    ['^3.0.0', '^2.0.0'],
    ['^1.0.0', '^2.0.0'],
    ['^1.0.0', '9.0.0'],
    ['3.0.0', '1.0.0'],
  ])('names both requests, %s and %s, that exclude each other', (first, second) => {
    const one: Universe = { 'a/x': { '1.0.0': {}, '3.0.0': {} } };
    expect(solve(one, [`a/x@${first}`, `a/x@${second}`])).toMatchObject({
      code: 'ERR_RESOLVE',
      hint: expect.stringMatching(
        /^"a\/x@.+" and "a\/x@.+" have no version in common: leave out one of them$/,
      ),
    });
  });

  test('names the request that has no version where others of the build do not exclude it', () => {
    const one: Universe = { 'a/x': { '1.0.0': {}, '3.0.0': {} } };
    expect(solve(one, ['a/x', 'a/x@^2.0.0', 'a/x@*'])).toMatchObject({
      code: 'ERR_VERSION_NOT_FOUND',
      message: '"a/x" has no version that fits ^2.0.0',
      hint: 'the nearest versions are 3.0.0, 1.0.0',
    });
  });

  test('stops a search that would take too long', () => {
    // No choice provides the tags, and only a complete choice shows that.
    const versions = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`1.${n}.0`, n]));
    const many: Record<string, Record<string, Facts>> = {};
    for (let build = 0; build < 8; build += 1) {
      many[`a/b${build}`] = Object.fromEntries(
        Object.entries(versions).map(([version, n]) => [
          version,
          { builds: { [`z/t${build}`]: `1.${n}.0` }, requires: { word: `^${build + 1}.0.0` } },
        ]),
      );
      many[`z/t${build}`] = Object.fromEntries(
        Object.keys(versions).map((version) => [version, { provides: ['word'] }]),
      );
    }
    expect(solve(many, Object.keys(many))).toMatchObject({ kind: 'conflict' });
  });
});

/** Small registries in which anything may happen. */
const anyUniverse = fc
  .record({
    versions: fc.array(
      fc.record({
        build: fc.nat({ max: 3 }),
        version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0', '2.0.0-rc.1'),
        needs: fc.array(
          fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('*', '^1.0.0', '^2.0.0', '1.1.0')),
          { maxLength: 2 },
        ),
        requires: fc.constantFrom<Record<string, string>>({}, {}, { tag: '^1.0.0' }, { tag: '*' }),
        provides: fc.constantFrom<string[]>([], [], ['tag']),
        yanked: fc.constantFrom<false | string>(false, false, false, 'bad'),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  })
  .map(({ versions }) => {
    const registry: Record<string, Record<string, Facts>> = {};
    for (const { build, version, needs, ...facts } of versions) {
      const builds = Object.fromEntries(needs.map(([id, range]) => [`a/b${id}`, range]));
      (registry[`a/b${build}`] ??= {})[version] = { ...facts, builds };
    }
    return registry;
  });

const anyRequests = fc.uniqueArray(
  fc.tuple(fc.nat({ max: 3 }), fc.constantFrom('', '@^1.0.0', '@2.0.0', '@1.1.0')),
  { minLength: 1, maxLength: 2, selector: ([id]) => id },
);

/** Whether some set of versions meets everything: by trying all of them. */
function hasSolution(
  registry: Universe,
  requests: readonly (readonly [string, string])[],
): boolean {
  const ids = Object.keys(registry);
  const named = new Map(requests);
  const search = (at: number, picked: Map<string, string>): boolean => {
    const id = ids[at];
    if (id === undefined) return isSolution(picked);
    if (search(at + 1, picked)) return true;
    return Object.keys(registry[id]!).some((version) =>
      search(at + 1, new Map([...picked, [id, version]])),
    );
  };
  const isSolution = (picked: ReadonlyMap<string, string>): boolean => {
    const facts = (id: string): Facts => registry[id]![picked.get(id)!]!;
    const isIn = (id: string, range: string): boolean => {
      const version = picked.get(id);
      if (version === undefined) return false;
      const isNamed = named.get(id) === version;
      return (isNamed && range === '*') || satisfies(version, range);
    };
    for (const [id, range] of requests) if (!isIn(id, range === '' ? '*' : range)) return false;
    for (const [id, version] of picked) {
      if (facts(id).yanked !== false && named.get(id) !== version) return false;
      for (const [other, range] of Object.entries(facts(id).builds ?? {})) {
        if (!isIn(other, range)) return false;
      }
      const given = [...picked].filter(([other]) => facts(other).provides?.includes('tag'));
      for (const range of Object.values(facts(id).requires ?? {})) {
        if (!given.some(([, v]) => range === '*' || satisfies(v, range))) return false;
      }
    }
    return isReached(picked);
  };
  // A set with unneeded builds is no solution: they could provide tags that are missing otherwise.
  const isReached = (picked: ReadonlyMap<string, string>): boolean => {
    const reached = new Set(requests.map(([id]) => id));
    for (const id of reached) {
      for (const other of Object.keys(registry[id]?.[picked.get(id)!]?.builds ?? {})) {
        reached.add(other);
      }
    }
    return [...picked.keys()].every((id) => reached.has(id));
  };
  return search(0, new Map());
}

test('resolve() finds a solution exactly when there is one, and it is sound', () => {
  fc.assert(
    fc.property(anyUniverse, anyRequests, (registry, wanted) => {
      const requests = wanted.map(([id, range]) => `a/b${id}${range}`);
      const pairs = wanted.map(([id, range]) => [`a/b${id}`, range.slice(1)] as const);
      const resolution = solve(registry, requests);
      expect(resolution.kind === 'solved').toBe(hasSolution(registry, pairs));
      if (resolution.kind !== 'solved') return;
      const only = Object.fromEntries(
        Object.entries(chosen(resolution)).map(([id, v]) => [id, { [v]: registry[id]![v]! }]),
      );
      expect(hasSolution(only, pairs)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});
