/**
 * Gives builds their place in a project: the folder that the user chose, and the imports that follow from it.
 * Parsers are loaded only when a build, or one that it requires, is moved, or imports by an alias.
 */
import { integrityOf } from '../../../format/archive/integrity.ts';
import { type Lock, type LockedBuild, placeOf } from '../../../format/project/lock.ts';
import { PACKAGE_JSON } from '../../edit/edited-files.ts';
import type { BuildFile, Change, FetchedBuild, Warning } from '../plan.ts';
import { findRenames } from '../renames.ts';
import { type BuildPlace, Layout, movedPath, movedPaths, type MovedPaths } from './layout.ts';
import { isAliasByConvention } from './aliases.ts';
import { folderOf, isRelative, isWithin, joinPath, resolvePath } from './paths.ts';
import type { Placing } from './placement-folder.ts';
import type { ProjectCode } from './project-code.ts';
import type { RewriteContext } from './rewrite.ts';

interface PlacedBuilds {
  readonly builds: readonly FetchedBuild[];
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  readonly warnings: readonly Warning[];
}

/** Endings of what an import without ending may name, or with the ending of its compiled form. */
const MODULE_ENDINGS = ['', '.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.mjs', '.json', '.py'];
const COMPILED_ENDING = /\.[cm]?jsx?$/;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/;
/** Names in imports, as far as they can be found without a parser. */
const IMPORTED = /\b(?:from|import|require)\b\s*\(?\s*["'`]([^"'`\n]+)/g;

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
  const builds = await Promise.all(
    change.builds.map((build) =>
      withPlace(build, lock?.builds[build.id], placing, bases.get(build.id)),
    ),
  );
  const staying = locked.filter(([id]) => !leaving.has(id) && !builds.some((one) => one.id === id));
  const next = new Layout([...staying.map(lockedPlace), ...builds.map(fetchedPlace)]);
  const previous = new Layout(locked.map(lockedPlace));
  const ofBuilds = new Set(locked.flatMap(([, { files }]) => Object.keys(files)));
  const hasModule = (path: string): boolean =>
    [path, path.replace(COMPILED_ENDING, '')]
      .flatMap((name) => MODULE_ENDINGS.map((ending) => name + ending))
      .some((file) => !ofBuilds.has(file) && code.has(file));
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
    const old = await withPlace(base, lock?.builds[base.id], {});
    const recorded = lock?.builds[base.id]?.placement?.rewritten ?? {};
    placedBases.set(base.id, await rewritten(old, previous, { ...code, hasModule }, [], recorded));
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

async function withPlace(
  build: FetchedBuild,
  locked: LockedBuild | undefined,
  placing: Placing,
  base?: FetchedBuild,
): Promise<FetchedBuild> {
  const to = placing.to?.[build.id] ?? locked?.placement?.to;
  const { imports, alias } = locked?.placement ?? {};
  const form = locked === undefined ? placing.form : locked.placement?.form;
  const isMoved = to !== undefined && to !== (build.manifest.base ?? '');
  let [formed, installed] = [build, base];
  if (form !== undefined) {
    const { inJavaScript } = await import('./javascript-form.ts');
    formed = inJavaScript(build, form);
    installed = base && inJavaScript(base, form);
  }
  const moved = locked === undefined ? undefined : movedInBuild(formed, locked, to, installed);
  return {
    ...formed,
    ...(isMoved ? { to } : {}),
    ...(moved === undefined ? {} : { moved }),
    ...(imports === undefined ? {} : { imports }),
    ...(alias === undefined ? {} : { alias }),
  };
}

/**
 * Where the files of `build` are that the user moved, and those that a new version renames. What is below the folder of the build
 * moves with it to the folder `to`.
 * @param base the installed version, when `build` is another one
 */
function movedInBuild(
  build: FetchedBuild,
  locked: LockedBuild,
  to: string | undefined,
  base: FetchedBuild | undefined,
): MovedPaths | undefined {
  const before = placeOf(locked);
  const moved = movedPaths(lockedFiles(locked), before);
  if (moved === undefined) return undefined;
  const place = to ?? build.manifest.base ?? '';
  const follow = (path: string): string =>
    place !== before && before !== '' && path.startsWith(`${before}/`)
      ? joinPath(place, path.slice(before.length + 1))
      : path;
  const now = new Map([...moved].map(([from, path]) => [from, follow(path)]));
  if (base === undefined || base === build) return now;
  const gone = [...base.files].filter(([from]) => moved.has(from) && !build.files.has(from));
  const added = [...build.files].filter(([from]) => !base.files.has(from));
  const renames = findRenames(
    gone.map(([from, { bytes }]) => ({ from, bytes, integrity: integrityOf(bytes) })),
    added.map(([from, file]) => ({ from, file })),
  );
  // The user chose the folder, and the new version the name, unless the user chose that as well.
  for (const [from, next] of renames) {
    const path = movedPath(now, from)!;
    const isNamed = nameOf(path) !== nameOf(from);
    now.set(next, isNamed ? path : joinPath(folderOf(path), nameOf(next)));
  }
  return now;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function lockedFiles({ files }: Pick<LockedBuild, 'files'>) {
  return Object.entries(files).map(([path, { from }]) => ({ path, from }));
}

/** The place of a build that is placed already. */
export function fetchedPlace({ id, manifest, to, files, moved }: FetchedBuild): BuildPlace {
  const base = manifest.base ?? '';
  const requires = Object.keys(manifest.builds ?? {});
  return { id, base, place: to ?? base, files: [...files.keys()], requires, moved };
}

export function lockedPlace([id, build]: readonly [string, LockedBuild]): BuildPlace {
  const files = Object.values(build.files).map(({ from }) => from);
  const requires = Object.keys(build.builds);
  const place = placeOf(build);
  const moved = movedPaths(lockedFiles(build), place);
  return { id, base: build.base, place, files, requires, moved };
}

/**
 * @param warnings to which imports are added that stay as they are
 * @param recorded of an installed version: by path, the files that were rewritten
 */
async function rewritten(
  build: FetchedBuild,
  layout: Layout,
  code: Pick<RewriteContext, 'aliases' | 'pythonRoots' | 'hasModule'>,
  warnings: Warning[],
  recorded?: Readonly<Record<string, string>>,
): Promise<FetchedBuild> {
  const { id, imports: style, alias, wiredGuide: guide = '' } = build;
  const place = layout.get(id);
  if (place === undefined) return build;
  // A step of the guide may make it.
  const hasModule = (path: string): boolean =>
    code.hasModule(path) || guide.includes(path.replace(COMPILED_ENDING, ''));
  const packages = packagesOf(build);
  const context = { ...code, hasModule, layout, build: place, style, alias, packages };
  const mayDiffer = style !== undefined || layout.isMoved(id);
  const files = [...build.files].filter(([from, { bytes }]) => {
    if (mayDiffer) return true;
    const shipped = joinPath(place.base, from);
    if (recorded !== undefined && !Object.hasOwn(recorded, shipped)) return false;
    return leadsAway(shipped, bytes, context);
  });
  // A foundation brings the configuration that its own imports need.
  if (files.length === 0 || (!mayDiffer && build.manifest.kind === 'foundation')) return build;
  const { rewriteBuild } = await import('./rewrite-build.ts');
  const { files: changed, left } = rewriteBuild(files, context);
  for (const [path, lines] of left) {
    const message = lines.map(({ line, what }) => `line ${line}: ${what}`).join('; ');
    warnings.push({ code: 'import-left', path, message: `left as it is: ${message}` });
  }
  const all = [...build.files].map(([from, file]): [string, BuildFile] => {
    const now = changed.get(from);
    if (now === undefined) return [from, file];
    const shipped = file.rewrite?.shipped ?? integrityOf(file.bytes);
    const rewrite = { shipped, imports: now.imports };
    return [from, { bytes: now.bytes, executable: file.executable, rewrite }];
  });
  return { ...build, files: new Map(all) };
}

/** Whether a file may import by an alias, or what neither its build nor those that it requires have. */
function leadsAway(
  shipped: string,
  bytes: Uint8Array,
  { build: { id, base }, layout, hasModule }: RewriteContext,
): boolean {
  if (!CODE.test(shipped)) return false;
  const text = Buffer.from(bytes).toString('utf8');
  return [...text.matchAll(IMPORTED)].some(([, name = '']) => {
    if (!isRelative(name)) return isAliasByConvention(name);
    const path = resolvePath(folderOf(shipped), name);
    const isOut = path !== undefined && base !== '' && !isWithin(base, path);
    return isOut && layout.reach(id, path) === undefined && !hasModule(path);
  });
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
