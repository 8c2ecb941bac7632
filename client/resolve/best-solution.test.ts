/** Compares the resolver with an exhaustive search that follows the rules of docs/client.md, "Which versions". */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Extra, Facts, Universe } from '../../tests/client/universe.ts';
import { chosen, solve } from '../../tests/client/universe.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import { runs } from '../../tests/run/runs.ts';

const VERSIONS = ['1.0.0', '1.1.0', '2.0.0', '3.0.0', '3.1.0-rc.1'];
const RANGES = [
  '*',
  '*',
  '^1.0.0',
  '^2.0.0',
  '>=2.0.0',
  '1.1.0',
  '<3.0.0',
  '>=1.1.0',
  '>=3.1.0-rc.0',
];
/** The last one is in no registry. */
const NUMBERS = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5];

const needs = fc.array(fc.tuple(fc.constantFrom(...NUMBERS), fc.constantFrom(...RANGES)), {
  maxLength: 2,
});
const facts = fc.record({
  needs,
  requires: fc.constantFrom<Record<string, string>>({}, {}, {}, { tag: '^1.0.0' }, { tag: '*' }),
  provides: fc.constantFrom<string[]>([], [], ['tag']),
  yanked: fc.constantFrom<false | string>(false, false, false, false, 'bad'),
});

interface Case {
  readonly registry: Universe;
  readonly requests: readonly (readonly [id: string, range: string | undefined])[];
  readonly extra: Extra;
}

/** Up to 5 builds with up to 4 versions; `x/b5` is in no registry. */
const anyCase: fc.Arbitrary<Case> = fc
  .record({
    builds: fc.array(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...VERSIONS), facts), {
        minLength: 1,
        maxLength: 4,
        selector: ([version]) => version,
      }),
      { minLength: 3, maxLength: 5 },
    ),
    requests: fc.array(
      fc.tuple(fc.nat({ max: 2 }), fc.constantFrom(undefined, undefined, ...RANGES)),
      { minLength: 1, maxLength: 3 },
    ),
    locked: fc.option(fc.tuple(fc.nat({ max: 4 }), fc.constantFrom('1.0.0', '2.0.0'), needs)),
    stack: fc.constantFrom<Record<string, string>>({}, {}, { tag: '2.0.0' }),
  })
  .map(({ builds, requests, locked, stack }) => {
    const idOf = (n: number): string => `x/b${n}`;
    const tableOf = (list: readonly (readonly [number, string])[]): Record<string, string> =>
      Object.fromEntries(list.map(([n, range]) => [idOf(n), range]));
    const registry: Record<string, Record<string, Facts>> = {};
    for (const [n, versions] of builds.entries()) {
      registry[idOf(n)] = Object.fromEntries(
        versions.map(([version, { needs: list, ...rest }]) => [
          version,
          { ...rest, builds: tableOf(list) },
        ]),
      );
    }
    const installed =
      locked === null
        ? {}
        : { [idOf(locked[0])]: { version: locked[1], builds: tableOf(locked[2]) } };
    return {
      registry,
      requests: requests.map(([n, range]) => [idOf(n), range] as const),
      extra: { locked: installed, stack },
    };
  });

type Choice = ReadonlyMap<string, string>;

/** The choice of the documentation, by trying; `undefined` for none. */
function bestByTrying(one: Case): Record<string, string> | undefined {
  const best = firstByTrying(one);
  return best && Object.fromEntries(best);
}

function isNamed({ requests }: Case, id: string, version: string): boolean {
  return requests.some(([other, range]) => other === id && range === version);
}

function isIn(one: Case, id: string, version: string, range: string | undefined = '*'): boolean {
  const isChosen = isNamed(one, id, version) || id in (one.extra.locked ?? {});
  return (range === '*' && isChosen) || satisfies(version, range);
}

/** The first choice in the order of decisions that meets everything. */
function firstByTrying(one: Case): Choice | undefined {
  const { registry, requests, extra } = one;
  const locked = extra.locked ?? {};
  const search = (queue: readonly string[], picked: Choice): Choice | undefined => {
    const id = queue[picked.size];
    if (id === undefined) return isSolution(picked) ? picked : undefined;
    const versions = Object.keys(registry[id] ?? {}).sort((a, b) => compareVersions(b, a));
    for (const version of versions) {
      const next = Object.keys(registry[id]![version]!.builds ?? {});
      const more = next.filter((other) => !queue.includes(other) && !(other in locked));
      const found = search([...queue, ...new Set(more)], new Map([...picked, [id, version]]));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const isSolution = (picked: Choice): boolean => {
    const versionOf = (id: string): string | undefined => locked[id]?.version ?? picked.get(id);
    const meets = (id: string, range: string | undefined): boolean => {
      const version = versionOf(id);
      return version !== undefined && isIn(one, id, version, range);
    };
    if (!requests.every(([id, range]) => meets(id, range))) return false;
    for (const { builds = {} } of Object.values(locked)) {
      for (const [id, range] of Object.entries(builds)) {
        if (picked.has(id) && !meets(id, range)) return false;
      }
    }
    return [...picked].every(([id, version]) => {
      const own = registry[id]![version]!;
      if (own.yanked !== false && !isNamed(one, id, version)) return false;
      const isRequired = ([other, range]: [string, string]): boolean =>
        // A version that requires its own build is already chosen, so a prerelease is in `*`.
        other === id && range === '*' ? true : meets(other, range);
      if (!Object.entries(own.builds ?? {}).every(isRequired)) return false;
      return Object.entries(own.requires ?? {}).every(([tag, range]) => {
        const fits = (given: string): boolean => range === '*' || satisfies(given, range);
        const fact = extra.stack?.[tag];
        if (fact !== undefined && fits(fact)) return true;
        const giving = [...picked].filter(([by, at]) => registry[by]![at]!.provides?.includes(tag));
        return giving.some(([, at]) => fits(at));
      });
    });
  };
  const first = new Set(requests.map(([id]) => id).filter((id) => !(id in locked)));
  return search([...first], new Map());
}

function resolved({ registry, requests, extra }: Case): Record<string, string> | undefined {
  const texts = requests.map(([id, range]) => (range === undefined ? id : `${id}@${range}`));
  const resolution = solve(registry, texts, extra);
  expect(resolution).not.toMatchObject({ code: 'ERR_RESOLVE_LIMIT' });
  return resolution.kind === 'solved' ? chosen(resolution) : undefined;
}

test('resolve() chooses what an exhaustive search in the documented order finds first', () => {
  let solved = 0;
  fc.assert(
    fc.property(anyCase, (one) => {
      const best = bestByTrying(one);
      if (best !== undefined) solved += 1;
      expect(resolved(one)).toEqual(best);
    }),
    { numRuns: runs(6000) },
  );
  expect(solved).toBeGreaterThan(runs(500));
});

test('resolve() chooses the same versions when builds are renamed', () => {
  const names = fc.shuffledSubarray(['b0', 'b1', 'b2', 'b3', 'b4', 'b5'], { minLength: 6 });
  fc.assert(
    fc.property(anyCase, names, (one, order) => {
      const rename = (id: string): string => `x/${order[Number(id.slice('x/b'.length))]!}`;
      const renameKeys = <Value>(table: Readonly<Record<string, Value>>): Record<string, Value> =>
        Object.fromEntries(Object.entries(table).map(([id, value]) => [rename(id), value]));
      // As a generated head has them: sorted by id, with the order of the manifest in `builds_order`.
      const renameFacts = (own: Facts): Facts => {
        const builds = renameKeys(own.builds ?? {});
        const sorted = Object.entries(builds).sort(([a], [b]) => (a < b ? -1 : 1));
        return { ...own, builds: Object.fromEntries(sorted), builds_order: Object.keys(builds) };
      };
      const registry = Object.entries(one.registry).map(([id, versions]) => {
        const renamed = Object.entries(versions).map(([version, own]) => [
          version,
          renameFacts(own),
        ]);
        return [rename(id), Object.fromEntries(renamed) as Record<string, Facts>] as const;
      });
      const locked = Object.entries(one.extra.locked ?? {}).map(
        ([id, own]) => [rename(id), { ...own, builds: renameKeys(own.builds ?? {}) }] as const,
      );
      const other: Case = {
        registry: Object.fromEntries(registry.toReversed()),
        requests: one.requests.map(([id, range]) => [rename(id), range] as const),
        extra: { ...one.extra, locked: Object.fromEntries(locked) },
      };
      const expected = resolved(one);
      expect(resolved(other)).toEqual(expected && renameKeys(expected));
    }),
    { numRuns: runs(3000) },
  );
});
