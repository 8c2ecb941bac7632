/** What the user should know about installed builds that stay as they are: yanks, and pins that hold newer versions back. */
import type { Head } from '../../format/index/record.ts';
import { isGone, OPEN, statusText } from '../../format/registry/status.ts';
import type { Lock } from '../../format/project/lock.ts';
import {
  compareVersions,
  isPrerelease,
  firstPublications,
} from '../../format/version/semver-range.ts';
import type { Warning } from '../plan/plan.ts';
import type { Registries } from '../registry/registries.ts';
import { advisorySentence, installedAdvisories } from '../../format/project/found-advisories.ts';
import { namesExactly } from '../resolve/request.ts';
import { BUILD_DANGER } from '../plan/question.ts';
import { optional } from '../registry/registry.ts';

/** The heads of installed builds, without those that cannot be read. */
export async function installedHeads(
  registry: Registries,
  lock: Pick<Lock, 'builds'>,
): Promise<Map<string, Head>> {
  const ids = Object.keys(lock.builds);
  const heads = await Promise.all(ids.map((id) => optional(() => registry.head(id))));
  return new Map(heads.flatMap((head) => (head === undefined ? [] : [[head.id, head]])));
}

function listedIn(
  heads: ReadonlyMap<string, Head>,
  id: string,
  version: string,
): Head['versions'][number] | undefined {
  return heads.get(id)?.versions.find((listed) => listed.version === version);
}

/** A warning for each installed version that was yanked or withdrawn, sorted by id. Pure. */
export function yankedNotes(
  { builds }: Pick<Lock, 'builds'>,
  heads: ReadonlyMap<string, Head>,
): Warning[] {
  return sorted(builds).flatMap(([id, { version }]) => {
    const { status } = listedIn(heads, id, version) ?? { status: OPEN };
    if (status.is === 'open') return [];
    const word = `${statusText(status)}${isGone(status) ? ', and its tarball is gone' : ''}`;
    const way =
      status.is === 'taken down' ? `; its files stay until you run "stackyard remove ${id}"` : '';
    const message = `"${id}" ${version}, which is installed, was ${word}: ${status.reason}${way}`;
    return [{ code: 'installed-yanked', message, path: '' }];
  });
}

/** A warning for each version that the registry rates as dangerous, sorted by id. Pure. */
export function dangerNotes(
  { builds }: Pick<Lock, 'builds'>,
  heads: ReadonlyMap<string, Head>,
): Warning[] {
  return sorted(builds).flatMap(([id, { version }]) => {
    const message = `"${id}" ${version} has risk "danger": see its findings with stackyard info`;
    return listedIn(heads, id, version)?.risk === 'danger'
      ? [{ code: BUILD_DANGER, message, path: '' }]
      : [];
  });
}

/** A warning for each installed version with advisories, sorted by id. Pure. */
export function advisoryNotes(
  lock: Pick<Lock, 'builds' | 'ignored'>,
  heads: ReadonlyMap<string, Head>,
): Warning[] {
  const byBuild = Map.groupBy(installedAdvisories(lock, heads), ({ build }) => build);
  return [...byBuild].flatMap(([id, found]) => {
    const sentence = advisorySentence(found);
    if (sentence === undefined) return [];
    const message = `"${id}" ${found[0]?.version}, which is installed, has ${sentence}`;
    return [{ code: 'installed-advisory', message, path: '' }];
  });
}

/** A warning for each exact version, of the user or of a build, that holds a newer one back, sorted by id. Pure. */
export function pinNotes(
  { builds }: Pick<Lock, 'builds'>,
  heads: ReadonlyMap<string, Head>,
): Warning[] {
  return sorted(builds).flatMap(([id, { version, requested }]) => {
    const [newest] = usableVersions(heads.get(id));
    if (newest === undefined || compareVersions(newest, version) <= 0) return [];
    const requirers = sorted(builds)
      .filter(([, other]) => namesExactly({ range: other.builds[id] }, version))
      .map(([other]) => `"${other}" requires exactly that`);
    const own = namesExactly({ range: requested }, version)
      ? [`the lock asks for exactly that: "stackyard update ${id}@^${newest}" releases it`]
      : [];
    const reasons = [...requirers, ...own];
    if (reasons.length === 0) return [];
    const message = `"${id}" stays at ${version}, and ${newest} is available: ${reasons.join('; ')}`;
    return [{ code: 'pin-holds-back', message, path: '' }];
  });
}

/** The versions that an update may choose without being asked for one, the highest first. */
export function usableVersions(head: Head | undefined): string[] {
  return firstPublications(head?.versions ?? [])
    .filter(({ version, status }) => status.is === 'open' && !isPrerelease(version))
    .map(({ version }) => version)
    .sort((a, b) => compareVersions(b, a));
}

function sorted<Value>(builds: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(builds).sort(([a], [b]) => (a < b ? -1 : 1));
}
