/**
 * A lock that git could not merge: its sides, from the markers that git wrote, and the union of them. Pure.
 *
 *     <<<<<<< HEAD
 *     ||||||| 1a2b3c4        only in the style "diff3"
 *     =======
 *     >>>>>>> branch
 */
import { isDeepStrictEqual } from 'node:util';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { withRequirers } from './lock.ts';

type Side = 'ours' | 'base' | 'theirs';

const SIDES: Readonly<Record<string, readonly Side[]>> = {
  '<': ['ours'],
  '|': ['base'],
  '=': ['theirs'],
  '>': ['ours', 'base', 'theirs'],
};

/** The texts of both sides, and of their base where the markers show it; `undefined` without markers. */
export function sidesOf(text: string): ReadonlyMap<Side, string> | undefined {
  const sides = new Map<Side, string>();
  const seen = new Set<string>();
  let at = SIDES['>']!;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/.exec(line)?.[0].charAt(0);
    if (mark !== undefined) seen.add(mark);
    at = SIDES[mark ?? ''] ?? at;
    if (mark === undefined) for (const side of at) sides.set(side, (sides.get(side) ?? '') + line);
  }
  if (!seen.has('|')) sides.delete('base');
  return seen.size === 0 ? undefined : sides;
}

/**
 * The union of two locks: what one side alone changed since `base`, and without one what either has.
 * @throws {ClientError} `ERR_LOCK` for what both changed
 */
export function uniteLocks(ours: Lock, theirs: Lock, base: Lock | undefined): Lock {
  const builds = unite(derivedFree(ours), derivedFree(theirs), base && derivedFree(base));
  const registries = unite(ours.registries, theirs.registries, base?.registries);
  const both = [...builds.both, ...registries.both];
  if (both.length > 0) throw changedByBoth(both, ours, theirs);
  const ignored = unite(ours.ignored ?? {}, theirs.ignored ?? {}, base && (base.ignored ?? {}));
  const hasIgnored = Object.keys(ignored.all).length > 0;
  // The stricter rule.
  const hours = Math.max(ours.min_age_hours ?? 0, theirs.min_age_hours ?? 0);
  return {
    lockVersion: ours.lockVersion,
    registries: registries.all,
    builds: withRequirers(builds.all),
    ...(hasIgnored ? { ignored: ignored.all } : {}),
    ...(hours === 0 ? {} : { min_age_hours: hours }),
    made: [...new Set([...ours.made, ...theirs.made])].sort(),
  };
}

/** `required_by` follows from the other builds. */
function derivedFree({ builds }: Lock): Record<string, LockedBuild> {
  const entries = Object.entries(builds);
  return Object.fromEntries(entries.map(([id, build]) => [id, { ...build, required_by: [] }]));
}

/** @returns in `both` what both sides changed, of which `all` has ours */
function unite<Value>(
  ours: Readonly<Record<string, Value>>,
  theirs: Readonly<Record<string, Value>>,
  base: Readonly<Record<string, Value>> | undefined,
): { readonly all: Record<string, Value>; readonly both: string[] } {
  const all: [string, Value][] = [];
  const both: string[] = [];
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [own, other, old] = [ours, theirs, base].map((side) =>
      side !== undefined && Object.hasOwn(side, key) ? side[key] : undefined,
    );
    const isOurs = isDeepStrictEqual(own, other) || isDeepStrictEqual(other, old);
    if (!isOurs && !isDeepStrictEqual(own, old)) both.push(key);
    const value = isOurs || both.includes(key) ? own : other;
    if (value !== undefined) all.push([key, value]);
  }
  return { all: Object.fromEntries(all), both };
}

function changedByBoth(both: readonly string[], ours: Lock, theirs: Lock): ClientError {
  const named = both.map((id) => {
    const [own = 'none', other = 'none'] = [ours, theirs].map(({ builds }) => builds[id]?.version);
    return `"${id}" (${own} and ${other})`;
  });
  const way = (side: string, has: Lock, lacks: Lock): string => {
    const left = Object.entries(lacks.builds).filter(([id]) => !Object.hasOwn(has.builds, id));
    const then = left.length === 0 ? '' : ` and "stackyard add ${left.map(requestOf).join(' ')}"`;
    return `"git checkout --${side} -- ${LOCK_FILE}"${then}`;
  };
  return new ClientError(
    'ERR_LOCK',
    `Cannot merge "${LOCK_FILE}": both sides changed ${named.join(', ')}`,
    { hint: `decide for ${way('ours', ours, theirs)}, or for ${way('theirs', theirs, ours)}` },
  );
}

function requestOf([id, { version }]: readonly [string, LockedBuild]): string {
  return `${id}@${version}`;
}
