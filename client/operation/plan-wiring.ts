/** From ids of installed builds to the plan that carries out their guides, or takes the steps out. Writes nothing. */
import type { Lock } from '../../format/lock/lock.ts';
import { defaultAddress } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { FetchedBuild, MadePlan } from '../plan/plan.ts';
import { fetchBuilds } from '../registry/fetch-builds.ts';
import type { Registries } from '../registry/registries.ts';
import { placeInstalled } from './place-builds.ts';
import { finishPlan, NO_CHANGES } from './plan-install.ts';

/** @throws {ClientError} `ERR_NOT_INSTALLED`, and those of the registry and the plan */
export async function planWiring(
  project: string,
  lock: Lock,
  ids: readonly string[],
  registry: Registries,
  allow: readonly string[],
): Promise<MadePlan> {
  checkInstalled(lock, ids);
  const installed = await fetchInstalled(project, lock, registry, ids);
  const without = installed
    .filter(({ wiredGuide }) => wiredGuide === undefined)
    .map(({ id }) => id);
  if (without.length > 0) {
    throw new ClientError(
      'ERR_USAGE',
      `The guide of ${without.join(', ')} has no step to carry out`,
      {
        hint: `read its steps with "stackyard info ${without[0]} --integration"`,
      },
    );
  }
  const choices = { allow: new Set(allow), wiring: { wire: ids } };
  return finishPlan(project, { ...common('wire', lock), installed, ...choices });
}

/** @throws {ClientError} `ERR_NOT_INSTALLED`, `ERR_USAGE` for a build that is not wired */
export async function planUnwiring(
  project: string,
  lock: Lock,
  ids: readonly string[],
): Promise<MadePlan> {
  checkInstalled(lock, ids);
  const without = ids.filter((id) => lock.builds[id]?.wiring === undefined);
  if (without.length > 0) {
    throw new ClientError('ERR_USAGE', `Not wired: ${without.join(', ')}`, {
      hint: 'the lock records no step that was carried out for it',
    });
  }
  return finishPlan(project, { ...common('unwire', lock), wiring: { unwire: ids } });
}

/** The installed versions of builds, with their guides. @throws {ClientError} those of the registry */
export async function fetchInstalled(
  project: string,
  lock: Lock,
  registry: Registries,
  ids: readonly string[],
): Promise<FetchedBuild[]> {
  const fetched = await fetchBuilds(
    registry,
    ids.map((id) => [id, lock.builds[id]!] as const),
  );
  return placeInstalled(project, lock, fetched);
}

function common(
  command: 'wire' | 'unwire',
  lock: Lock,
): Omit<Parameters<typeof finishPlan>[1], 'wiring' | 'installed'> {
  return {
    ...NO_CHANGES,
    command,
    registry: defaultAddress(lock) ?? '',
    registries: lock.registries,
    builds: [],
    requested: new Map(),
    lock,
    warnings: [],
    allow: new Set(),
  };
}

function checkInstalled(lock: Lock, ids: readonly string[]): void {
  const missing = ids.find((id) => lock.builds[id] === undefined);
  if (missing === undefined) return;
  throw new ClientError('ERR_NOT_INSTALLED', `"${missing}" is not installed here`, {
    hint: `add it with "stackyard add ${missing} --wire"; "stackyard list" shows what is installed`,
  });
}
