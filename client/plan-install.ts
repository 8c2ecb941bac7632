/** From requests to a plan: solve, download, verify, plan. Reads the project and writes nothing. */
import type { Lock } from '../format/lock.ts';
import { LOCK_FILE } from '../format/lock.ts';
import { ClientError } from './errors.ts';
import { fetchBuild } from './fetch-build.ts';
import { checkTargets } from './install/safe-path.ts';
import type { FetchedBuild, MadePlan, OnExists, Warning } from './plan.ts';
import { makePlan } from './plan.ts';
import { EDITED_FILES } from './plan-edits.ts';
import { targetPaths } from './plan-files.ts';
import { readSnapshot } from './project.ts';
import type { Registry } from './registry.ts';
import type { BuildRequest } from './request.ts';
import { solve } from './solve.ts';
import type { AgeRule } from './version-age.ts';

export interface InstallInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registry;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** The foundation that starts the project; without it, none may come along. */
  readonly foundation?: string;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
}

/** @throws {ClientError} those of the registry, the resolver and the plan; `ERR_KIND` */
export async function planInstall(input: InstallInput): Promise<MadePlan> {
  const { project, registry, requests, lock } = input;
  const isNew = input.foundation !== undefined;
  const solution = await solve({ project, isNew, registry, requests, lock, age: input.age });
  const wanted = [...solution.versions].sort(([a], [b]) => (a < b ? -1 : 1));
  // The registry bounds how many are on their way at once.
  const builds = await Promise.all(wanted.map(([id, v]) => fetchBuild(registry, id, v)));
  checkKinds(builds, input.foundation);
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  const name = await registry.lockName(lock?.registry);
  const made = makePlan({
    registry: name,
    builds,
    requested,
    lock,
    project: readSnapshot(project, [...targetPaths(builds), ...EDITED_FILES, LOCK_FILE]),
    warnings: [...registryWarnings(name, lock), ...solution.warnings],
    onExists: input.onExists,
    allow: new Set(input.allow),
  });
  const paths = [...made.writes, made.commit].map((write) => write.path);
  await checkTargets(project, paths);
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

function registryWarnings(base: string, lock: Lock | undefined): Warning[] {
  if (lock === undefined || lock.registry === base) return [];
  const message = `The builds so far came from ${lock.registry}; from now on the lock names ${base}`;
  return [{ code: 'registry-changed', message, path: LOCK_FILE }];
}
