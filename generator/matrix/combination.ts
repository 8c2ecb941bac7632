/** One cell of the matrix: a version of one tag with the newest, or the lowest, of the others. */
import type { MatrixRow } from '../../format/index/compatibility.ts';
import type { Axis } from './axis.ts';

export interface Combination {
  readonly tag: string;
  readonly version: string;
  readonly others: MatrixRow['others'];
  /** The version of every tag, with that of this one. */
  readonly versions: Readonly<Record<string, string>>;
}

/** The combinations with the newest of the others: the newest of all first, then tag by tag. */
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
 * @param hasMore whether the build brings packages that are no axis, such as types
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
  const entries = axes.map((axis) => {
    const other = others === 'newest' ? axis.versions.at(-1)! : axis.versions[0]!;
    return [axis.tag, axis.tag === tag ? version : other] as const;
  });
  return { tag, version, others, versions: Object.fromEntries(entries) };
}
