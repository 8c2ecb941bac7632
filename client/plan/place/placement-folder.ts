/** The folder of `--to`: where the user wants a build in the project. */
import { isFilePath, printable } from '../../../format/build/file-path.ts';
import { isNeverWritten } from '../../../format/build/protected-path.ts';
import { placeOf, type Lock } from '../../../format/project/lock.ts';
import { ClientError } from '../../errors.ts';
import type { FetchedBuild, JavaScriptForm } from '../plan.ts';
import type { BuildRequest } from '../../resolve/request.ts';

/** Where builds go in a project. */
export interface Placing {
  /** Folder of the project for a build, by id. */
  readonly to?: Readonly<Record<string, string>> | undefined;
  /** Of a JavaScript project: builds that are new in it lose their types. */
  readonly form?: JavaScriptForm | undefined;
}

/**
 * The build that goes to the folder `to` of the project, with the folder in its normal form; "" is the root.
 * @throws {ClientError} `ERR_USAGE` for several builds, and for a folder outside the project;
 * `ERR_PATH_POLICY` for one in which no build may write
 */
export function parsePlacement(
  requests: readonly Pick<BuildRequest, 'id'>[],
  to: string | undefined,
): Record<string, string> {
  if (to === undefined) return {};
  const [request, second] = requests;
  if (request === undefined || second !== undefined) {
    const what = request === undefined ? 'no build' : `${requests.length} builds`;
    throw new ClientError('ERR_USAGE', `Option --to is for one build, and you named ${what}`, {
      hint: 'name one build; what it requires goes where it belongs, or where you placed it before',
    });
  }
  const folder = to.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (folder === '.' || (folder === '' && /^\.\/*$/.test(to))) return { [request.id]: '' };
  if (!isFilePath(folder)) {
    throw new ClientError(
      'ERR_USAGE',
      `Cannot place "${request.id}" in "${printable(to)}": it is not a folder of the project`,
      { hint: 'give a folder relative to the project, with "/", such as --to src/auth' },
    );
  }
  if (isNeverWritten(`${folder}/x`)) {
    throw new ClientError(
      'ERR_PATH_POLICY',
      `Cannot place "${request.id}" in "${printable(folder)}": no build may write there`,
      { hint: 'give a folder of your sources, such as --to src/auth' },
    );
  }
  return { [request.id]: folder };
}

/**
 * Checks that no build of `to` is installed elsewhere: an update moves it, and keeps the edits of the user.
 * @throws {ClientError} `ERR_INSTALLED`
 */
export function checkInstalledPlaces(
  lock: Lock | undefined,
  to: Readonly<Record<string, string>>,
): void {
  for (const [id, folder] of Object.entries(to)) {
    const build = lock?.builds[id];
    if (build === undefined || placeOf(build) === folder) continue;
    const here = placeOf(build) === '' ? 'the project root' : `"${placeOf(build)}"`;
    throw new ClientError('ERR_INSTALLED', `"${id}" is installed already, in ${here}`, {
      hint: `move it with: stackyard update ${id} --to ${folder === '' ? '.' : folder}`,
    });
  }
}

/**
 * Checks that a build does not go into the folder of another one. Builds that are shipped into one folder may
 * also be placed in one.
 * @throws {ClientError} `ERR_CONFLICT`
 */
export function checkFolders(
  to: Readonly<Record<string, string>>,
  builds: readonly FetchedBuild[],
  lock: Lock | undefined,
): void {
  for (const build of builds) {
    const folder = to[build.id];
    if (folder === undefined) continue;
    const own = build.manifest.base ?? '';
    const incoming = builds.map(({ id, manifest: { base = '' } }) => {
      return { id, base, place: to[id] ?? lock?.builds[id]?.placement?.to ?? base };
    });
    const staying = Object.entries(lock?.builds ?? {})
      .filter(([id]) => !incoming.some((one) => one.id === id))
      .map(([id, other]) => ({ id, base: other.base, place: placeOf(other) }));
    const others = [...incoming, ...staying];
    const owner = others.find(({ id, base, place }) => {
      const isInside = folder === place || folder.startsWith(`${place}/`);
      return id !== build.id && place !== '' && base !== own && isInside;
    });
    if (owner === undefined) continue;
    throw new ClientError(
      'ERR_CONFLICT',
      `Cannot place "${build.id}" in "${folder}": "${owner.place}" is the folder of "${owner.id}"`,
      { hint: 'give a folder of its own with --to' },
    );
  }
}

/** The builds that `to` moves, and those that require them, whose imports follow. */
export function movingBuilds(
  { builds }: Pick<Lock, 'builds'>,
  to: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  const moving = new Set<string>();
  for (const [id, folder] of Object.entries(to)) {
    const build = builds[id];
    if (build !== undefined && placeOf(build) !== folder) moving.add(id);
  }
  // The set grows during the loop, so that those that require them indirectly are found too.
  for (const id of moving) {
    for (const [other, build] of Object.entries(builds)) {
      if (Object.hasOwn(build.builds, id)) moving.add(other);
    }
  }
  return moving;
}
