/** Registries as object literals, and resolving against them as the client does. */
import { expect } from 'vitest';
import type { StackFact } from '../../format/project/stack-fact.ts';
import { hideYoung, type KnownHead, type AgeRule } from '../../client/resolve/version-age.ts';
import type { ResolveInput } from '../../client/resolve/build-table.ts';
import { resolve, type Resolution } from '../../client/resolve/resolver.ts';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import { OPEN } from '../../format/registry/status.ts';

export type Facts = Partial<
  Pick<HeadVersion, 'builds' | 'builds_order' | 'requires' | 'provides' | 'published_at'> & {
    /** The reason, or false. */
    yanked: string | false;
    withdrawn: true;
  }
>;

/** From id to version to its special fields. */
export type Universe = Readonly<Record<string, Readonly<Record<string, Facts>>>>;

/** A head with `versions`. */
export function headOf(id: string, versions: Readonly<Record<string, Facts>>): Head {
  const listed = Object.entries(versions).map(([version, facts]): HeadVersion => {
    const { yanked = false, withdrawn, ...needs } = facts;
    const is = withdrawn === true ? 'withdrawn' : 'yanked';
    return {
      version,
      published_at: '2026-01-01T00:00:00.000Z',
      integrity: `sha256-${'A'.repeat(43)}=`,
      requires: {},
      provides: [],
      builds: {},
      risk: 'ok',
      status: yanked === false ? OPEN : { is, reason: yanked },
      ...needs,
    };
  });
  listed.sort((a, b) => compareVersions(b.version, a.version));
  return { id, kind: 'module', latest: listed[0]!.version, versions: listed };
}

export interface Extra {
  readonly locked?: Readonly<Record<string, { version: string } & Facts>>;
  readonly stack?: Readonly<Record<string, string>>;
  readonly age?: AgeRule | undefined;
  /** Whether every head is available from the start, instead of on request. */
  readonly isKnown?: boolean;
}

/** Resolves as the client does: first without heads, then with those that the resolver requests. */
export function solve(
  registry: Universe,
  requests: readonly string[],
  extra: Extra = {},
): Resolution {
  const heads = new Map<string, KnownHead>();
  const missing = new Set<string>();
  const input: ResolveInput = {
    requests: requests.map((text) => {
      const [id = '', range] = text.split('@');
      return { id, range };
    }),
    heads,
    missing,
    locked: new Map(
      Object.entries(extra.locked ?? {}).map(([id, build]) => {
        return [id, { provides: [], builds: {}, ...build }];
      }),
    ),
    stack: new Map(
      Object.entries(extra.stack ?? {}).map(([tag, version]): [string, StackFact] => {
        return [tag, { version, source: 'package.json' }];
      }),
    ),
  };
  if (extra.isKnown === true) {
    for (const [id, versions] of Object.entries(registry)) heads.set(id, headOf(id, versions));
  }
  for (;;) {
    const resolution = resolve(input);
    if (resolution.kind !== 'needs-heads') return resolution;
    expect(resolution.ids.length).toBeGreaterThan(0);
    for (const id of resolution.ids) {
      expect(heads.has(id) || missing.has(id), `${id} is requested once`).toBe(false);
      const versions = registry[id];
      if (versions === undefined) missing.add(id);
      else heads.set(id, hideYoung(headOf(id, versions), extra.age, extra.locked?.[id]?.version));
    }
  }
}

export function chosen(resolution: Resolution): Record<string, string> {
  if (resolution.kind !== 'solved') throw new Error(JSON.stringify(resolution));
  return Object.fromEntries([...resolution.versions].map(([id, { version }]) => [id, version]));
}

/** `name version` to what it needs, such as `{ 'a 1.0.0': { b: '^1.0.0' } }`; ids get owner `x`. */
export function universe(
  listed: Readonly<Record<string, Record<string, string> | Facts>>,
): Universe {
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
export function answer(registry: Universe, requests: readonly string[], extra?: Extra): string {
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
