/** What builds require of Python distributions, and which of these requirements go together. */
import { satisfies } from '@renovatebot/pep440';
import type { PipTable } from '../../../format/project/pyproject.ts';
import { quote, type EditWarning } from '../project-file.ts';
import { isSpecifier } from '../../../format/project/requirement.ts';

/** A distribution that a build needs, from a manifest: untrusted. */
export interface PipWish {
  /** With extras, as in `uvicorn[standard]`. */
  readonly name: string;
  readonly specifier: string;
  readonly build: string;
  /** What is needed for development only gives way; run time when absent. */
  readonly table?: PipTable;
}

export interface TablePipWish extends PipWish {
  readonly table: PipTable;
}

/** Whether `wish` gives way to those of run time. */
export function isForDevelopment({ table }: PipWish): boolean {
  return table === 'devDependencies';
}

/** The wishes that decide: without those for development that exclude one of run time, or an earlier one. */
export function withoutGivenWay(group: readonly PipWish[]): PipWish[] {
  const used = group.filter((wish) => !isForDevelopment(wish));
  for (const wish of group.filter(isForDevelopment)) {
    if (!used.some((other) => excludes(wish.specifier, other.specifier))) used.push(wish);
  }
  return group.filter((wish) => used.includes(wish));
}

/** The warning about a wish that gave way to `used`. */
export function givenWay({ build, name, specifier }: PipWish, used: string): EditWarning {
  const wanted = `${quote(build)} wants ${quote(name)} ${quote(specifier)}`;
  return {
    code: 'pip-dev-specifier',
    message: `${wanted} for development only; ${quote(used)} is used`,
  };
}

/** The pairs that are both needed at run time and exclude each other. */
export function findClashes(all: readonly PipWish[]): string[] {
  const group = all.filter((wish) => !isForDevelopment(wish));
  return group.flatMap((a, index) =>
    group
      .slice(index + 1)
      .filter((b) => excludes(a.specifier, b.specifier))
      .map(
        (b) =>
          `${quote(a.build)} wants ${quote(a.name)} ${quote(a.specifier)} and ${quote(b.build)} wants ${quote(b.specifier)}`,
      ),
  );
}

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
