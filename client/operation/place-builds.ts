/**
 * Gives builds their place in a project: the folder that the user chose, and the imports that follow from it.
 * Parsers are loaded only when a build, or one that it requires, is moved.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import { placeOf } from '../../format/lock/placement.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import type { BuildFile, FetchedBuild, PlacingWish, Warning } from '../plan/plan.ts';
import type { Aliases } from '../rewrite/aliases.ts';
import type { BuildPlace } from '../rewrite/layout.ts';
import { Layout } from '../rewrite/layout.ts';

/** Builds as they are published, and the lock with the places of those that are installed. */
export interface PlaceInput {
  readonly builds: readonly FetchedBuild[];
  /** The versions that the lock has, by id. */
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  readonly leaving: ReadonlySet<string>;
  readonly lock: Lock | undefined;
  readonly placing?: PlacingWish | undefined;
}

export interface PlacedBuilds {
  readonly builds: readonly FetchedBuild[];
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  readonly warnings: readonly Warning[];
}

/** Endings of what an import without ending may name. */
const MODULE_ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.mjs', '.json', '.py'];

/**
 * `builds` at their new places and `bases` at the places of the lock, each with its imports rewritten.
 * @throws {ClientError} `ERR_PROJECT_FILE` where the aliases of the project cannot be read; `ERR_USAGE`
 */
export async function placeBuilds(project: string, input: PlaceInput): Promise<PlacedBuilds> {
  const { bases, lock, leaving, placing } = input;
  const locked = Object.entries(lock?.builds ?? {});
  const builds = input.builds.map((build) => withPlace(build, lock?.builds[build.id], placing));
  const staying = locked.filter(([id]) => !leaving.has(id) && !builds.some((one) => one.id === id));
  const next = new Layout([...staying.map(lockedPlace), ...builds.map(fetchedPlace)]);
  const previous = new Layout(locked.map(lockedPlace));
  const olds = [...bases.values()].map((base) => withPlace(base, lock?.builds[base.id], undefined));
  const ofBuilds = new Set(locked.flatMap(([, { files }]) => Object.keys(files)));
  const rewriting = new Rewriting(project, ofBuilds);
  const warnings: Warning[] = [];
  const placed: FetchedBuild[] = [];
  for (const build of builds) {
    // Once, when the build gets its place.
    const isNew = lock?.builds[build.id]?.placement?.to !== build.to;
    if (isNew) warnings.push(...scriptWarnings(build));
  }
  for (const build of builds) placed.push(await rewriting.rewrite(build, next, warnings));
  const placedBases = new Map<string, FetchedBuild>();
  for (const base of olds) placedBases.set(base.id, await rewriting.rewrite(base, previous, []));
  return { builds: placed, bases: placedBases, warnings };
}

/** The installed version of a build at its place in the project. @throws {ClientError} as `placeBuilds` */
export async function placeInstalled(
  project: string,
  lock: Lock,
  builds: readonly FetchedBuild[],
): Promise<FetchedBuild[]> {
  const bases = new Map(builds.map((build) => [build.id, build]));
  const placed = await placeBuilds(project, { builds: [], bases, leaving: new Set(), lock });
  return builds.map((build) => placed.bases.get(build.id) ?? build);
}

function withPlace(
  build: FetchedBuild,
  locked: LockedBuild | undefined,
  placing: PlacingWish | undefined,
): FetchedBuild {
  const to = placing?.to.get(build.id) ?? locked?.placement?.to;
  const imports = placing?.imports ?? locked?.placement?.imports;
  const alias = placing?.imports === undefined ? locked?.placement?.alias : placing.alias;
  const isMoved = to !== undefined && to !== (build.manifest.base ?? '');
  return {
    ...build,
    ...(isMoved ? { to } : {}),
    ...(imports === undefined ? {} : { imports }),
    ...(alias === undefined ? {} : { alias }),
  };
}

/** The place of a build that is placed already. */
export function fetchedPlace({ id, manifest, to, files }: FetchedBuild): BuildPlace {
  const base = manifest.base ?? '';
  const requires = Object.keys(manifest.builds ?? {});
  return { id, base, place: to ?? base, files: [...files.keys()], requires };
}

export function lockedPlace([id, build]: readonly [string, LockedBuild]): BuildPlace {
  const files = Object.values(build.files).map(({ from }) => from);
  const requires = Object.keys(build.builds);
  return { id, base: build.base, place: placeOf(build), files, requires };
}

/** Rewrites builds with the aliases of one project, which are read once, when they are needed. */
class Rewriting {
  readonly #project: string;
  readonly #ofBuilds: ReadonlySet<string>;
  #aliases: Aliases | undefined;
  #roots: readonly string[] | undefined;

  /** @param ofBuilds paths of installed files, which are not the project's own */
  constructor(project: string, ofBuilds: ReadonlySet<string>) {
    this.#project = project;
    this.#ofBuilds = ofBuilds;
  }

  async rewrite(build: FetchedBuild, layout: Layout, warnings: Warning[]): Promise<FetchedBuild> {
    const place = layout.get(build.id);
    if (place === undefined || !needsRewrite(build, layout)) return build;
    const { rewriteBuild } = await import('../rewrite/rewrite-build.ts');
    const { readAliases } = await import('../project/module-aliases.ts');
    const { readPythonRoots } = await import('../project/python-roots.ts');
    const { manifest, imports: style, alias } = build;
    const { files, left } = rewriteBuild(build.files, {
      layout,
      build: place,
      style,
      alias,
      packages: packagesOf(manifest),
      aliases: () => (this.#aliases ??= readAliases(this.#project)),
      pythonRoots: () => (this.#roots ??= readPythonRoots(this.#project)),
      hasModule: (path) => this.#hasModule(path),
    });
    for (const [path, lines] of left) {
      const message = lines.map(({ line, what }) => `line ${line}: ${what}`).join('; ');
      warnings.push({ code: 'import-left', path, message: `left as it is: ${message}` });
    }
    const rewritten = [...build.files].map(([from, file]): [string, BuildFile] => {
      const now = files.get(from);
      if (now === undefined) return [from, file];
      const rewrite = { shipped: integrityOf(file.bytes), imports: now.imports };
      return [from, { bytes: now.bytes, executable: file.executable, rewrite }];
    });
    return { ...build, files: new Map(rewritten) };
  }

  #hasModule(path: string): boolean {
    return MODULE_ENDINGS.map((ending) => path + ending).some((file) => {
      return !this.#ofBuilds.has(file) && existsSync(join(this.#project, file));
    });
  }
}

/** Scripts are commands, in which a path looks like any other word: they are reported. */
function scriptWarnings({ id, manifest, to }: FetchedBuild): Warning[] {
  const { base = '', scripts = {} } = manifest;
  if (to === undefined || base === '') return [];
  const stale = Object.entries(scripts).filter(([, value]) => value.includes(`${base}/`));
  return stale.map(([name]) => ({
    code: 'script-left',
    path: PACKAGE_JSON,
    message: `the script "${name}" of "${id}" names files in "${base}", and they are in "${to}": correct it`,
  }));
}

/** Whether imports of `build` may need other names than the shipped ones. */
function needsRewrite({ id, imports }: FetchedBuild, layout: Layout): boolean {
  return imports !== undefined || layout.isMoved(id);
}

function packagesOf({ dependencies, devDependencies }: FetchedBuild['manifest']): Set<string> {
  const tables = [dependencies?.npm, devDependencies?.npm];
  return new Set(tables.flatMap((table) => Object.keys(table ?? {})));
}
