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
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { lockedRegistries, registryWarnings } from './locked-registries.ts';
import { solve } from './solve.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type { FetchedBuild, MadePlan, OnExists, PlanInput } from '../plan/plan.ts';

export interface InstallInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registries;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** The foundation that starts the project; without it, no foundation may be installed. */
  readonly foundation?: string;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
}

/** @throws {ClientError} those of the registry, the resolver and the plan; `ERR_KIND` */
export async function planInstall(input: InstallInput): Promise<MadePlan> {
  const { project, registry, requests, lock, onExists } = input;
  const isNew = input.foundation !== undefined;
  registry.assign(requests);
  await registry.checkInstalled(requests.map(({ id }) => id));
  const solution = await solve({ project, isNew, registry, requests, lock, age: input.age });
  const builds = await fetchBuilds(registry, solution.versions);
  checkKinds(builds, input.foundation);
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  return finishPlan(project, {
    ...NO_CHANGES,
    command: isNew ? 'new' : 'add',
    ...(await lockedRegistries(registry, lock, builds)),
    builds,
    requested,
    lock,
    warnings: [...registryWarnings(registry, lock, builds), ...solution.warnings],
    onExists,
    allow: new Set(input.allow),
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
