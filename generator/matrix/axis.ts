/** What varies in the matrix of a build: the runtimes and packages of which its manifest names a range. */
import { normalizePipName } from '../../format/version/pep440.ts';
import type { PackageRecord } from '../../format/index/record.ts';

type AxisKind = 'node' | 'python' | 'npm' | 'pip';

/** A tag with its range; `Axis` has the versions. */
export interface WantedAxis {
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

/** Sorted by tag. A stack tag names a runtime, or a package of the language that the build is written in. */
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
    add(tag, range, tag === 'node' || tag === 'python' ? tag : own);
  }
  return [...axes.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1));
}
