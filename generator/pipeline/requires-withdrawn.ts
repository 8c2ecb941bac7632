/** Warns the builds that require a withdrawn version: nothing that they publish prevents a withdrawal. */
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { finding, publishFinding } from '../../format/finding/finding.ts';
import type { PublishedFinding } from '../../format/finding/finding.ts';
import { statusOf } from '../../format/registry/status.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import type { State } from '../state/state.ts';

/**
 * Version to findings, of the versions of `id` whose ranges admit a withdrawn version.
 * @param gone every withdrawn version of the registry, as `<id>@<version>`
 */
export function requiresWithdrawn(
  state: State,
  id: string,
  gone: ReadonlySet<string>,
): Record<string, PublishedFinding[]> {
  const found: Record<string, PublishedFinding[]> = {};
  // Most registries have no withdrawn version.
  if (gone.size === 0) return found;
  for (const { version, build, range } of state.withdrawals.requirementsOf(id)) {
    const admitted = state.risksOf(build).filter((one) => satisfies(one.version, range));
    const lost = admitted.filter((one) => gone.has(`${build}@${one.version}`));
    if (lost.length === 0) continue;
    const [owner = '', name = ''] = build.split('/');
    const file = state.ownerFile(owner);
    const isLeft = admitted.some((one) => statusOf(file, name, one.version).is === 'open');
    const code = isLeft ? 'requires-withdrawn-some' : 'requires-withdrawn-all';
    const versions = lost
      .map((one) => one.version)
      .sort(compareVersions)
      .join(', ');
    const one = finding(code, MANIFEST_FILE, { build, range, versions });
    (found[version] ??= []).push(publishFinding(one));
  }
  return found;
}

/** Builds that require one of `ids` with a withdrawn version: their findings follow what is published and yanked there. */
export function requirersOfWithdrawn(
  state: State,
  ids: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): string[] {
  const withdrawn = new Set([...gone].map((one) => one.slice(0, one.indexOf('@'))));
  return [...withdrawn]
    .filter((id) => ids.has(id))
    .flatMap((id) => state.withdrawals.requiring(id));
}
