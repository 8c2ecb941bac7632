/**
 * Compares a package that a package.json already has with what a build requires. The entry is kept. Ranges
 * that do not intersect are a problem at run time only, unless the user decided for the project's.
 */
import type { DependencyTable } from '../../../format/project/stack-fact.ts';
import { MAX_RANGE_LENGTH, rangesIntersect } from '../../../format/version/semver-range.ts';
import { type EditWarning, quote } from '../project-file.ts';
import type { EarlierNpm, NpmOutcome, NpmRequirement } from './npm-requirement.ts';

/** The entry of a package.json for one package. */
export interface FoundPackage {
  readonly table: DependencyTable;
  readonly range: string;
}

interface KeptPackage {
  /** Set when the ranges do not intersect and nobody decided. */
  readonly problem?: string;
  readonly warnings: readonly EditWarning[];
  readonly outcome: NpmOutcome;
}

/**
 * @param own the entry that a previous version of the build added, which the user changed
 * @param isDecided whether the user decided for the project's range
 */
export function keepPackage(
  requirement: NpmRequirement,
  found: FoundPackage,
  own: EarlierNpm | undefined,
  isDecided: boolean,
): KeptPackage {
  const { name, build } = requirement;
  const table = found.table === 'optionalDependencies' ? 'dependencies' : found.table;
  const outcome: NpmOutcome = {
    name,
    range: found.range,
    table: table === 'peerDependencies' ? requirement.table : table,
    action: 'kept',
    build,
    wanted: requirement.range,
    ...(requirement.table === 'devDependencies' ? { dev: true } : {}),
  };
  const wanted = `${quote(build)} wants ${quote(name)} ${quote(requirement.range)}`;
  const since = own === undefined ? '' : `, changed from ${quote(own.range)}`;
  const has = `${quote(found.table)} has ${quote(found.range)}`;
  const meets = tryIntersect(found.range, requirement.range);
  const isDev = requirement.table === 'devDependencies';
  if (meets === false && !isDev && !isDecided) {
    return { problem: `${wanted}, but ${has}${since}`, warnings: [], outcome };
  }
  const warnings: EditWarning[] = [];
  if (meets === false) {
    const message = isDev
      ? `${wanted} for development only; ${has}${since}: it was kept`
      : `${wanted}; ${has}, which you decided to keep`;
    warnings.push({ code: isDev ? 'npm-dev-range' : 'npm-decided', message });
  } else if (meets === undefined) {
    const message = `${wanted}; ${has}, which cannot be compared: it was kept`;
    warnings.push({ code: 'npm-spec', message });
  } else if (own !== undefined && own.range !== found.range && found.range !== requirement.range) {
    const message = `${wanted}; ${has}${since}: it was kept`;
    warnings.push({ code: 'npm-range-kept', message });
  }
  if (!isDev && found.table === 'devDependencies') {
    const message = `${wanted} at run time; it is only in "devDependencies": it was kept there`;
    warnings.push({ code: 'dev-only', message });
  }
  return { warnings, outcome };
}

/** Whether some version is in both ranges; `undefined` when `found` is not a range, such as a tag or a URL. */
export function tryIntersect(found: string, wanted: string): boolean | undefined {
  if (found.length > MAX_RANGE_LENGTH) return undefined;
  try {
    return rangesIntersect(found.trim() === '' ? '*' : found, wanted);
  } catch {
    return undefined;
  }
}
