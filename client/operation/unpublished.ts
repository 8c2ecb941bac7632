/** Finds the local builds that an update leaves alone, because the registry has nothing to replace them by. */
import type { Lock } from '../../format/lock/lock.ts';
import { compareVersions, satisfies } from '../../format/version/semver-range.ts';
import type { Warning } from '../plan/plan.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';

interface Wishes {
  readonly lock: Lock;
  readonly registry: Registries;
  readonly requests: readonly BuildRequest[];
  readonly latest: boolean;
  /** The places of local builds that replace installed ones. */
  readonly sources?: ReadonlyMap<string, string>;
}

/** Each with a warning; a version that is not lower than the local one, and in range, would replace it. */
export async function unpublished({
  lock,
  registry,
  requests,
  latest,
  sources,
}: Wishes): Promise<{ readonly id: string; readonly warning: Warning }[]> {
  const held: { id: string; warning: Warning }[] = [];
  for (const [id, { source, version, requested }] of Object.entries(lock.builds)) {
    if (source === undefined || sources?.has(id) === true) continue;
    const wanted = requests.find((request) => request.id === id)?.range;
    const range = wanted ?? (latest ? undefined : requested);
    const head = await registry.head(id);
    const isReplaced = head?.versions.some((listed) => {
      const isInRange = range === undefined || satisfies(listed.version, range);
      return listed.yanked === false && isInRange && compareVersions(listed.version, version) >= 0;
    });
    if (isReplaced === true) continue;
    const message = `"${id}" ${version} stays from "${source}": the registry has no such version or a newer one yet`;
    held.push({ id, warning: { code: 'local-source', message, path: '' } });
  }
  return held;
}
