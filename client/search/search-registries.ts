/** Searches the registries of a project as one, and which of the found builds the project could install. */
import type { BuildSummary } from '../../format/index/record.ts';
import { findBuilds } from '../../format/index/ranking.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { isInProject, type TagInput } from '../resolve/stack-incompatibility.ts';
import { findLanguageProblems } from '../change/check-language.ts';
import type { Registries } from '../registry/registries.ts';
import { isUnreachable } from '../registry/registry-entry.ts';
import { searchCatalog, withNote, type CatalogHits } from './search-catalog.ts';
import { KnownHeads } from '../change/known-heads.ts';

interface RegistryHits extends CatalogHits {
  /** With the name of the registry, where the project has several. */
  readonly builds: readonly (BuildSummary & { readonly registry?: string })[];
  /** The registries that cannot be reached, with the error. */
  readonly unreachable: ReadonlyMap<string, ClientError>;
}

/**
 * A build counts only in the registry that its owner belongs to, if it belongs to one already.
 * @throws {ClientError} those of the registry; `ERR_NETWORK` where none can be reached
 */
export async function searchRegistries(
  registries: Registries,
  query: Parameters<typeof searchCatalog>[1],
): Promise<RegistryHits> {
  if (!registries.isSeveral) {
    const hits = await searchCatalog(registries.defaultRegistry, query);
    return { ...hits, unreachable: new Map() };
  }
  const entries = registries.all.filter(({ isLocked }) => isLocked);
  const searches = await Promise.allSettled(
    entries.map(async (entry) => {
      const admits = (build: BuildSummary): boolean =>
        registries.mayServe(entry.name, build.id) && query.admits(build);
      const hits = await searchCatalog(registries.use(entry), { ...query, admits });
      const builds = hits.builds.map((build) => ({ ...build, registry: entry.name }));
      return { ...hits, builds };
    }),
  );
  const found: (CatalogHits & Pick<RegistryHits, 'builds'>)[] = [];
  const unreachable = new Map<string, ClientError>();
  for (const [at, search] of searches.entries()) {
    if (search.status === 'fulfilled') found.push(search.value);
    else if (isUnreachable(search.reason)) unreachable.set(entries[at]!.name, search.reason);
    else throw search.reason;
  }
  const [first] = unreachable.values();
  if (first !== undefined && found.length === 0) throw first;
  // Other words count only where no registry has the given ones, and builds with some words where none has all.
  const most = Math.max(...found.map(({ matched }) => matched));
  const asked = found.filter(({ total, corrected }) => total > 0 && corrected === undefined);
  const exact = asked.filter(({ match }) => match !== 'some');
  const used = exact.length > 0 ? exact : found.filter(({ matched }) => matched === most);
  const corrected = used.find((hits) => hits.corrected !== undefined)?.corrected;
  const best = findBuilds(
    corrected ?? query.words,
    used.flatMap(({ builds }) => builds),
  );
  const total = used.reduce((sum, hits) => sum + hits.total, 0);
  const hits = { ...best, builds: best.builds.slice(0, query.keep), total };
  return { ...withNote(hits, query.words, corrected), unreachable };
}

/** How many of the best builds are tried: each costs a request. */
export const MAX_FITTED = 1000;
const PARALLEL_FITS = 8;

export interface FittingBuild extends BuildSummary {
  /** The newest version that the project could install; the installed version of an installed build. */
  readonly version: string;
  readonly installed: boolean;
  /** What the settings of the project do not give to its code, in words. */
  readonly language?: readonly string[];
}

/** What any project of a language has. */
const LANGUAGES = ['node', 'python', 'typescript'];

/**
 * How much of what a build is for the project has, such as its framework and a database: 0 for what only needs a language, -1 for
 * what needs more than the project has.
 */
export function closeness({ requires }: BuildSummary, project: TagInput): number {
  const tags = Object.keys(requires).filter((tag) => !LANGUAGES.includes(tag));
  return tags.every((tag) => isInProject(project, tag, '*')) ? tags.length : -1;
}

/**
 * The builds for which the resolver finds a version: those closest to the project first, and in the order of the search.
 * @param limit how many to return
 * @returns them, and how many builds were tried before there were enough
 * @throws {ClientError} those of the registry
 */
export async function fittingBuilds(
  builds: readonly (BuildSummary & { readonly registry?: string })[],
  registry: Registries,
  project: string,
  lock: Lock | undefined,
  limit: number,
): Promise<{ readonly builds: readonly FittingBuild[]; readonly lookedAt: number }> {
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const stack = await readStack(project, await nodeInUse(project));
  const known = new KnownHeads(registry, undefined, locked);
  const close = new Map(builds.map((build) => [build, closeness(build, { stack, locked })]));
  const ordered = builds.toSorted((a, b) => close.get(b)! - close.get(a)!);
  const tryFit = async (build: (typeof builds)[number]): Promise<FittingBuild | undefined> => {
    const { id, kind } = build;
    // A foundation starts a project: it is never added to one.
    if (kind === 'foundation') return undefined;
    // Two registries may have the owner; the better build decided which of them it is.
    if (build.registry !== undefined && !registry.mayServe(build.registry, id)) return undefined;
    registry.assign([build]);
    const resolution = await known.resolve({ requests: [{ id, range: undefined }], locked, stack });
    if (resolution.kind !== 'solved') return undefined;
    const version = resolution.versions.get(id)?.version ?? locked.get(id)?.version;
    if (version === undefined) return undefined;
    const chosen = [...resolution.versions].map(([chosenId, one]) => {
      return { id: chosenId, version: one.version };
    });
    const problems = locked.has(id) ? [] : await findLanguageProblems(project, registry, chosen);
    if (problems.some(({ stops }) => stops)) return undefined;
    const entry = known.heads.get(id)?.versions.find((other) => other.version === version);
    // The catalog has the risk of the latest version only.
    const risk = entry?.risk ?? build.risk;
    const language = problems.map((problem) => `${problem.id}: ${problem.message}`);
    const notes = language.length === 0 ? {} : { language };
    return { ...build, risk, version, installed: locked.has(id), ...notes };
  };
  const found: FittingBuild[] = [];
  let lookedAt = 0;
  while (lookedAt < Math.min(builds.length, MAX_FITTED)) {
    const part = ordered.slice(lookedAt, lookedAt + PARALLEL_FITS);
    const tried = await Promise.all(part.map(tryFit)).catch((error: unknown) => {
      // No more heads may be read: the rest is not tried.
      if (error instanceof ClientError && error.code === 'ERR_RESOLVE_LIMIT') return undefined;
      throw error;
    });
    if (tried === undefined) break;
    for (const fitting of tried) {
      if (found.length === limit) return { builds: found, lookedAt };
      lookedAt += 1;
      if (fitting !== undefined) found.push(fitting);
    }
  }
  return { builds: found, lookedAt };
}
