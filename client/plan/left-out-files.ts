/**
 * Leaves out the files of foundations that need consent which the user has not given. They are a convenience, such as a
 * CI workflow: without them the project works, so they must not stop it. Pure.
 */
import { pathProtection } from '../../format/build/protected-path.ts';
import { isOwnGuide, targetPath } from './files.ts';
import type { FetchedBuild, PlanInput, Warning } from './plan.ts';

/** @returns the builds without these files, and a warning that names them */
export function leaveOutFiles({ builds, lock, allow }: PlanInput): {
  readonly builds: readonly FetchedBuild[];
  readonly warnings: readonly Warning[];
} {
  const warnings: Warning[] = [];
  const kept = builds.map((build) => {
    if (build.manifest.kind !== 'foundation') return build;
    const installed = lock?.builds[build.id]?.files ?? {};
    const leftOut = new Map<string, string>();
    const files = [...build.files].filter(([from]) => {
      const path = targetPath(build, from);
      const group = pathProtection(path);
      const needsConsent = group !== undefined && group !== 'never' && !isOwnGuide(build, path);
      // What the installed version has was consented to.
      if (!needsConsent || allow.has(group) || Object.hasOwn(installed, path)) return true;
      leftOut.set(from, group);
      return false;
    });
    if (leftOut.size === 0) return build;
    warnings.push({
      code: 'files-left-out',
      path: '',
      message: describeLeftOut(build.id, leftOut),
    });
    return { ...build, files: new Map(files) };
  });
  return { builds: kept, warnings };
}

/** @param leftOut the group of each file, by its path in the build */
function describeLeftOut(id: string, leftOut: ReadonlyMap<string, string>): string {
  const files = [...leftOut].map(([from, group]) => `${from} (${group})`).sort();
  const groups = [...new Set(leftOut.values())].sort();
  return `Left out ${files.join(', ')}: "stackyard view ${id} <file>" prints them, --allow ${groups.join(',')} installs them`;
}
