/**
 * Gives builds their place in a project: the folder that the user chose, and the imports that follow from it.
 * Parsers are loaded only when a build, or one that it requires, is moved.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import { placeOf } from '../../format/lock/placement.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import type { BuildFile, Change, FetchedBuild, Warning } from '../plan/plan.ts';
import type { ProjectCode, RewriteContext } from './context.ts';
import type { Placing } from './placement-folder.ts';
import type { BuildPlace } from './layout.ts';
import { Layout } from './layout.ts';

interface PlacedBuilds {
  readonly builds: readonly FetchedBuild[];
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  readonly warnings: readonly Warning[];
}

/** Endings of what an import without ending may name. */
const MODULE_ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.mjs', '.json', '.py'];

/**
 * The builds of a change, which are as they were published, at their new places, and the installed versions among
 * them at the places of the lock; each with its imports rewritten.
 * @throws {ClientError} `ERR_PROJECT_FILE` where the aliases of the project cannot be read; `ERR_USAGE`
 */
export async function placeBuilds(
  { lock, leaving, bases, ...change }: Pick<Change, 'builds' | 'bases' | 'leaving' | 'lock'>,
  placing: Placing,
  code: ProjectCode,
): Promise<PlacedBuilds> {
  const locked = Object.entries(lock?.builds ?? {});
  const builds = change.builds.map((build) => withPlace(build, lock?.builds[build.id], placing));
  const staying = locked.filter(([id]) => !leaving.has(id) && !builds.some((one) => one.id === id));
  const next = new Layout([...staying.map(lockedPlace), ...builds.map(fetchedPlace)]);
  const previous = new Layout(locked.map(lockedPlace));
  const ofBuilds = new Set(locked.flatMap(([, { files }]) => Object.keys(files)));
  const hasModule = (path: string): boolean =>
    MODULE_ENDINGS.map((ending) => path + ending).some((file) => {
      return !ofBuilds.has(file) && code.has(file);
    });
  // Once, when the build gets its place.
  const warnings = builds
    .filter(({ id, to }) => lock?.builds[id]?.placement?.to !== to)
    .flatMap(scriptWarnings);
  const placed: FetchedBuild[] = [];
  for (const build of builds) {
    placed.push(await rewritten(build, next, { ...code, hasModule }, warnings));
  }
  const placedBases = new Map<string, FetchedBuild>();
  for (const base of bases.values()) {
    const old = withPlace(base, lock?.builds[base.id], {});
    placedBases.set(base.id, await rewritten(old, previous, { ...code, hasModule }, []));
  }
  return { builds: placed, bases: placedBases, warnings };
}

/** The installed version of a build at its place in the project. @throws {ClientError} as `placeBuilds` */
export async function placeInstalled(
  lock: Lock,
  builds: readonly FetchedBuild[],
  code: ProjectCode,
): Promise<FetchedBuild[]> {
  const bases = new Map(builds.map((build) => [build.id, build]));
  const placed = await placeBuilds({ builds: [], bases, leaving: new Set(), lock }, {}, code);
  return [...placed.bases.values()];
}

function withPlace(
  build: FetchedBuild,
  locked: LockedBuild | undefined,
  placing: Placing,
): FetchedBuild {
  const to = placing.to?.[build.id] ?? locked?.placement?.to;
  const imports = placing.imports ?? locked?.placement?.imports;
  const alias = placing.imports === undefined ? locked?.placement?.alias : placing.alias;
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

/** @param warnings to which imports are added that stay as they are */
async function rewritten(
  build: FetchedBuild,
  layout: Layout,
  code: Pick<RewriteContext, 'aliases' | 'pythonRoots' | 'hasModule'>,
  warnings: Warning[],
): Promise<FetchedBuild> {
  const { id, imports: style, alias } = build;
  const place = layout.get(id);
  const mayDiffer = style !== undefined || layout.isMoved(id);
  if (place === undefined || !mayDiffer) return build;
  const { rewriteBuild } = await import('./rewrite-build.ts');
  const context = { ...code, layout, build: place, style, alias, packages: packagesOf(build) };
  const { files, left } = rewriteBuild(build.files, context);
  for (const [path, lines] of left) {
    const message = lines.map(({ line, what }) => `line ${line}: ${what}`).join('; ');
    warnings.push({ code: 'import-left', path, message: `left as it is: ${message}` });
  }
  const all = [...build.files].map(([from, file]): [string, BuildFile] => {
    const now = files.get(from);
    if (now === undefined) return [from, file];
    const rewrite = { shipped: integrityOf(file.bytes), imports: now.imports };
    return [from, { bytes: now.bytes, executable: file.executable, rewrite }];
  });
  return { ...build, files: new Map(all) };
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

/** The npm packages that a build declares. */
export function packagesOf({ manifest }: FetchedBuild): Set<string> {
  const tables = [manifest.dependencies?.npm, manifest.devDependencies?.npm];
  return new Set(tables.flatMap((table) => Object.keys(table ?? {})));
}
