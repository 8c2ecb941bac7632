/** Resolves what `add` and `new` ask for, and downloads what is to be installed. Writes nothing. */
import { lockedRegistries, registryWarnings } from './lock-registries.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Change, FetchedBuild, Warning } from '../plan/plan.ts';
import { checkLanguage } from './check-language.ts';
import { fetchChosen } from './fetch-builds.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from './solve.ts';
import { offeredForTags } from '../search/stack-hint.ts';
import { type AgeRule, standingAge } from '../resolve/version-age.ts';
import type { ProjectAsk } from './ask.ts';

/** Where a change is fetched for, and from. */
export interface Fetching {
  /** Absolute path of the project. */
  readonly project: string;
  readonly lock: Lock | undefined;
  /** With the local builds of the request over it. */
  readonly registry: Registries;
  /** The foundation that starts the project; without it, no foundation may be installed. */
  readonly foundation?: string | undefined;
  /** What the user should know about the requests. */
  readonly notes?: readonly Warning[];
}

/**
 * Resolves requests and downloads what is to be installed.
 * @throws {ClientError} those of the registry and the resolver; `ERR_KIND`
 */
export async function fetchAddition(
  { requests, age, local, choices }: ProjectAsk,
  { project, lock, registry, foundation, notes = [] }: Fetching,
): Promise<Change> {
  const isNew = foundation !== undefined;
  registry.assign(requests);
  await registry.checkInstalled(requests.map(({ id }) => id));
  // Checked first: another error would be about what a project needs for a build that no project can add.
  for (const { id } of requests) {
    if (id === foundation || lock?.builds[id] !== undefined) continue;
    if ((await registry.head(id))?.kind === 'foundation') throw isFoundation(id);
  }
  const isLocal = requests.every(({ id }) => local.has(id));
  const { rule, minAgeHours } = await ruleOnAge(age, lock, isLocal ? undefined : registry);
  const solving = { project, isNew, registry, requests, lock, age: rule };
  const { versions, warnings } = await solve(solving);
  const builds = await fetchChosen(registry, versions, local);
  checkKinds(builds, foundation);
  // A new project has no settings yet.
  const language = isNew ? [] : await checkLanguage(project, registry, builds, lock);
  const ranges = requests.map(({ id, range }) => {
    const version = versions.get(id)?.version ?? lock?.builds[id]?.version ?? '';
    return [id, range ?? `^${version}`] as const;
  });
  return {
    command: isNew ? 'new' : 'add',
    ...(await lockedRegistries(registry, lock, builds)),
    builds,
    bases: new Map(),
    leaving: new Set(),
    lock,
    minAgeHours,
    providers: await offeredForTags(registry, builds, lock),
    warnings: [
      ...ageNotes(minAgeHours),
      ...notes,
      ...registryWarnings(registry, lock, builds),
      ...warnings,
      ...language,
    ],
    choices: { ...choices, requested: Object.fromEntries(ranges) },
  };
}

/** That of the option, otherwise of the project, which takes over that of its registry with the first builds. */
export async function ruleOnAge(
  age: AgeRule | undefined,
  lock: Lock | undefined,
  registry: Registries | undefined,
): Promise<{ readonly rule: AgeRule | undefined; readonly minAgeHours: number | undefined }> {
  const info = lock === undefined ? await registry?.defaultRegistry.knownInfo() : undefined;
  const minAgeHours = info?.min_age_hours;
  const rule = age ?? standingAge(minAgeHours ?? lock?.min_age_hours, Date.now());
  return { rule, minAgeHours };
}

function ageNotes(hours: number | undefined): Warning[] {
  if (hours === undefined || hours === 0) return [];
  const message = `The registry recommends no version younger than ${hours} hours: so the project does, by min_age_hours in ${LOCK_FILE}; --min-age overrides it in one run`;
  return [{ code: 'min-age', message, path: '' }];
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
