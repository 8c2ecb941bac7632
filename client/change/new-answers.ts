/**
 * The questions of `new`: foundation and folder before the project is made, then the modules that fit what the foundation brought.
 * Builds are found by the tags that they provide, in the order of the search; the first that the resolver accepts is offered.
 */
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { isOnPath } from '../project/find-program.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from '../registry/solve.ts';
import type { BuildRequest } from '../resolve/request.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { oneLine } from '../terminal/printable.ts';
import { type Asker, type Choose } from '../terminal/choose.ts';

export const DATABASES = ['sqlite', 'postgres'] as const;
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** What the user chose with options; the others are questions where a user can answer. */
export interface NewAnswers {
  readonly database?: (typeof DATABASES)[number] | 'none' | undefined;
  readonly accounts?: boolean | undefined;
  readonly packageManager?: PackageManager | undefined;
}

const MAX_LISTED = 9;
const MAX_TRIED = 20;
const DESCRIPTION_COLUMNS = 60;

/**
 * Asks for the foundation and the folder that the command line does not have.
 * @throws {ClientError} `ERR_USAGE` where nobody can answer; `ERR_DECLINED` at the end of the input
 */
export async function askForProject(
  given: { readonly foundation?: string | undefined; readonly folder?: string | undefined },
  options: GlobalOptions,
  context: CommandContext,
): Promise<{ foundation: string; folder: string }> {
  const { foundation, folder } = given;
  if (foundation !== undefined && folder !== undefined) return { foundation, folder };
  const { choose } = context;
  if (choose === undefined) {
    const missing = foundation === undefined ? 'foundation' : 'folder';
    throw new ClientError('ERR_USAGE', `Argument <${missing}> is missing`, {
      hint: 'write stackyard new <foundation> <folder>; see stackyard new --help',
    });
  }
  const foundations = foundation === undefined ? await findFoundations(options, context) : [];
  return choose(async (ask) => {
    const chosen = foundation ?? (await askFoundation(foundations, ask));
    const name = chosen.replace(/@.*$/s, '').split(/[/:]/).at(-1)!;
    const asked = folder ?? (await ask.text([], `Folder of the project (${name}):`));
    return { foundation: chosen, folder: asked === '' ? name : asked };
  });
}

async function findFoundations(
  options: GlobalOptions,
  context: CommandContext,
): Promise<readonly BuildSummary[]> {
  const look = (registries: Registries): Promise<readonly BuildSummary[]> =>
    search(registries, 'foundation', []);
  const found = await withRegistry(options, undefined, context, look, 'reading');
  if (found.length > 0) return found;
  throw new ClientError('ERR_BUILD_NOT_FOUND', 'The registry has no foundation', {
    hint: 'give another registry with --registry',
  });
}

/** A number of the list, or an id. */
async function askFoundation(found: readonly BuildSummary[], ask: Asker): Promise<string> {
  const few = found.slice(0, MAX_LISTED);
  const typed = await ask.text(['Foundation:', ...listed(few)], 'Number or id (1):');
  const number = typed === '' ? 1 : Number(typed);
  return few[number - 1]?.id ?? typed;
}

function listed(builds: readonly Pick<BuildSummary, 'id' | 'description'>[]): string[] {
  return builds.map(({ id, description }, at) => {
    const text = oneLine(description);
    const short =
      text.length > DESCRIPTION_COLUMNS ? `${text.slice(0, DESCRIPTION_COLUMNS - 3)}...` : text;
    return `  ${at + 1}  ${id}  ${short}`;
  });
}

/** The project that a foundation has just made. */
interface StartedProject {
  /** Absolute path of the folder in which it is made. */
  readonly project: string;
  readonly registry: Registries;
  readonly lock: Lock;
}

/**
 * The modules of the answers.
 * @param choose `undefined` where nobody can answer, or where the command line has the modules: then no answer means none
 * @throws {ClientError} `ERR_BUILD_NOT_FOUND` for an answer that no build fits; `ERR_DECLINED`
 */
export async function chooseModules(
  answers: NewAnswers,
  choose: Choose | undefined,
  started: StartedProject,
): Promise<BuildRequest[]> {
  const { database, accounts } = answers;
  const asksUser = choose !== undefined && (database === undefined || accounts === undefined);
  if (!asksUser) return modulesFor(database, accounts === true, started);
  const engines = database === undefined ? await fittingEngines(started) : [];
  return choose(async (ask) => {
    const engine = database ?? (await askDatabase(engines, ask));
    const wanted = accounts ?? (await askAccounts(engine, started, ask));
    const modules = await modulesFor(engine, wanted, started);
    return [...modules, ...(await askFeatures(modules, started, ask))];
  });
}

/** What products have beside accounts: one question for all of it, by what the builds provide. */
const FEATURES = ['mail', 'jobs', 'files'];

async function askFeatures(
  chosen: readonly BuildRequest[],
  started: StartedProject,
  ask: Asker,
): Promise<BuildRequest[]> {
  const found: (BuildSummary & { readonly group: string })[] = [];
  const others = chosen.map(({ id }) => id);
  for (const group of FEATURES) {
    const candidates = await search(started.registry, 'module', [group]);
    const id = (await bestFitting([group], others, started))?.at(-1);
    found.push(...candidates.filter((one) => one.id === id).map((one) => ({ ...one, group })));
  }
  for (const build of await search(started.registry, 'module', ['web-pages'])) {
    found.push({ ...build, group: 'pages' });
  }
  if (found.length === 0) return [];
  const lines = listed(found.map((one) => ({ ...one, id: `${one.group}: ${one.id}` })));
  const typed = await ask.text(['More:', ...lines], 'Numbers or ids, with commas (none):');
  const names = typed.split(/[,\s]+/).filter((name) => name !== '');
  return names.map((name) => requestOf(found[Number(name) - 1]?.id ?? name));
}

type Engine = NewAnswers['database'];

async function fittingEngines(started: StartedProject): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for (const engine of DATABASES) {
    const [id] = (await findDatabase(engine, started)) ?? [];
    if (id !== undefined) found.push([engine, id]);
  }
  return found;
}

async function askDatabase(
  engines: readonly (readonly [string, string])[],
  ask: Asker,
): Promise<Engine> {
  if (engines.length === 0) return 'none';
  const choices = engines.map(([engine, id]) => ({ key: engine, label: ` (${id})` }));
  const chosen = await ask.choice(['Database:'], [{ key: 'none', label: '' }, ...choices], 'none');
  return chosen as Engine;
}

async function askAccounts(engine: Engine, started: StartedProject, ask: Asker): Promise<boolean> {
  const found = await findAccounts(engine, started);
  if (found === undefined) return false;
  const choices = [
    { key: 'no', label: '' },
    { key: 'yes', label: ` (${found.at(-1)})` },
  ] as const;
  const lines = ['Add sign-up and login?'];
  const chosen = await ask.choice(lines, choices, 'no');
  return chosen === 'yes';
}

async function modulesFor(
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
async function findAccounts(
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
  const { searchRegistries } = await import('../registry/search-registries.ts');
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

/**
 * The package manager of a new project, where it has packages of npm: the one of the option, or one of those of this machine.
 * `undefined` leaves it to npm.
 * @throws {ClientError} `ERR_USAGE` for a project without package.json; `ERR_DECLINED`
 */
export async function choosePackageManager(
  hasPackages: boolean,
  { packageManager }: NewAnswers,
  choose: Choose | undefined,
): Promise<PackageManager | undefined> {
  if (packageManager !== undefined) {
    if (hasPackages) return packageManager === 'npm' ? undefined : packageManager;
    throw new ClientError(
      'ERR_USAGE',
      'Option --package-manager is for projects with a package.json',
      { hint: 'leave it out: this foundation has none' },
    );
  }
  const present = PACKAGE_MANAGERS.filter((name) => name === 'npm' || isOnPath(name));
  if (!hasPackages || choose === undefined || present.length === 1) return undefined;
  const choices = present.map((key) => ({ key, label: '' }));
  const chosen = await choose((ask) => ask.choice(['Package manager:'], choices, 'npm'));
  return chosen === 'npm' ? undefined : chosen;
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
