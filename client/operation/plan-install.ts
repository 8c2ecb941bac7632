/** From requests to the plan of an install: resolve, download, verify, plan. Writes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/lock.ts';
import { defaultAddress } from '../../format/lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import { fetchBuilds } from '../registry/fetch-builds.ts';
import { checkTargets } from '../project/safe-path.ts';
import { checkWritable } from '../project/write-error.ts';
import { makePlan } from '../plan/make-plan.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { targetPaths } from '../plan/files.ts';
import { takeSnapshot } from '../project/project.ts';
import type { Registry } from '../registry/registry.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { solve } from './solve.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type { FetchedBuild, MadePlan, OnExists, PlanInput, Warning } from '../plan/plan.ts';

export interface InstallInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registry;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** The foundation that starts the project; without it, no foundation may be installed. */
  readonly foundation?: string;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** The places of local builds, by id. */
  readonly sources?: ReadonlyMap<string, string>;
}

/** @throws {ClientError} those of the registry, the resolver and the plan; `ERR_KIND` */
export async function planInstall(input: InstallInput): Promise<MadePlan> {
  const { project, registry, requests, lock, onExists } = input;
  const isNew = input.foundation !== undefined;
  await registry.checkInstalled();
  await checkRequestedKinds(input);
  const solution = await solve({ project, isNew, registry, requests, lock, age: input.age });
  const fetched = await fetchBuilds(registry, solution.versions);
  const builds = withPlaces(fetched, input.sources, lock);
  checkKinds(builds, input.foundation);
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  const place = await registryOf(registry, lock);
  return finishPlan(project, {
    ...NO_CHANGES,
    command: isNew ? 'new' : 'add',
    ...place,
    builds,
    requested,
    lock,
    warnings: [...registryWarnings(place.registry, lock), ...solution.warnings],
    onExists,
    allow: new Set(input.allow),
  });
}

/** Marks local builds. They belong to the registry that their owner has in the project. */
export function withPlaces(
  builds: readonly FetchedBuild[],
  sources: ReadonlyMap<string, string> | undefined,
  lock: Lock | undefined,
): FetchedBuild[] {
  return builds.map((build) => {
    const source = sources?.get(build.id);
    if (source === undefined) return build;
    const owner = build.id.slice(0, build.id.indexOf('/') + 1);
    const [, other] = Object.entries(lock?.builds ?? {}).find(([id]) => id.startsWith(owner)) ?? [];
    return { ...build, source, ...(other === undefined ? {} : { registry: other.registry }) };
  });
}

/** The input of a plan that only adds builds. */
export const NO_CHANGES = {
  bases: new Map<string, FetchedBuild>(),
  leaving: new Set<string>(),
  onExists: 'fail',
  onConflict: 'fail',
  restore: false,
  force: false,
} as const;

/** Reads the project for `input` and makes the plan; checks every path that it changes. */
export async function finishPlan(
  project: string,
  input: Omit<PlanInput, 'project' | 'missingFolders' | 'links'>,
): Promise<MadePlan> {
  const installed = Object.entries(input.lock?.builds ?? {});
  const changing = installed.filter(
    ([id]) => input.leaving.has(id) || input.builds.some((build) => build.id === id),
  );
  const placed = changing.flatMap(([, { files }]) => Object.keys(files));
  const paths = [...targetPaths(input.builds), ...placed, ...EDITED_FILES, LOCK_FILE];
  const made = makePlan({ ...input, ...(await takeSnapshot(project, paths)) });
  const changes = [...made.changes, made.commit];
  await checkTargets(
    project,
    changes.map(({ path }) => path),
  );
  for (const { path, bytes } of changes) {
    const status = lstatSync(join(project, path), { throwIfNoEntry: false });
    if (bytes !== undefined && status !== undefined) checkWritable(path, status.mode);
  }
  return made;
}

/** Checked first: another error would be about what a project needs for a build that no project can add. */
async function checkRequestedKinds({
  registry,
  requests,
  lock,
  foundation,
}: InstallInput): Promise<void> {
  for (const { id } of requests) {
    if (id === foundation || lock?.builds[id] !== undefined) continue;
    const head = await registry.head(id);
    if (head?.kind === 'foundation') throw isFoundation(id);
  }
}

function checkKinds(builds: readonly FetchedBuild[], foundation: string | undefined): void {
  const other = builds.find(({ id, manifest }) => {
    return manifest.kind === 'foundation' && id !== foundation;
  });
  if (other !== undefined) throw isFoundation(other.id);
}

function isFoundation(id: string): ClientError {
  return new ClientError(
    'ERR_KIND',
    `"${id}" is a foundation: it starts a project and cannot be added to one`,
    { hint: `use "stackyard new ${id} <folder>"` },
  );
}

/** The registry in use, as a plan and the lock after it name it. */
export async function registryOf(
  registry: Registry,
  lock: Lock | undefined,
): Promise<Pick<PlanInput, 'registry' | 'registries'>> {
  const address = await registry.lockAddress(defaultAddress(lock));
  const known = { origin: await registry.origin(), address };
  return {
    registry: address,
    registries: { ...lock?.registries, [DEFAULT_REGISTRY_NAME]: known },
  };
}

/** A warning when the lock names another registry than the one in use. */
export function registryWarnings(base: string, lock: Lock | undefined): Warning[] {
  const before = defaultAddress(lock);
  if (before === undefined || before === base) return [];
  const message = `The installed builds came from ${before}; the lock now names ${base}`;
  return [{ code: 'registry-changed', message, path: LOCK_FILE }];
}
