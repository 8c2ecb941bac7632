/** Lets commands read installed local builds from their places, as long as these have the bytes of the lock. */
import type { Lock } from '../../format/lock/lock.ts';
import { overlaid } from '../local/overlay.ts';
import { chooseProject } from '../project/choose-project.ts';
import type { ProjectChoice } from '../project/choose-project.ts';
import type { Registries } from '../registry/registries.ts';

/** The parts of builds that name their places. */
export interface Sourced {
  readonly integrity: string;
  readonly source?: string | undefined;
}

/** `registry`, with the local builds of `lock` over it. */
export function withSources(
  registry: Registries,
  choice: ProjectChoice,
  lock: Lock | undefined,
  signal: AbortSignal,
): Registries {
  const builds = Object.entries(lock?.builds ?? {});
  if (!builds.some(([, { source }]) => source !== undefined)) return registry;
  return overSources(registry, chooseProject(choice), new Map(builds), signal);
}

/** `registry`, with the places of `builds` over it, by id. */
export function overSources(
  registry: Registries,
  project: string,
  builds: ReadonlyMap<string, Sourced>,
  signal: AbortSignal,
): Registries {
  return overlaid(registry, {
    builds: new Map(),
    installed: async (id, integrity) => {
      const { source, integrity: own } = builds.get(id) ?? {};
      if (source === undefined || own !== integrity) return undefined;
      const { bytesOfSource } = await import('../local/local-build.ts');
      return bytesOfSource({ source, project, signal }, id, integrity);
    },
  });
}
