/** Versions that were not chosen because they require what the registry does not have. */
import type { Head, HeadVersion } from '../../format/index/record.ts';
import {
  compareVersions,
  firstPublications,
  isPrerelease,
  satisfies,
} from '../../format/version/semver-range.ts';
import type { Warning } from '../plan/plan.ts';
import type { BuildRequest } from '../resolve/request.ts';

/**
 * A warning for each requested build whose newest version in range requires a build that the registry does
 * not have, or of which it has no version in range.
 * @param heads those that the resolution used, without versions that are too new
 * @param headOf the head of any build, as another one requires it
 */
export async function passedOver(
  requests: readonly BuildRequest[],
  chosen: ReadonlyMap<string, HeadVersion>,
  heads: ReadonlyMap<string, Head>,
  headOf: (id: string, requirer: string) => Promise<Head | undefined>,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const { id, range } of requests) {
    const version = chosen.get(id)?.version;
    if (version === undefined) continue;
    const higher = firstPublications(heads.get(id)?.versions ?? [])
      .filter((other) => other.status.is === 'open' && !isPrerelease(other.version))
      .filter((other) => range === undefined || satisfies(other.version, range))
      .filter((other) => compareVersions(other.version, version) > 0)
      .sort((a, b) => compareVersions(b.version, a.version));
    const [newest] = higher;
    const problem = newest === undefined ? undefined : await problemOf(id, newest, headOf);
    if (newest === undefined || problem === undefined) continue;
    const message = `"${id}" ${newest.version} was passed over, and ${version} chosen: it requires ${problem}`;
    warnings.push({ code: 'version-passed-over', message, path: '' });
  }
  return warnings;
}

async function problemOf(
  id: string,
  { builds, version }: HeadVersion,
  headOf: (id: string, requirer: string) => Promise<Head | undefined>,
): Promise<string | undefined> {
  for (const [required, range] of Object.entries(builds)) {
    if (required === id && !satisfies(version, range)) return `itself in ${range}`;
    const head = await headOf(required, id);
    if (head === undefined) return `"${required}" ${range}, which the registry does not have`;
    const usable = firstPublications(head.versions).filter(({ status }) => status.is === 'open');
    if (!usable.some((other) => satisfies(other.version, range))) {
      return `"${required}" ${range}, and the registry has no such version`;
    }
  }
  return undefined;
}
