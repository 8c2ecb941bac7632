/**
 * What the questions of `new` are about: foundations, then the modules that fit what the foundation brought. Builds are found by the
 * tags that they provide, in the order of the search; the first that the resolver accepts is offered.
 */
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { isOnPath } from '../project/find-program.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from './solve.ts';
import type { BuildRequest } from '../resolve/request.ts';

export const DATABASES = ['sqlite', 'postgres'] as const;
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

const MAX_TRIED = 20;

/** Builds that a project can be started from, the best first. @throws {ClientError} `ERR_BUILD_NOT_FOUND` */
export async function findFoundations(registries: Registries): Promise<readonly BuildSummary[]> {
  const found = await search(registries, 'foundation', []);
  if (found.length > 0) return found;
  throw new ClientError('ERR_BUILD_NOT_FOUND', 'The registry has no foundation', {
    hint: 'give another registry with --registry',
  });
}

/** What a user typed about a list: numbers of it, and ids. */
export function pickedIds(typed: string, builds: readonly BuildSummary[]): string[] {
  const words = typed.split(/[,\s]+/).filter((word) => word !== '');
  return words.map((word) => builds[Number(word) - 1]?.id ?? word);
}

/** The project that a foundation has just made. */
export interface StartedProject {
  /** Absolute path of the folder in which it is made. */
  readonly project: string;
  readonly registry: Registries;
  readonly lock: Lock;
}

type Engine = (typeof DATABASES)[number] | 'none' | undefined;

/** Each kind of database with the module that fits. */
export async function fittingEngines(
  started: StartedProject,
): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for (const engine of DATABASES) {
    const [id] = (await findDatabase(engine, started)) ?? [];
    if (id !== undefined) found.push([engine, id]);
  }
  return found;
}

/** The modules of the answers. @throws {ClientError} `ERR_BUILD_NOT_FOUND` for an answer that no build fits */
export async function modulesFor(
  engine: Engine,
  wantsAccounts: boolean,
  started: StartedProject,
): Promise<BuildRequest[]> {
  const hasDatabase = engine !== undefined && engine !== 'none';
  const missing = (what: string, ...tags: string[]): ClientError =>
    new ClientError(
      'ERR_BUILD_NOT_FOUND',
      `No build of the registry gives this foundation ${what}`,
      {
        hint: `look for one with: stackyard search ${tags.map((tag) => `provides:${tag}`).join(' ')}`,
      },
    );
  const database = hasDatabase ? await findDatabase(engine, started) : [];
  if (database === undefined) throw missing(`a database of ${engine}`, 'database', engine ?? '');
  if (!wantsAccounts) return database.map(requestOf);
  const all = await findAccounts(engine, started);
  const where = hasDatabase ? ` on ${engine}` : '';
  if (all === undefined) throw missing(`accounts${where}`, 'auth');
  return all.map(requestOf);
}

function requestOf(id: string): BuildRequest {
  return { id, range: undefined };
}

function findDatabase(engine: string, started: StartedProject): Promise<string[] | undefined> {
  return bestFitting(['database', engine], [], started);
}

/** The database and the accounts that use it, or without a chosen one the accounts that bring theirs. */
export async function findAccounts(
  engine: Engine,
  started: StartedProject,
): Promise<string[] | undefined> {
  if (engine === undefined || engine === 'none') return bestFitting(['auth'], [], started);
  const database = await findDatabase(engine, started);
  return database === undefined ? undefined : bestFitting(['auth'], database, started);
}

/**
 * The ids of `others` and of the best build that provides `tags` and fits together with them: one that stores in the others comes
 * before one that needs a database of the project, then the one that is made for more of what the foundation has.
 */
async function bestFitting(
  tags: readonly string[],
  others: readonly string[],
  { project, registry, lock }: StartedProject,
): Promise<string[] | undefined> {
  const isAuth = tags.includes('auth');
  const fitting: { ids: string[]; uses: number; made: number }[] = [];
  for (const { id } of await search(registry, 'module', tags)) {
    const ids = [...others, id];
    try {
      const requests = ids.map(requestOf);
      const { versions } = await solve({ project, isNew: false, registry, requests, lock });
      const databases = [...versions].filter(([, { provides }]) => provides.includes('database'));
      const isOther = databases.some(([one]) => !ids.includes(one));
      if (others.length > 0 ? isOther : isAuth && databases.length === 0) continue;
      const required = new Set([...versions.values()].flatMap(({ builds }) => Object.keys(builds)));
      const uses = others.filter((other) => required.has(other)).length;
      fitting.push({ ids, uses, made: Object.keys(versions.get(id)?.requires ?? {}).length });
    } catch (error) {
      const isUnfit =
        error instanceof ClientError &&
        /^ERR_(?:RESOLVE|STACK|VERSION_NOT_FOUND|BUILD_NOT_FOUND)/.test(error.code);
      if (!isUnfit) throw error;
    }
  }
  // Stable: of equal ones that which the search puts first.
  return fitting.sort((a, b) => b.uses - a.uses || b.made - a.made)[0]?.ids;
}

/** Builds that can be started from or added, the best first. */
export async function search(
  registries: Registries,
  kind: 'module' | 'foundation',
  tags: readonly string[],
): Promise<readonly BuildSummary[]> {
  const { searchRegistries } = await import('../search/search-registries.ts');
  const { builds } = await searchRegistries(registries, {
    words: tags.join(' '),
    keep: MAX_TRIED,
    admits: (build) =>
      build.kind === kind &&
      !build.yanked &&
      !build.deprecated &&
      tags.every((tag) => build.provides.includes(tag)),
  });
  return builds;
}

/** The package managers of this machine; npm comes with Node. */
export function presentManagers(): PackageManager[] {
  return PACKAGE_MANAGERS.filter((name) => name === 'npm' || isOnPath(name));
}

/**
 * The text of a package.json that names its package manager, as npm, pnpm and others read it. Yarn 1 and later ones differ; with a
 * version pnpm would look itself up in the registry, and refuse a lock that does not have it.
 */
export function withPackageManager(text: string, name: PackageManager, version: string): string {
  const major = /^\d+/.exec(version)?.[0];
  const range = major === undefined || name !== 'yarn' ? {} : { version: `>=${major}.0.0` };
  const field = { devEngines: { packageManager: { name, ...range } } };
  const added = JSON.stringify(field, null, 2).slice(1, -1).trimEnd();
  return text.replace(/\s*\}\s*$/, `,${added}\n}\n`);
}
