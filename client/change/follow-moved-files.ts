/**
 * Follows the files of builds that the user moved: reads the project where files are missing or replaced, and gives a lock with the
 * places that they have now. The steps of `plan/moved-files.ts` for the commands that read a lock.
 */
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFilePath } from '../../format/build/file-path.ts';
import type { Lock } from '../../format/project/lock.ts';
import { placeInstalled } from '../plan/place/place-builds.ts';
import type { ProjectCode } from '../plan/place/project-code.ts';
import {
  buildsToCompare,
  findMovedFiles,
  foldersOfBuilds,
  type MovedFile,
} from '../plan/moved-files.ts';
import { relocateLock, settleDigests } from '../plan/relocate-lock.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { statusAt } from '../project/read-file.ts';

/** Folders of packages, results and environments: no source is moved there. */
const SKIPPED =
  /^(?:node_modules|dist|build|out|coverage|venv|env|site-packages|__pycache__|\..*)$/;
const MAX_FILES = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

interface Followed {
  readonly lock: Lock;
  /** Sorted by path; empty where everything is at its place. */
  readonly moved: readonly MovedFile[];
}

/**
 * The lock with the moved files of its builds where they are.
 * @param shipped the installed versions as they were published, as far as they are available: without them only files that were not
 * edited are found
 */
export async function followMovedFiles(
  project: string,
  lock: Lock,
  shipped: ReadonlyMap<string, FetchedBuild>,
  code: ProjectCode,
): Promise<Followed> {
  const formed = new Map(shipped);
  for (const [id, build] of shipped) {
    const form = lock.builds[id]?.placement?.form;
    if (form === undefined) continue;
    const { inJavaScript } = await import('../plan/place/javascript-form.ts');
    formed.set(id, inJavaScript(build, form));
  }
  const present = presentFiles(project, lock);
  const ofBuilds = foldersOfBuilds(lock);
  const others = (): Map<string, Uint8Array> =>
    new Map([...projectFiles(project, ofBuilds)].filter(([path]) => !present.has(path)));
  const moved = findMovedFiles(lock, formed, present, others);
  if (moved.length === 0) return { lock, moved };
  const relocated = relocateLock(lock, moved, (path) => present.has(path));
  const placed = await placeInstalled(relocated, [...shipped.values()], code);
  return { lock: settleDigests(relocated, placed), moved };
}

/** The installed builds whose shipped files are needed to follow moved ones, by id. */
export function buildsThatMoved(project: string, lock: Lock): [string, Lock['builds'][string]][] {
  const ids = buildsToCompare(lock, (path) => isFile(join(project, path)));
  return Object.entries(lock.builds).filter(([id]) => ids.has(id));
}

function presentFiles(project: string, { builds }: Lock): Map<string, Uint8Array> {
  const paths = Object.values(builds).flatMap(({ files }) => Object.keys(files));
  const present = paths.filter((path) => isFile(join(project, path)));
  return new Map(present.map((path) => [path, readFileSync(join(project, path))]));
}

/**
 * Content of the files of the project by path, the shallow ones first, up to limits of count and size.
 * @param always folders that are read whatever their name
 */
export function projectFiles(
  project: string,
  always: ReadonlySet<string> = new Set(),
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const folders = [''];
  let bytes = 0;
  let listed = 0;
  // The list grows during the loop.
  for (const folder of folders) {
    const entries = readdirSync(join(project, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && (always.has(path) || !SKIPPED.test(entry.name)))
        folders.push(path);
      if (!entry.isFile() || !isFilePath(path)) continue;
      const file = join(project, path);
      const { size } = lstatSync(file);
      if (size > MAX_FILE_BYTES) continue;
      listed += 1;
      bytes += size;
      if (listed > MAX_FILES || bytes > MAX_BYTES) return files;
      files.set(path, readFileSync(file));
    }
  }
  return files;
}

function isFile(file: string): boolean {
  return statusAt(file)?.isFile() === true;
}
