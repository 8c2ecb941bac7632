/**
 * Decides which npm packages a package.json gets for builds, and which entries it keeps. A range of the
 * user is never changed: all ranges that do not intersect are refused together. A range that a previous
 * version of a build added is replaced if it is unchanged.
 */
import {
  MAX_RANGE_LENGTH,
  compareVersions,
  isRange,
  lowestVersion,
  rangesIntersect,
} from '../../../format/version/semver-range.ts';
import { ClientError } from '../../errors.ts';
import type { EditWarning } from '../project-file.ts';
import { quote } from '../project-file.ts';
import { compareText } from '../../../format/compare-text.ts';

type NpmTable = 'dependencies' | 'devDependencies';

/** A package that a build needs, from a manifest: untrusted. */
export interface NpmWish {
  readonly name: string;
  readonly range: string;
  readonly table: NpmTable;
  readonly build: string;
}

/** The entry in package.json for the package of one build; `range` is the text in the file. */
export interface NpmOutcome {
  readonly name: string;
  readonly range: string;
  readonly table: NpmTable;
  readonly action: 'added' | 'kept';
  readonly build: string;
  /** The range that the build requires. */
  readonly wanted: string;
  /** The previous version added it, and it stays the same. */
  readonly unchanged?: true;
}

/** A package that the lock records as added. */
interface EarlierNpm {
  readonly table: NpmTable;
  readonly range: string;
}

/** Packages of earlier installs, by name. */
export interface EarlierNpmEntries {
  /** Added by the versions that are replaced now. */
  readonly own: ReadonlyMap<string, EarlierNpm>;
  /** Required by other installed builds. */
  readonly others: ReadonlyMap<string, readonly NpmWish[]>;
}

const NOTHING_EARLIER: EarlierNpmEntries = { own: new Map(), others: new Map() };

/** The tables to read, in the order in which npm uses them. */
export const DEPENDENCY_TABLES = [
  'dependencies',
  'optionalDependencies',
  'devDependencies',
  'peerDependencies',
] as const;

export type DependencyTable = (typeof DEPENDENCY_TABLES)[number];

/** Table to package to specification, as in the file. */
export type DependencyTables = ReadonlyMap<DependencyTable, ReadonlyMap<string, string>>;

export interface NpmAddition extends EarlierNpm {
  readonly name: string;
  /** The entry of the previous version that is replaced. */
  readonly instead?: EarlierNpm;
}

export interface NpmPlan {
  readonly additions: readonly NpmAddition[];
  readonly outcomes: readonly NpmOutcome[];
  readonly warnings: readonly EditWarning[];
}

const ADDED = { action: 'added' } as const;
const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const MAX_NPM_NAME_LENGTH = 214;

/**
 * The additions for `wishes` to a file with `tables`.
 * @throws {ClientError} `ERR_DEPENDENCY` with every build, its range and the range in the file
 */
export function planNpm(
  tables: DependencyTables,
  wishes: readonly NpmWish[],
  earlier: EarlierNpmEntries = NOTHING_EARLIER,
): NpmPlan {
  for (const wish of wishes) refuseStrange(wish);
  const problems: string[] = [];
  const additions: NpmAddition[] = [];
  const outcomes: NpmOutcome[] = [];
  const warnings: EditWarning[] = [];
  for (const [name, group] of groupByName(wishes)) {
    const own = earlier.own.get(name);
    const found = findPackage(tables, name);
    const isOurs = own !== undefined && own.table === found?.table && own.range === found.range;
    if (found === undefined || isOurs) {
      const all = isOurs ? [...group, ...(earlier.others.get(name) ?? [])] : group;
      problems.push(...findClashes(all));
      const range = highest(all);
      const isRuntime = all.some((wish) => wish.table === 'dependencies');
      const table = isRuntime ? 'dependencies' : 'devDependencies';
      const isSame = isOurs && own.range === range && own.table === table;
      if (!isSame) additions.push({ name, range, table, ...(isOurs ? { instead: own } : {}) });
      const state = isSame ? ({ action: 'added', unchanged: true } as const) : ADDED;
      for (const { build, range: wanted } of group) {
        outcomes.push({ name, range, table, ...state, build, wanted });
      }
      continue;
    }
    problems.push(...findClashes(group));
    for (const wish of group) {
      const kept = keep(wish, found, own);
      problems.push(...kept.problems);
      warnings.push(...kept.warnings);
      outcomes.push(kept.outcome);
    }
  }
  if (problems.length > 0) {
    throw new ClientError('ERR_DEPENDENCY', `Cannot edit "package.json": ${problems.join('; ')}`, {
      hint: 'change the range in package.json, or choose other versions of the builds',
    });
  }
  return { additions, outcomes, warnings };
}

interface FoundPackage {
  readonly table: DependencyTable;
  readonly range: string;
}

function refuseStrange(wish: NpmWish): void {
  const isName = NPM_NAME.test(wish.name) && wish.name.length <= MAX_NPM_NAME_LENGTH;
  if (isName && isRange(wish.range)) return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add npm package ${quote(wish.name)} with range ${quote(wish.range)} for ${quote(wish.build)}`,
    { hint: 'a build may ask for npm names with semver ranges only' },
  );
}

/** Packages by name; within each, the wishes in order of build. */
function groupByName(wishes: readonly NpmWish[]): Map<string, NpmWish[]> {
  const sorted = wishes.toSorted(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.build, b.build) ||
      compareText(a.table, b.table) ||
      compareText(a.range, b.range),
  );
  return Map.groupBy(sorted, (wish) => wish.name);
}

function findClashes(group: readonly NpmWish[]): string[] {
  return group.flatMap((a, index) =>
    group
      .slice(index + 1)
      .filter((b) => !rangesIntersect(a.range, b.range))
      .map(
        (b) =>
          `${quote(a.build)} wants ${quote(a.name)} ${quote(a.range)} and ${quote(b.build)} wants ${quote(b.range)}`,
      ),
  );
}

/** The range with the highest lowest version; the first build's among equals. */
function highest(group: readonly NpmWish[]): string {
  return group
    .map((wish) => wish.range)
    .reduce((best, range) =>
      compareVersions(lowestVersion(range) ?? '0.0.0', lowestVersion(best) ?? '0.0.0') > 0
        ? range
        : best,
    );
}

function findPackage(tables: DependencyTables, name: string): FoundPackage | undefined {
  for (const table of DEPENDENCY_TABLES) {
    const range = tables.get(table)?.get(name);
    if (range !== undefined) return { table, range };
  }
  return undefined;
}

function keep(
  wish: NpmWish,
  found: FoundPackage,
  own: EarlierNpm | undefined,
): { problems: string[]; warnings: EditWarning[]; outcome: NpmOutcome } {
  const { name, build } = wish;
  const table = found.table === 'optionalDependencies' ? 'dependencies' : found.table;
  const outcome: NpmOutcome = {
    name,
    range: found.range,
    table: table === 'peerDependencies' ? wish.table : table,
    action: 'kept',
    build,
    wanted: wish.range,
  };
  const wanted = `${quote(build)} wants ${quote(name)} ${quote(wish.range)}`;
  const meets = tryIntersect(found.range, wish.range);
  if (meets === false) {
    const since = own === undefined ? '' : `, changed from ${quote(own.range)}`;
    const problem = `${wanted}, but "${found.table}" has ${quote(found.range)}${since}`;
    return { problems: [problem], warnings: [], outcome };
  }
  const warnings: EditWarning[] = [];
  if (meets === undefined) {
    const message = `${wanted}; "${found.table}" has ${quote(found.range)}, which cannot be compared: it was kept`;
    warnings.push({ code: 'npm-spec', message });
  } else if (own !== undefined && own.range !== found.range && found.range !== wish.range) {
    const message = `${wanted}; "${found.table}" has ${quote(found.range)}, changed from ${quote(own.range)}: it was kept`;
    warnings.push({ code: 'npm-range-kept', message });
  }
  if (wish.table === 'dependencies' && found.table === 'devDependencies') {
    const message = `${wanted} at run time; it is only in "devDependencies": it was kept there`;
    warnings.push({ code: 'dev-only', message });
  }
  return { problems: [], warnings, outcome };
}

/** Whether some version is in both ranges; `undefined` when `found` is not a range, such as a tag or a URL. */
function tryIntersect(found: string, wanted: string): boolean | undefined {
  if (found.length > MAX_RANGE_LENGTH) return undefined;
  try {
    return rangesIntersect(found.trim() === '' ? '*' : found, wanted);
  } catch {
    return undefined;
  }
}
