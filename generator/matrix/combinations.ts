/** What is measured of a build: the runtimes and packages of which its manifest names a range, one varied at a time. */
import type { MatrixRow } from '../../format/index/compatibility.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { majorOf } from '../../format/version/tag-version.ts';
import { namesOfTag } from '../../scan/rules/quality/tag-interface.ts';

export type AxisKind = 'node' | 'python' | 'npm' | 'pip';

/** A tag with its range; `Axis` has the versions. */
interface WantedAxis {
  readonly tag: string;
  readonly kind: AxisKind;
  readonly range: string;
}

export interface Axis extends WantedAxis {
  /** Lowest first, at least one. */
  readonly versions: readonly string[];
}

/** Whether its code is Python. */
export function isPython({ files }: Pick<PackageRecord, 'files'>): boolean {
  const has = (ending: RegExp): boolean => files.some(({ path }) => ending.test(path));
  return has(/\.py$/) && !has(/\.[cm]?[jt]sx?$/);
}

/** Sorted by tag. A stack tag names a runtime, or a package of the language that the build is written in; or what builds promise. */
export function axesOf(record: Pick<PackageRecord, 'files' | 'manifest'>): WantedAxis[] {
  const { stack, dependencies } = record.manifest;
  const own: AxisKind = isPython(record) ? 'pip' : 'npm';
  const axes = new Map<string, WantedAxis>();
  const add = (tag: string, range: string, kind: AxisKind): void => {
    axes.set(tag, { tag, range, kind });
  };
  for (const [name, range] of Object.entries(dependencies?.pip ?? {})) {
    add(normalizePipName(name), range, 'pip');
  }
  for (const [name, range] of Object.entries(dependencies?.npm ?? {})) add(name, range, 'npm');
  for (const [tag, range] of Object.entries(stack?.requires ?? {})) {
    // There are packages of these names, and no build means them.
    if (namesOfTag(tag) !== undefined) continue;
    add(tag, range, tag === 'node' || tag === 'python' ? tag : own);
  }
  return [...axes.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1));
}

/** One cell of the matrix: a version of one tag with the newest, or the lowest, of the others. */
export interface Combination {
  readonly tag: string;
  readonly version: string;
  readonly others: MatrixRow['others'];
  /** The version of every tag, with that of this one. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * The combinations with the newest of the others: the newest of all first, then tag by tag. Packages of one scope, such as `@nestjs/`, are
 * of the same major version.
 */
export function combinationsOf(axes: readonly Axis[]): Combination[] {
  const all = axes.flatMap(({ tag, versions }) =>
    versions.toReversed().map((version) => combine(axes, tag, version, 'newest')),
  );
  const isNewest = ({ tag, version }: Combination): boolean =>
    axes.some((axis) => axis.tag === tag && axis.versions.at(-1) === version);
  return [...all.filter(isNewest), ...all.filter((one) => !isNewest(one))];
}

/**
 * The same version with the lowest of the others; `undefined` where that changes nothing.
 * @param hasMore whether the build brings packages that are not axis, such as types
 */
export function withLowest(
  axes: readonly Axis[],
  one: Combination,
  hasMore: boolean,
): Combination | undefined {
  const lowest = combine(axes, one.tag, one.version, 'lowest');
  return keyOf(lowest) === keyOf(one) && !hasMore ? undefined : lowest;
}

/** What is the same for combinations that need to be measured once. */
export function keyOf({ versions }: Combination): string {
  return JSON.stringify(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function combine(
  axes: readonly Axis[],
  tag: string,
  version: string,
  others: MatrixRow['others'],
): Combination {
  const scope = /^@[^/]+\//.exec(tag)?.[0];
  const entries = axes.map((axis) => {
    const isKin = scope !== undefined && axis.tag.startsWith(scope);
    const same = axis.versions.filter((one) => majorOf(one) === majorOf(version));
    const versions = isKin && same.length > 0 ? same : axis.versions;
    const other = others === 'newest' ? versions.at(-1)! : versions[0]!;
    return [axis.tag, axis.tag === tag ? version : other] as const;
  });
  return { tag, version, others, versions: Object.fromEntries(entries) };
}
