/** Which stack tags of a build are met: by the project, by installed builds, by the build itself. */
import type { HeadVersion } from '../../format/index/head.ts';
import type { LockedBuild } from '../../format/lock/lock.ts';
import type { StackFact } from '../../format/project/declared-stack.ts';
import { isIn } from '../../format/project/declared-stack.ts';
import { admits } from '../../format/version/admits.ts';

interface TagInput {
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides'>>;
  readonly stack: ReadonlyMap<string, StackFact>;
  readonly assumed?: ReadonlySet<string>;
}

/** Whether the project, or a build that is installed in it, provides `tag` in `range`. */
export function isInProject(
  { assumed, stack, locked }: TagInput,
  tag: string,
  range: string,
): boolean {
  if (assumed?.has(tag) === true) return true;
  if (isIn(stack, tag, range)) return true;
  return [...locked.values()].some(
    (build) => build.provides.includes(tag) && admits(build.version, range),
  );
}

/** The tags of `version` that other builds of a solution must provide: tag and range, sorted. */
export function openTags(input: TagInput, version: HeadVersion): [string, string][] {
  return Object.entries(version.requires)
    .filter(([tag, range]) => {
      const isOwn = version.provides.includes(tag) && admits(version.version, range);
      return !isOwn && !isInProject(input, tag, range);
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
