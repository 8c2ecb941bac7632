/** A registry with local builds over it: commands that resolve, download and plan need not know them. */
import type { Head } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { chooseProject, type ProjectChoice } from '../project/choose-project.ts';
import type { Registries } from './registries.ts';
import { isUnreachable } from './registry-entry.ts';

export interface LocalBuild {
  readonly id: string;
  /** As in a lock. */
  readonly source: string;
  readonly integrity: string;
  readonly bytes: Uint8Array;
  readonly head: Head;
}

/**
 * `registry`, except for the heads and tarballs of `builds`, which are by id.
 * @param installed the tarball of an installed local build; `undefined` where the registry is to be asked
 */
export function overlaid(
  registry: Registries,
  builds: ReadonlyMap<string, LocalBuild>,
  installed?: (id: string, integrity: string) => Promise<Uint8Array | undefined>,
): Registries {
  const head: Registries['head'] = async (id, requirers) =>
    builds.get(id)?.head ?? registry.head(id, requirers);
  const tarball: Registries['tarball'] = async (id, number, integrity) => {
    const local = builds.get(id);
    if (local?.integrity === integrity) return local.bytes;
    try {
      const bytes = await installed?.(id, integrity);
      if (bytes !== undefined) return bytes;
    } catch (error) {
      // It may be published by now, with the same bytes.
      return registry.tarball(id, number, integrity).catch(() => Promise.reject(error));
    }
    return registry.tarball(id, number, integrity);
  };
  const isLocal = builds.size > 0;
  // A registry that does not answer has no news of what is installed, and of a local build it has none anyway.
  const checkInstalled: Registries['checkInstalled'] = (wanted) =>
    registry.checkInstalled(wanted).catch((error: unknown) => {
      if (!isLocal || !isUnreachable(error)) throw error;
    });
  const version: Registries['version'] = (id, number) =>
    registry.version(id, number).catch((error: unknown) => {
      if (!builds.has(id) || !isUnreachable(error)) throw error;
      return undefined;
    });
  const own = { head, tarball, checkInstalled, version };
  // Not a subclass: what lies below may be any kind of registry.
  return new Proxy(registry, {
    get: (target, key) => {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** `registry`, with the local builds of `lock` over it. */
export function withSources(
  registry: Registries,
  choice: ProjectChoice,
  lock: Lock | undefined,
): Registries {
  const builds = Object.values(lock?.builds ?? {});
  if (!builds.some(({ source }) => source !== undefined)) return registry;
  const project = chooseProject(choice);
  return overlaid(registry, new Map(), async (id, integrity) => {
    const { source, integrity: own } = lock!.builds[id] ?? {};
    if (source === undefined || own !== integrity) return undefined;
    const { bytesOfSource } = await import('../project/local-build.ts');
    return bytesOfSource({ source, project }, id, integrity);
  });
}
