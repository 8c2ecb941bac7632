/**
 * Which entries of an OSV database no admitted version of a package escapes. A range that also admits a fixed version is
 * no matter of the build: package managers take that one.
 */
import { compare as comparePep440, satisfies as satisfiesPep440, valid } from '@renovatebot/pep440';
import { z } from 'zod';
import { isPipSpecifier, normalizePipName } from '../version/pep440.ts';
import { comparePrecedence, isSubrange, rangesIntersect } from '../version/semver-range.ts';
import { isVersion } from '../version/version.ts';
import { BEGINNING, isAffected, type OsvAffected, type OsvEvent } from './osv-range.ts';
import type { Advisory } from './advisory.ts';

export type PackageEcosystem = 'npm' | 'PyPI';

/** An entry as far as it is about one package. */
export interface PackageEntry {
  readonly id: string;
  readonly affected: readonly OsvAffected[];
}

/** The name by which packages are compared. */
export function packageKey(ecosystem: PackageEcosystem, name: string): string {
  return ecosystem === 'npm' ? name : normalizePipName(name);
}

/** Sorted ids of `entries` that affect what `range` admits, where it admits no version without any; else none. */
export function inescapable(
  ecosystem: PackageEcosystem,
  range: string,
  entries: readonly PackageEntry[],
): string[] {
  const ids = ecosystem === 'npm' ? inNpm(range, entries) : inPython(range, entries);
  return [...new Set(ids)].sort();
}

function inNpm(range: string, entries: readonly PackageEntry[]): string[] {
  const spans = entries.map(({ id, affected }) => ({ id, ranges: affected.flatMap(spansOf) }));
  const all = spans.flatMap(({ ranges }) => ranges);
  if (all.length === 0 || !isSubrange(range, all.join(' || '))) return [];
  return spans
    .filter(({ ranges }) => ranges.some((one) => rangesIntersect(range, one)))
    .map(({ id }) => id);
}

function spansOf({ ranges = [], versions = [] }: OsvAffected): string[] {
  const spans = ranges.flatMap(({ events }) => eventSpans(events));
  return [...spans, ...versions.filter(isVersion)];
}

function eventSpans(events: readonly OsvEvent[]): string[] {
  const bounds = events.flatMap(({ introduced, fixed, last_affected }) => {
    const version = introduced === BEGINNING ? '0.0.0-0' : (introduced ?? fixed ?? last_affected);
    if (version === undefined || !isVersion(version)) return [];
    return [{ version, isStart: introduced !== undefined, sign: fixed === undefined ? '<=' : '<' }];
  });
  bounds.sort((a, b) => comparePrecedence(a.version, b.version));
  return bounds.flatMap(({ version, isStart }, at) => {
    if (!isStart) return [];
    const end = bounds.slice(at + 1).find((one) => !one.isStart);
    return [`>=${version}${end === undefined ? '' : ` ${end.sign}${end.version}`}`];
  });
}

/**
 * Ranges of PEP 440 are compared at the versions that entries and specifier name; what comes after a last affected
 * version stands for all that is newer.
 */
function inPython(specifier: string, entries: readonly PackageEntry[]): string[] {
  if (!isPipSpecifier(specifier)) return [];
  const known = entries.map(({ id, affected }) => ({ id, affected: affected.map(withValid) }));
  const named = [...specifier.matchAll(/[\w.!+-]*\d[\w.!+-]*/g)].map(([text]) => text);
  const admitted = [...new Set([...known.flatMap(pointsOf), ...named])].filter(
    (version) => valid(version) !== null && admits(specifier, version),
  );
  const hits = (version: string): string[] =>
    known
      .filter(({ affected }) => affected.some((one) => isAffected(version, one, comparePep440)))
      .map(({ id }) => id);
  const found = admitted.map(hits);
  return found.some((ids) => ids.length === 0) ? [] : found.flat();
}

function admits(specifier: string, version: string): boolean {
  return specifier === '*' || satisfiesPep440(version, specifier, { prereleases: true });
}

function pointsOf({ affected }: PackageEntry): string[] {
  return affected.flatMap(({ ranges = [], versions = [] }) => [
    ...versions,
    ...ranges.flatMap(({ events }) =>
      events.flatMap(({ introduced, fixed, last_affected: last }) => {
        if (introduced === BEGINNING) return ['0'];
        return last === undefined ? [introduced ?? fixed ?? ''] : [last, `${last}.post99`];
      }),
    ),
  ]);
}

/** Without what is no version of Python. */
function withValid({ ranges = [], versions = [] }: OsvAffected): OsvAffected {
  const isUsable = ({ introduced, fixed, last_affected }: OsvEvent): boolean => {
    const version = introduced ?? fixed ?? last_affected;
    return version !== undefined && (version === BEGINNING || valid(version) !== null);
  };
  return {
    ranges: ranges.map(({ events }) => ({ events: events.filter(isUsable) })),
    versions: versions.filter((version) => valid(version) !== null),
  };
}

/** Their ids, in the order of `advisories`, without withdrawn ones. */
export function affecting(
  build: string,
  version: string,
  advisories: readonly Advisory[],
): string[] {
  return advisories
    .filter(({ withdrawn }) => withdrawn === undefined)
    .filter(({ affected }) =>
      affected.some((one) => {
        return one.database_specific.build === build && isAffected(version, one, comparePrecedence);
      }),
    )
    .map(({ id }) => id);
}

/**
 * An entry of any OSV database, as far as it is evaluated: fields that are not listed are dropped. So an advisory
 * of a newer registry is read, and entries of other ecosystems.
 */
const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
});

const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).optional(),
  versions: z.array(z.string()).optional(),
});

export const OsvEntry = z
  .object({
    id: z.string().min(1).max(200),
    modified: z.string(),
    withdrawn: z.string().optional(),
    aliases: z.array(z.string()).nullish(),
    summary: z.string().optional(),
    severity: z.array(z.object({ type: z.string(), score: z.string() })).nullish(),
    affected: z.array(Affected).nullish(),
    references: z.array(z.object({ type: z.string(), url: z.string() })).nullish(),
  })
  .meta({ title: 'OSV entry' });
export type OsvEntry = z.infer<typeof OsvEntry>;
