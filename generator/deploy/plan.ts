/** What a deployment has to do, by the inventory of the target, or by its objects where that is not known. */
import { hash } from 'node:crypto';
import { CHECKPOINT_PATH, parseIndexPath, writingOrder } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { INVENTORY_PATH, type Inventory } from './inventory.ts';
import { readLocalFile, type LocalFiles } from '../state/local-files.ts';
import { DEPLOY_FOLDER, STATE_FOLDER, type Store } from './store.ts';

/** With more to upload, the objects are listed: most may be there, such as after a first deployment that did not end. */
const LISTED_FROM = 1_000;
/** Their bytes never change, whatever version of this software makes them. */
const FIXED: readonly unknown[] = ['tarball', 'shard', 'document', 'log', 'map-file'];
/** They have digests and nothing else of what is published. */
const DIGESTS: readonly unknown[] = ['log', 'map-file', 'map-entry'];
/** Rooms in which other versions of this software have other files. */
const ROOMS = /^(?:builds|heads|log)\//;

/**
 * @param isPurging whether something was taken down since the last deployment
 * @returns what to upload, first `fixed`, what has a digest or a version for its name; what the target has and the inventory has
 *   not; what is no part of an index for longer than the grace time; what is removed once the checkpoint is another one; what
 *   waits from now on, and how much waits already
 * @throws {GeneratorError} `ERR_DEPLOY_IMMUTABLE`
 */
export async function makePlan(
  store: Store,
  { index, files }: { readonly index: string; readonly files: LocalFiles },
  { marks, isKnown }: Pick<Inventory, 'marks' | 'isKnown'>,
  graceMs: number,
  isPurging: boolean,
) {
  const now = store.now();
  const wanted = new Set([...files.keys()].filter((path) => marks.get(path) !== files.get(path)));
  wanted.delete(CHECKPOINT_PATH);
  for (const path of wanted) {
    if (marks.get(path)?.length !== 64 || !FIXED.includes(parseIndexPath(path)?.kind)) continue;
    const problem = `File "${path}" has other bytes than the deployed one, which never change`;
    throw new GeneratorError('ERR_DEPLOY_IMMUTABLE', problem, {
      hint: 'restore the history and the generator that it was published with',
    });
  }
  const [found, expired]: [string[], string[]] = [[], []];
  const [gone, left]: [string[], string[]] = [[], []];
  let waiting = 0;
  const takenDown = isPurging ? idsTakenDown(index, files) : [];
  /** What has something of a build that was taken down must not wait; what else clients read of the state before stays. */
  const mustGo = async (path: string): Promise<boolean> => {
    const kind = parseIndexPath(path)?.kind;
    if (graceMs === 0 || !isPurging) return graceMs === 0;
    if (kind !== 'document' && kind !== 'shard') return !DIGESTS.includes(kind);
    const text = new TextDecoder().decode((await store.read(path))?.bytes);
    return takenDown.some((id) => text.includes(id));
  };
  for (const [path, mark] of marks) {
    if (files.has(path)) continue;
    // A time of the future is that of a clock which was wrong.
    const isNew = mark === '?' || mark.length === 64 || Number(mark) > now;
    if (!isNew && now - Number(mark) >= graceMs) expired.push(path);
    else if (await mustGo(path)) gone.push(path);
    else if (isNew) left.push(path);
    else waiting += 1;
  }
  const isListed = !isKnown || isPurging || wanted.size > LISTED_FROM;
  for await (const { path, size, md5 } of isListed ? store.list() : []) {
    if (wanted.has(path)) {
      const bytes = readLocalFile(index, path, files.get(path));
      const isSame = bytes?.length === size && hash('md5', bytes) === md5;
      if (isSame && wanted.delete(path)) found.push(path);
    } else if (path.startsWith(DEPLOY_FOLDER)) {
      // Without a known inventory, nothing else there is of use.
      if (isKnown ? isPurging && path.startsWith(STATE_FOLDER) : path !== INVENTORY_PATH)
        expired.push(path);
    } else if (!files.has(path) && !marks.has(path)) {
      if (parseIndexPath(path) === undefined && !ROOMS.test(path)) continue;
      if (await mustGo(path)) gone.push(path);
      else left.push(path);
    }
  }
  const [fixed = [], aliases = []] = [0, 1].map((order) => {
    return [...wanted].filter((path) => writingOrder(path) === order);
  });
  return { fixed, aliases, found, expired, gone, left, waiting };
}

/** Ids of the builds of which something was taken down: their heads say so. */
function idsTakenDown(index: string, files: LocalFiles): string[] {
  return [...files].flatMap(([path, sha256]) => {
    const parsed = parseIndexPath(path);
    if (parsed?.kind !== 'head') return [];
    return readLocalFile(index, path, sha256)?.includes('"taken_down"') ? [parsed.id] : [];
  });
}
