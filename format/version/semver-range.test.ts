import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import vectors from './node-semver.vectors.json' with { type: 'json' };
import {
  MAX_RANGE_LENGTH,
  comparePrecedence,
  compareVersions,
  firstPublications,
  hasSamePrecedence,
  isPrerelease,
  isRange,
  lowestVersion,
  rangeProblem,
  rangesIntersect,
  satisfies,
} from './semver-range.ts';
import { MAX_VERSION_LENGTH, VERSION_PATTERN, isVersion } from './version.ts';

const number = fc.nat({ max: 3 });
const identifier = fc.oneof(number.map(String), fc.constantFrom('a', 'b', 'rc', '-', '1a', 'A'));
const identifiers = (sign: string) =>
  fc.oneof(
    fc.constant(''),
    fc.array(identifier, { minLength: 1, maxLength: 3 }).map((list) => sign + list.join('.')),
  );
const version = fc
  .tuple(number, number, number, identifiers('-'), identifiers('+'))
  .map(([major, minor, patch, pre, build]) => `${major}.${minor}.${patch}${pre}${build}`);

/** The rows of a table of node-semver without options: there is no loose reading, and `includePrerelease` is not offered. */
function rowsOf(table: readonly (readonly unknown[])[]): string[][] {
  const hasOption = (option: unknown): boolean =>
    option === true || Object.values(option ?? {}).includes(true);
  return table.filter((row) => !hasOption(row[2])).map((row) => row.slice(0, 2) as string[]);
}

describe('the tables of node-semver', () => {
  // An empty range is refused in documents, where it is more likely a mistake than a requirement for any version.
  const EMPTY = ['', ' '];

  test.each(rowsOf(vectors['range-include']))(
    'satisfies() is true: %j has %s',
    (range, version) => {
      expect(satisfies(version!, range!)).toBe(true);
      expect(isRange(range!)).toBe(!EMPTY.includes(range!));
    },
  );

  test.each(rowsOf(vectors['range-exclude']))(
    'satisfies() is false: %j and %s',
    (range, version) => {
      expect(satisfies(version!, range!)).toBe(false);
    },
  );

  test.each(rowsOf(vectors['comparisons']))('compareVersions(): %s is above %s', (high, low) => {
    expect(compareVersions(high!, low!)).toBeGreaterThan(0);
    expect(compareVersions(low!, high!)).toBeLessThan(0);
    expect(comparePrecedence(high!, low!)).toBe(1);
    expect(hasSamePrecedence(high!, low!)).toBe(false);
  });

  test.each(rowsOf(vectors['equality']))('comparePrecedence(): %s is %s', (one, other) => {
    expect(comparePrecedence(one!, other!)).toBe(0);
    // Our versions have one spelling: no sign, no white space.
    if (isVersion(one!) && isVersion(other!)) expect(hasSamePrecedence(one!, other!)).toBe(true);
  });

  const invalid = vectors['invalid-versions'].flatMap(([text]) =>
    typeof text === 'string' ? [text] : [],
  );
  test.each(invalid)('isVersion() rejects %s', (text) => {
    expect(isVersion(text)).toBe(false);
  });

  test.each(rowsOf(vectors['range-parse']))(
    'rangeProblem() of %j, which is %j',
    (range, parsed) => {
      const isUnusable = parsed === null || EMPTY.includes(range!) || parsed!.includes('<0.0.0-0');
      expect(rangeProblem(range!) !== undefined).toBe(isUnusable);
    },
  );

  test.each(vectors['range-intersection'])(
    'rangesIntersect(): %s and %s, %s',
    (one, other, expected) => {
      expect(rangesIntersect(one as string, other as string)).toBe(expected);
    },
  );
});

test.each(['1.x.x+build', '1.x+build', 'x+build', '^1.2.3+build'])(
  'isRange() accepts %s, with build metadata that does not count',
  (range) => {
    expect(isRange(range)).toBe(true);
    expect(satisfies('1.9.0', range)).toBe(true);
  },
);

test.each([
  '0.0.0',
  '1.0.0',
  '1.2.3-rc.1',
  '1.2.3-0a.b-c',
  '1.2.3+build.01',
  '1.2.3-rc.1+build',
  '9007199254740991.0.0',
])('isVersion() accepts %s', (text) => {
  expect(isVersion(text)).toBe(true);
});

test.each([
  ['two numbers', '1.0'],
  ['four numbers', '1.0.0.0'],
  ['a leading v', 'v1.0.0'],
  ['an equal sign', '=1.0.0'],
  ['a leading zero', '01.0.0'],
  ['a leading zero in a prerelease', '1.0.0-01'],
  ['an empty prerelease', '1.0.0-'],
  ['an empty identifier', '1.0.0-a..b'],
  ['a space', ' 1.0.0'],
  ['a final newline', '1.0.0\n'],
  ['a range', '^1.0.0'],
  ['a tag', 'latest'],
  ['an unsafe number', '9007199254740992.0.0'],
  ['nothing', ''],
  ['a slash', '1.0.0-a/b'],
  ['too many characters', `1.0.0-${'a'.repeat(MAX_VERSION_LENGTH - 5)}`],
])('isVersion() rejects %s', (_, text) => {
  expect(isVersion(text)).toBe(false);
});

test('isVersion() accepts the longest version', () => {
  expect(isVersion(`1.0.0-${'a'.repeat(MAX_VERSION_LENGTH - 6)}`)).toBe(true);
});

test('isVersion() accepts only what semver reads back unchanged, without its build metadata', () => {
  const text = fc.oneof(
    version,
    fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', 'a', 'v', ' '), maxLength: 9 }),
  );
  fc.assert(
    fc.property(text, (candidate) => {
      const [withoutBuild] = candidate.split('+');
      // semver.valid() passes over white space at the ends.
      const isStrict = semver.valid(candidate) === withoutBuild && candidate === candidate.trim();
      expect(isVersion(candidate)).toBe(isStrict);
      expect(VERSION_PATTERN.test(candidate)).toBe(isStrict);
    }),
    { numRuns: 500, examples: [['0.0.0+0 ']] },
  );
});

describe('hasSamePrecedence()', () => {
  test.each([
    ['1.0.0', '1.0.0', true],
    ['1.0.0', '1.0.0+evil', true],
    ['1.0.0+a', '1.0.0+b-1.c', true],
    ['1.0.0-rc.1+a', '1.0.0-rc.1', true],
    ['1.0.0--a', '1.0.0--a+b', true],
    ['1.0.0-9007199254740993', '1.0.0-9007199254740992', true],
    ['1.0.0', '1.0.0-rc.1', false],
    ['1.0.0-rc.1', '1.0.0-rc.10', false],
    ['1.0.0+1.0.1', '1.0.1', false],
    ['1.0.0-a.b', '1.0.0-a-b', false],
  ])('of %s and %s', (a, b, expected) => {
    expect(hasSamePrecedence(a, b)).toBe(expected);
  });

  test('agrees with what resolvers compare', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(hasSamePrecedence(a, b)).toBe(semver.compare(a, b) === 0);
      }),
    );
  });
});

describe('compareVersions()', () => {
  test('sorts by precedence, then by build metadata', () => {
    const sorted = [
      '1.0.0-0',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.0+a',
      '1.0.0+b',
      '1.0.1',
      '1.10.0',
      '2.0.0',
    ];
    expect(sorted.toReversed().sort(compareVersions)).toEqual(sorted);
  });

  test('agrees with semver precedence', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = semver.compare(a, b);
        expect(order === 0 || Math.sign(compareVersions(a, b)) === order).toBe(true);
      }),
    );
  });

  test('is antisymmetric, and zero for equal texts only', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
        expect(compareVersions(a, b) === 0).toBe(a === b);
      }),
      { numRuns: 500 },
    );
  });

  test('is transitive', () => {
    const near = fc
      .tuple(fc.constantFrom('', '-1', '-01a', '-a'), identifiers('+'))
      .map((ends) => `1.0.0${ends.join('')}`);
    const some = fc.oneof(near, version);
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(low, middle)).toBeLessThanOrEqual(0);
        expect(compareVersions(middle, high)).toBeLessThanOrEqual(0);
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('orders build metadata that semver calls equal', () => {
    expect(compareVersions('1.0.0+1', '1.0.0+01')).toBeGreaterThan(0);
    expect(compareVersions('1.0.0+01', '1.0.0+1')).toBeLessThan(0);
  });
});

test.each([
  '*',
  '1',
  '1.x',
  '^1.0.0',
  '~1.2',
  '>=1 <2',
  '1 - 2',
  '^1 || ^2',
  '=1.0.0',
  '>=1.0.0-rc.1',
])('isRange() accepts %s', (text) => {
  expect(isRange(text)).toBe(true);
});

test.each([
  ['', 'it is empty'],
  ['   ', 'it is empty'],
  ['latest', 'it is not a semver range'],
  ['file:../x', 'it is not a semver range'],
  ['npm:other@1', 'it is not a semver range'],
  ['git+https://example.com/x', 'it is not a semver range'],
  ['>=2 <1', 'no version can satisfy it'],
  ['<0.0.0', 'no version can satisfy it'],
  ['>x', 'no version can satisfy it'],
  ['1'.repeat(MAX_RANGE_LENGTH + 1), 'it is longer than 256 characters'],
])('rangeProblem() of %j', (text, problem) => {
  expect(rangeProblem(text)).toBe(problem);
});

test('isRange() accepts every range that semver finds a version for', () => {
  const comparator = fc
    .tuple(fc.constantFrom('', '^', '~', '>=', '<', '<=', '>', '='), version)
    .map(([operator, of]) => operator + of);
  fc.assert(
    fc.property(fc.array(comparator, { minLength: 1, maxLength: 2 }), (parts) => {
      const range = parts.join(' ');
      const lowest = lowestVersion(range);
      expect(isRange(range)).toBe(lowest !== undefined);
      expect(lowest === undefined || satisfies(lowest, range)).toBe(true);
    }),
  );
});

test.each([
  ['1.2.3', '^1.0.0', true],
  ['2.0.0', '^1.0.0', false],
  ['1.0.0-rc.1', '^1.0.0', false],
  ['1.0.0-rc.1', '>=1.0.0-rc.0', true],
  ['1.0.0-rc.1', '*', false],
  ['0.2.0', '^0.1.0', false],
])('satisfies(%s, %s) is %s', (one, range, wanted) => {
  expect(satisfies(one, range)).toBe(wanted);
});

test.each([
  ['^1.0.0', '>=1.5', true],
  ['^1.0.0', '^2.0.0', false],
  ['*', '3.x', true],
])('rangesIntersect(%s, %s) is %s', (a, b, wanted) => {
  expect(rangesIntersect(a, b)).toBe(wanted);
  expect(rangesIntersect(b, a)).toBe(wanted);
});

test('lowestVersion() gives undefined for what is no range', () => {
  expect(lowestVersion('>=1.2 <3')).toBe('1.2.0');
  expect(lowestVersion('nonsense')).toBeUndefined();
});

test.each([
  ['1.0.0-rc.1', true],
  ['1.0.0', false],
  ['1.0.0+build-1', false],
])('isPrerelease(%s) is %s', (text, wanted) => {
  expect(isPrerelease(text)).toBe(wanted);
});

describe('firstPublications()', () => {
  const on = (version: string, day: number) => {
    return { version, published_at: `2026-01-0${day}T00:00:00.000Z` };
  };

  test('keeps the earliest of each precedence, and the order of the list', () => {
    const [first, rc, low] = [on('1.0.0+first', 1), on('1.0.0-rc.1+b', 3), on('0.1.0', 3)];
    const repeated = [on('1.0.0+z', 3), first, on('1.0.0', 2)];
    expect(firstPublications([...repeated, rc, low])).toEqual([first, rc, low]);
  });

  test('takes the lower text of versions that were published at once', () => {
    const versions = [on('1.0.0+b', 1), on('1.0.0+a', 1), on('1.0.0', 1)];
    expect(firstPublications(versions)).toEqual([on('1.0.0', 1)]);
  });
});
