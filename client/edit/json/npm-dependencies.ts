/**
 * Decides which npm packages a package.json gets for builds, and which entries it keeps. A range of the
 * user is never changed: all ranges of run time that do not intersect are refused together. A range that a previous
 * version of a build added is replaced if it is unchanged.
 */
import { DEPENDENCY_TABLES } from '../../../format/project/stack-fact.ts';
import {
  compareVersions,
  isRange,
  lowestVersion,
  rangesIntersect,
} from '../../../format/version/semver-range.ts';
import { ClientError } from '../../errors.ts';
import { quote, type EditWarning } from '../project-file.ts';
import { compareText } from '../../../format/compare-text.ts';
import { type FoundPackage, keepPackage, tryIntersect } from './kept-package.ts';
import type {
  DependencyTables,
  EarlierNpm,
  EarlierNpmEntries,
  NpmOutcome,
  NpmRequirement,
} from './npm-requirement.ts';

const NOTHING_EARLIER: EarlierNpmEntries = { own: new Map(), others: new Map() };

export interface NpmAddition extends EarlierNpm {
  readonly name: string;
  /** The entry of the previous version that is replaced. */
  readonly instead?: EarlierNpm;
}

interface NpmPlan {
  readonly additions: readonly NpmAddition[];
  readonly outcomes: readonly NpmOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Packages whose ranges do not meet the one in the file, which was kept by decision. */
  readonly decided: readonly string[];
}

const ADDED = { action: 'added' } as const;
const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/;
const MAX_NPM_NAME_LENGTH = 214;

/**
 * The additions for `requirements` to a file with `tables`.
 * @param keep packages whose range in the file the user decided to keep
 * @throws {ClientError} `ERR_DEPENDENCY` with every build, its range and the range in the file
 */
export function planNpm(
  tables: DependencyTables,
  requirements: readonly NpmRequirement[],
  earlier: EarlierNpmEntries = NOTHING_EARLIER,
  keep: ReadonlySet<string> = new Set(),
): NpmPlan {
  for (const requirement of requirements) refuseStrange(requirement);
  const problems: string[] = [];
  const additions: NpmAddition[] = [];
  const outcomes: NpmOutcome[] = [];
  const warnings: EditWarning[] = [];
  const decided: string[] = [];
  const undecided: string[] = [];
  for (const [name, group] of groupByName(requirements)) {
    const found = findPackage(tables, name);
    const changed = earlier.own.get(name);
    const own = replaceable(found, name, group, earlier);
    if (found === undefined || own !== undefined) {
      const all = own === undefined ? group : [...group, ...(earlier.others.get(name) ?? [])];
      problems.push(...findClashes(all));
      const { range, table, given } = chooseRange(all);
      const isSame = own?.range === range && own.table === table;
      if (!isSame) {
        additions.push({ name, range, table, ...(own === undefined ? {} : { instead: own }) });
      }
      warnings.push(...given);
      const state = isSame ? ({ action: 'added', unchanged: true } as const) : ADDED;
      for (const { build, range: wanted, table: requirement } of group) {
        const dev = requirement === 'devDependencies' ? ({ dev: true } as const) : {};
        outcomes.push({ name, range, table, ...state, build, wanted, ...dev });
      }
      continue;
    }
    const isDecided = keep.has(name) || earlier.decided?.get(name) === found.range;
    const kept = group.map((requirement) => keepPackage(requirement, found, changed, isDecided));
    const clashes = isDecided ? [] : findClashes(group);
    const conflicts = [...clashes, ...kept.flatMap(({ problem }) => problem ?? [])];
    if (conflicts.length > 0) undecided.push(name);
    problems.push(...conflicts);
    warnings.push(...kept.flatMap((entry) => entry.warnings));
    outcomes.push(...kept.map(({ outcome }) => outcome));
    const isConflict = (requirement: NpmRequirement): boolean =>
      requirement.table === 'dependencies' &&
      tryIntersect(found.range, requirement.range) === false;
    if (group.some(isConflict) || findClashes(group).length > 0) decided.push(name);
  }
  if (problems.length > 0) {
    const option = undecided.length === 0 ? '' : `; --keep ${undecided.join(',')} keeps yours`;
    throw new ClientError('ERR_DEPENDENCY', `Cannot edit "package.json": ${problems.join('; ')}`, {
      hint: `change the range in package.json, or choose other versions of the builds${option}`,
    });
  }
  return { additions, outcomes, warnings, decided };
}

/** The entry that may be replaced: an unchanged own one, or what others need for development only. */
function replaceable(
  found: FoundPackage | undefined,
  name: string,
  group: readonly NpmRequirement[],
  { own, developed, others }: EarlierNpmEntries,
): EarlierNpm | undefined {
  const isFound = (entry: EarlierNpm | undefined): entry is EarlierNpm =>
    entry !== undefined && entry.table === found?.table && entry.range === found.range;
  const mine = own.get(name);
  if (isFound(mine)) return mine;
  const theirs = developed?.get(name);
  if (!isFound(theirs) || isRuntime(others.get(name) ?? [])) return undefined;
  const isUnmet = (requirement: NpmRequirement): boolean =>
    !rangesIntersect(requirement.range, theirs.range);
  return group.some((requirement) => requirement.table === 'dependencies' && isUnmet(requirement))
    ? theirs
    : undefined;
}

/** One entry for all requirements. What is needed for development only yields to the others. */
function chooseRange(all: readonly NpmRequirement[]): {
  readonly range: string;
  readonly table: NpmOutcome['table'];
  readonly given: readonly EditWarning[];
} {
  const table = isRuntime(all) ? 'dependencies' : 'devDependencies';
  const isClear = all.every((a) => all.every((b) => rangesIntersect(a.range, b.range)));
  const range = highest(isClear ? all : all.filter((requirement) => requirement.table === table));
  const given = all
    .filter(
      (requirement) =>
        requirement.table === 'devDependencies' && !rangesIntersect(requirement.range, range),
    )
    .map(({ build, name, range: wanted }) => ({
      code: 'npm-dev-range',
      message: `${quote(build)} wants ${quote(name)} ${quote(wanted)} for development only; ${quote(range)} is used`,
    }));
  return { range, table, given };
}

function isRuntime(requirements: readonly NpmRequirement[]): boolean {
  return requirements.some((requirement) => requirement.table === 'dependencies');
}

function refuseStrange(requirement: NpmRequirement): void {
  const isName = NPM_NAME.test(requirement.name) && requirement.name.length <= MAX_NPM_NAME_LENGTH;
  if (isName && isRange(requirement.range)) return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add npm package ${quote(requirement.name)} with range ${quote(requirement.range)} for ${quote(requirement.build)}`,
    { hint: 'a build may ask for npm names with semver ranges only' },
  );
}

/** Packages by name; within each, the requirements in order of build. */
function groupByName(requirements: readonly NpmRequirement[]): Map<string, NpmRequirement[]> {
  const sorted = requirements.toSorted(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.build, b.build) ||
      compareText(a.table, b.table) ||
      compareText(a.range, b.range),
  );
  return Map.groupBy(sorted, (requirement) => requirement.name);
}

/** The pairs that are both needed at run time and do not go together. */
function findClashes(all: readonly NpmRequirement[]): string[] {
  const group = all.filter((requirement) => requirement.table === 'dependencies');
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
function highest(group: readonly NpmRequirement[]): string {
  return group
    .map((requirement) => requirement.range)
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
