/** Compares specifiers of Python distributions. They may have any form: they come from manifests and from projects. */
import { satisfies } from '@renovatebot/pep440';
import { isSpecifier } from '../../../format/project/requirement.ts';

/** Whether one of two specifiers pins a version that the other excludes. */
export function excludes(a: string, b: string): boolean {
  return isPinnedOutside(a, b) || isPinnedOutside(b, a);
}

function isPinnedOutside(pinned: string, other: string): boolean {
  const version = pinnedVersion(pinned);
  if (version === undefined || other === '*' || !isSpecifier(other)) return false;
  return !satisfies(version, other, { prereleases: true });
}

/** The version of a clause `==1.2.3`; `undefined` for `==1.2.*`. */
export function pinnedVersion(specifier: string): string | undefined {
  if (!isSpecifier(specifier)) return undefined;
  for (const clause of specifier.split(',')) {
    const version = /^\s*={2,3}\s*([^\s*]+)\s*$/.exec(clause)?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}
