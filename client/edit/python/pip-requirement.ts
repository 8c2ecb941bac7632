/** What builds require of Python distributions, and which of these requirements go together. */
import { satisfies } from '@renovatebot/pep440';
import type { PipTable } from '../../../format/project/pyproject.ts';
import { quote, type EditWarning } from '../project-file.ts';
import { isSpecifier } from '../../../format/project/requirement.ts';

/** A distribution that a build needs, from a manifest: untrusted. */
export interface PipRequirement {
  /** With extras, as in `uvicorn[standard]`. */
  readonly name: string;
  readonly specifier: string;
  readonly build: string;
  /** What is needed for development only yields; run time when absent. */
  readonly table?: PipTable;
}

export interface TablePipRequirement extends PipRequirement {
  readonly table: PipTable;
}

/** Whether `requirement` yields to those of run time. */
export function isForDevelopment({ table }: PipRequirement): boolean {
  return table === 'devDependencies';
}

/** The requirements that decide: without those for development that exclude one of run time, or an earlier one. */
export function withoutGivenWay(group: readonly PipRequirement[]): PipRequirement[] {
  const used = group.filter((requirement) => !isForDevelopment(requirement));
  for (const requirement of group.filter(isForDevelopment)) {
    if (!used.some((other) => excludes(requirement.specifier, other.specifier)))
      used.push(requirement);
  }
  return group.filter((requirement) => used.includes(requirement));
}

/** The warning about a requirement that gave way to `used`. */
export function givenWay({ build, name, specifier }: PipRequirement, used: string): EditWarning {
  const wanted = `${quote(build)} wants ${quote(name)} ${quote(specifier)}`;
  return {
    code: 'pip-dev-specifier',
    message: `${wanted} for development only; ${quote(used)} is used`,
  };
}

/** The pairs that are both needed at run time and exclude each other. */
export function findClashes(all: readonly PipRequirement[]): string[] {
  const group = all.filter((requirement) => !isForDevelopment(requirement));
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
