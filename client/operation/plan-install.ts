/** From requests to the plan of an install: resolve, download, verify, plan. Writes nothing. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/lock/lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { fetchListed } from '../registry/fetch-builds.ts';
import { checkTargets } from '../project/safe-path.ts';
import { checkWritable } from '../project/write-error.ts';
import { makePlan } from '../plan/make-plan.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { targetPaths } from '../plan/files.ts';
import { takeSnapshot } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { checkLanguage } from './check-language.ts';
import { prepareWiring } from './wire-builds.ts';
import { checkLogs, withLogs } from './check-logs.ts';
import { findByHand } from './find-by-hand.ts';
import { ignoredFiles } from './ignored-files.ts';
import { lockedRegistries, registryWarnings } from './locked-registries.ts';
import { placeBuilds } from './place-builds.ts';
import { checkFolders } from './placement-folder.ts';
import { findAdoptable, findReformatted } from './reformatted-files.ts';
import { solve } from './solve.ts';
import { withPlaces } from './with-places.ts';
import type { MaxAge } from '../registry/log/require-witnesses.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import type {
  FetchedBuild,
  MadePlan,
  OnExists,
  PlacingWish,
  Plan,
  PlanInput,
  Warning,
} from '../plan/plan.ts';

export interface InstallInput {
  /** Absolute path of the project. */
  readonly project: string;
  readonly registry: Registries;
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
  /** How long ago witnesses may have confirmed the logs. */
  readonly maxAge?: MaxAge | undefined;
  readonly placing?: PlacingWish | undefined;
  /** Whether the guides of new builds are carried out. */
  readonly wire?: boolean | undefined;
  /** What the user should know about the requests. */
  readonly notes?: readonly Warning[];
  /** The places of local builds, by id. */
  readonly sources?: ReadonlyMap<string, string>;
}

/** @throws {ClientError} those of the registry, the resolver and the plan; `ERR_KIND` */
export async function planInstall(input: InstallInput): Promise<MadePlan> {
  const { project, registry, requests, lock, onExists } = input;
  const isNew = input.foundation !== undefined;
  registry.assign(requests);
  await registry.checkInstalled(requests.map(({ id }) => id));
  await checkRequestedKinds(input);
  const solution = await solve({ project, isNew, registry, requests, lock, age: input.age });
  const published = [...solution.versions].filter(([id]) => input.sources?.has(id) !== true);
  const proving = checkLogs(registry, published, input.maxAge);
  proving.catch(() => {});
  const fetched = await fetchListed(registry, solution.versions);
  const builds = withLogs(withPlaces(fetched, input.sources), await proving);
  checkKinds(builds, input.foundation);
  const requested = new Map(
    requests.map(({ id, range }) => {
      const version = solution.versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
      return [id, range ?? `^${version}`];
    }),
  );
  // A new project has no settings yet.
  const language = isNew ? [] : await checkLanguage(project, registry, builds, lock);
  return finishPlan(project, {
    ...NO_CHANGES,
    command: isNew ? 'new' : 'add',
    ...(await lockedRegistries(registry, lock, builds)),
    builds,
    requested,
    lock,
    warnings: [
      ...(input.notes ?? []),
      ...registryWarnings(registry, lock, builds),
      ...solution.warnings,
      ...language,
    ],
    onExists,
    onExistsAt: input.onExistsAt ?? new Map(),
    allow: new Set(input.allow),
    keep: new Set(input.keep),
    placing: input.placing,
    ...(input.wire === true ? { wiring: { wire: true as const } } : {}),
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
  wanted: Omit<
    PlanInput,
    'project' | 'missingFolders' | 'links' | 'reformatted' | 'byHand' | 'wire'
  > & {
    /** Installed builds whose guides are carried out. */
    readonly installed?: readonly FetchedBuild[];
  },
): Promise<MadePlan> {
  checkFolders(wanted.placing?.to ?? new Map(), wanted.builds, wanted.lock);
  const { warnings: ofPlaces, ...rest } = await placeBuilds(project, wanted);
  const input = { ...wanted, ...rest, warnings: [...wanted.warnings, ...ofPlaces] };
  const installed = Object.entries(input.lock?.builds ?? {});
  const changing = installed.filter(
    ([id]) => input.leaving.has(id) || input.builds.some((build) => build.id === id),
  );
  const placed = changing.flatMap(([, { files }]) => Object.keys(files));
  const paths = [...targetPaths(input.builds), ...placed, ...EDITED_FILES, LOCK_FILE];
  const wiring = await prepareWiring(project, input);
  const known = new Set([...paths, ...(wiring?.paths ?? [])]);
  const byHand = findByHand(project);
  const makeIt = async (): Promise<MadePlan> => {
    const snapshot = await takeSnapshot(project, known);
    const reformatted = new Set([
      ...(await findReformatted(changing, snapshot.project, input.bases)),
      ...(await findAdoptable(input.builds, input.lock, snapshot.project)),
    ]);
    const wire = wiring?.wire(known);
    return makePlan({ ...input, ...snapshot, byHand, reformatted, wire });
  };
  let made = await makeIt();
  // The places of blocks are known now: their files are read as the others are, and the plan is made of them.
  const found = made.changes.map(({ path }) => path).filter((path) => !known.has(path));
  if (found.length > 0) {
    for (const path of found) known.add(path);
    made = await makeIt();
  }
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
  const warnings = [...plan.warnings, ...heldWarnings(plan), ...ignored];
  return { ...made, plan: { ...plan, warnings: warnings } };
}

/** One for each step whose new text can do more than the present one. */
function heldWarnings({ wiring = [] }: Plan): Warning[] {
  const held = wiring.filter(({ action }) => action === 'held');
  return [...Map.groupBy(held, ({ build, step }) => `${build} ${step}`).values()].map((blocks) => {
    const [{ build, step, why = '', file: path }] = blocks as [WiringEntry];
    const message = `Step ${step} of "${build}" stays as it was in ${path}: ${why}. Read it above, then "stackyard add ${build} --wire" carries it out`;
    return { code: 'wiring-held', message, path };
  });
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
