/** Resolves a family of universes: heads are supplied on demand, as from a registry. */
import { satisfies } from '../../format/version/semver-range.ts';
import type { KnownHead } from '../../client/resolve/version-age.ts';
import { Resolver, type Resolution } from '../../client/resolve/resolver.ts';
import type { Family } from './universe-families.ts';
import { headOf } from './universe.ts';

export interface Resolved {
  readonly resolution: Exclude<Resolution, { kind: 'needs-heads' }>;
  /** How often heads were requested. */
  readonly rounds: number;
  readonly steps: number;
}

/** The heads of `family`, built before the search. */
export function headsOf({ builds }: Family): Map<string, KnownHead> {
  return new Map(
    Object.entries(builds).map(([id, versions]) => {
      const facts = Object.entries(versions).map(([version, needs]) => [
        version,
        { builds: needs },
      ]);
      return [id, headOf(id, Object.fromEntries(facts) as Parameters<typeof headOf>[1])];
    }),
  );
}

/** @param maxSteps the limit of the search; by default that of the client */
export function resolveFamily(
  { requests }: Family,
  all: ReadonlyMap<string, KnownHead>,
  maxSteps?: number,
): Resolved {
  const heads = new Map<string, KnownHead>();
  const missing = new Set<string>();
  const asked = requests.map(([id, range]) => ({ id, range }));
  const input = { requests: asked, heads, missing, locked: new Map(), stack: new Map() };
  const resolver = new Resolver(input, maxSteps);
  for (let rounds = 0; ; rounds += 1) {
    const resolution = resolver.run();
    if (resolution.kind !== 'needs-heads') return { resolution, rounds, steps: resolver.steps };
    for (const id of resolution.ids) {
      const head = all.get(id);
      if (head === undefined) missing.add(id);
      else heads.set(id, head);
    }
  }
}

/** The requests and requirements of `family` that `versions` does not meet; empty for a solution. */
export function unmet(
  { builds, requests }: Family,
  versions: ReadonlyMap<string, { readonly version: string }>,
): string[] {
  const isMet = (id: string, range: string): boolean => {
    const version = versions.get(id)?.version;
    return version !== undefined && satisfies(version, range);
  };
  const required = [...versions].flatMap(([id, { version }]) =>
    Object.entries(builds[id]![version]!),
  );
  return [...requests, ...required]
    .filter(([id, range]) => !isMet(id, range))
    .map(([id, range]) => `${id} ${range}`);
}
