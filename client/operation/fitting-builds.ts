/** Finds which builds of a search the project could install, and at which version. */
import type { BuildSummary } from '../../format/index/catalog.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { findLanguageProblems } from './check-language.ts';
import { KnownHeads } from './known-heads.ts';
import type { Registries } from '../registry/registries.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { AgeRule } from '../resolve/version-age.ts';

/** How many of the best builds are tried: each costs a request. */
export const MAX_FITTED = 1000;
const PARALLEL_FITS = 8;

export interface FittingInput {
  readonly registry: Registries;
  readonly project: string;
  readonly lock: Lock | undefined;
  readonly age: AgeRule | undefined;
  /** How many to return. */
  readonly limit: number;
}

export interface FittingBuild extends BuildSummary {
  /** The newest version that the project could install; the installed version of an installed build. */
  readonly version: string;
  readonly installed: boolean;
  /** What the settings of the project do not give to its code, in words. */
  readonly language?: readonly string[];
}

export interface Fitting {
  /** At most `limit`, in the order of the search. */
  readonly builds: readonly FittingBuild[];
  /** How many builds were tried before there were enough. */
  readonly lookedAt: number;
}

/** The builds for which the resolver finds a version. @throws {ClientError} those of the registry */
export async function fittingBuilds(
  builds: readonly (BuildSummary & { readonly registry?: string })[],
  { registry, project, lock, age, limit }: FittingInput,
): Promise<Fitting> {
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const stack = await readStack(project, await nodeInUse(project));
  const known = new KnownHeads(registry, age, locked);
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
    const part = builds.slice(lookedAt, lookedAt + PARALLEL_FITS);
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
