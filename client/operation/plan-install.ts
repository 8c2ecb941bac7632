/** From requests to the plan of an install: resolve, download, verify, plan. Writes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
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
import { findByHand } from './find-by-hand.ts';
import { ignoredFiles } from './ignored-files.ts';
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
  /** The same for single files, by path in the project. */
  readonly onExistsAt?: ReadonlyMap<string, OnExists> | undefined;
  readonly allow: readonly string[];
  /** Packages whose range in the project is kept. */
  readonly keep?: readonly string[] | undefined;
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
}

/** @throws {ClientError} those of the registry, the resolver and the plan; `ERR_KIND` */
export async function planInstall(input: InstallInput): Promise<MadePlan> {
  const { project, registry, requests, lock, onExists } = input;
  const isNew = input.foundation !== undefined;
  await registry.checkInstalled();
  const solution = await solve({ project, isNew, registry, requests, lock, age: input.age });
  const builds = await fetchBuilds(registry, solution.versions);
  checkKinds(builds, input.foundation);
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  const name = await registry.lockName(lock?.registry);
  return finishPlan(project, {
    ...NO_CHANGES,
    command: isNew ? 'new' : 'add',
    registry: name,
    builds,
    requested,
    lock,
    warnings: [...registryWarnings(name, lock), ...solution.warnings],
    onExists,
    onExistsAt: input.onExistsAt ?? new Map(),
    allow: new Set(input.allow),
    keep: new Set(input.keep),
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
  input: Omit<PlanInput, 'project' | 'missingFolders' | 'links' | 'byHand'>,
): Promise<MadePlan> {
  const installed = Object.entries(input.lock?.builds ?? {});
  const changing = installed.filter(
    ([id]) => input.leaving.has(id) || input.builds.some((build) => build.id === id),
  );
  const placed = changing.flatMap(([, { files }]) => Object.keys(files));
  const paths = [...targetPaths(input.builds), ...placed, ...EDITED_FILES, LOCK_FILE];
  const byHand = findByHand(project);
  const made = makePlan({ ...input, byHand, ...(await takeSnapshot(project, paths)) });
  const changes = [...made.changes, made.commit];
  await checkTargets(
    project,
    changes.map(({ path }) => path),
  );
  for (const { path, bytes } of changes) {
    const status = lstatSync(join(project, path), { throwIfNoEntry: false });
    if (bytes !== undefined && status !== undefined) checkWritable(path, status.mode);
  }
  const { plan } = made;
  const ignored = input.command === 'remove' ? [] : await ignoredFiles(project, made);
  return { ...made, plan: { ...plan, warnings: [...plan.warnings, ...ignored] } };
}

function checkKinds(builds: readonly FetchedBuild[], foundation: string | undefined): void {
  const other = builds.find(({ id, manifest }) => {
    return manifest.kind === 'foundation' && id !== foundation;
  });
  if (other === undefined) return;
  throw new ClientError(
    'ERR_KIND',
    `"${other.id}" is a foundation: it starts a project and cannot be added to one`,
    { hint: `use "stackyard new ${other.id} <folder>"` },
  );
}

/** A warning when the lock names another registry than the one in use. */
export function registryWarnings(base: string, lock: Lock | undefined): Warning[] {
  if (lock === undefined || lock.registry === base) return [];
  const message = `The installed builds came from ${lock.registry}; the lock now names ${base}`;
  return [{ code: 'registry-changed', message, path: LOCK_FILE }];
}
