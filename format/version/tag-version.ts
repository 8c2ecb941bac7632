/** Versions of what a stack tag names: npm packages and runtimes by semver, pip distributions by PEP 440. */
import { compare, satisfies as satisfiesPep440, valid } from '@renovatebot/pep440';
import { comparePrecedence, isPrerelease, satisfies } from './semver-range.ts';
import { isVersion } from './version.ts';

/** Whether `text` is a version of either form. */
export function isTagVersion(text: string): boolean {
  return text.length <= 128 && (isVersion(text) || valid(text) !== null);
}

/** The order of two versions of one tag; text that is no version comes first. */
export function compareTagVersions(a: string, b: string): number {
  if (isVersion(a) && isVersion(b)) return comparePrecedence(a, b);
  if (valid(a) !== null && valid(b) !== null) return compare(a, b);
  return Number(isTagVersion(a)) - Number(isTagVersion(b)) || (a < b ? -1 : Number(a > b));
}

/** Whether a range of a manifest, of npm or of pip, admits a version. */
export function admitsTagVersion(range: string, version: string): boolean {
  if (range === '*') return isTagVersion(version);
  if (isVersion(version) && satisfies(version, range)) return true;
  return valid(version) !== null && satisfiesPep440(version, range);
}

/** Whether it is a release, as package managers install it by default. */
export function isRelease(version: string): boolean {
  if (isVersion(version)) return !isPrerelease(version);
  return valid(version) !== null && !/[a-z]/i.test(version.replace(/\.?post\d+$/i, ''));
}

/** The first number: versions of one major are meant to be compatible. */
export function majorOf(version: string): number {
  return Number(/^v?(?:\d+!)?(\d+)/.exec(version)?.[1] ?? 0);
}

/** Whether an installed or chosen version meets a range. */

/** Whether `version` lies in `range`; `*` admits prereleases too, because the version is already chosen. */
export function admits(version: string, range: string = '*'): boolean {
  return range.trim() === '*' || satisfies(version, range);
}
