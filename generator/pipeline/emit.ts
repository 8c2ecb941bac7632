/**
 * Writes an index so that a reader or a crash at any moment sees the older or the newer state: everything is first
 * written and synced below `<out>/.stage/`, then renamed into place in the order of `writingOrder`, the checkpoint last.
 * Files that are no longer part of the index are removed after that.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { InternalError } from '../../format/errors.ts';
import {
  REGISTRY_PATH,
  RETIRED_FOLDER,
  parseIndexPath,
  writingOrder,
  type IndexPath,
} from '../../format/index/layout.ts';
import { SHADCN_FOLDER } from '../../format/index/shadcn-path.ts';
import { SITE_SECTIONS } from '../../format/index/site-path.ts';
import { GeneratorError } from '../errors.ts';
import { isRetiring, retireFile } from './retired-files.ts';

/** The folder in the index where a run prepares its files; servers do not serve dot folders. */
export const STAGE_FOLDER = '.stage';

/** Folders that a thread remembers: a large registry has millions. */
const MAX_FOLDERS = 10_000;

/** Gives a file to the stage. */
export type AddFile = (path: string, content: string | Uint8Array) => void;

/** The files that a run prepares for the index at `out`. Several threads may stage side by side. */
export class Stage {
  readonly #out: string;
  /** Folders that this thread knows to exist. */
  readonly #made = new Set<string>();
  /** Folders of the index by whether they were there before: only `publish` adds some. */
  readonly #known = new Map<string, boolean>();

  constructor(out: string) {
    this.#out = out;
  }

  /** Empties the staging folder, such as that of a run that did not finish. */
  clear(): void {
    rmSync(join(this.#out, STAGE_FOLDER), { recursive: true, force: true });
    this.#made.clear();
    this.#known.clear();
  }

  /**
   * Prepares one file of the index; it becomes visible with `publish`.
   * @returns false when the index holds these bytes already
   */
  add(path: string, bytes: Uint8Array | string): boolean {
    const parsed = parseIndexPath(path);
    if (parsed === undefined) throw new InternalError(`"${path}" is no path of the index`);
    const stage = writingOrder(path, parsed);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const size = this.#isThere(folder) ? sizeOf(`${this.#out}/${path}`) : undefined;
    if (size !== undefined && isSameFile(`${this.#out}/${path}`, size, bytes)) return false;
    const staged = `${this.#out}/${STAGE_FOLDER}/${stage}`;
    if (!this.#made.has(`${stage}/${folder}`)) {
      mkdirSync(`${staged}/${folder}`, { recursive: true });
      if (this.#made.size === MAX_FOLDERS) this.#made.clear();
      this.#made.add(`${stage}/${folder}`);
    }
    writeFileSync(`${staged}/${path}`, bytes);
    return true;
  }

  #isThere(folder: string): boolean {
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const isThere = existsSync(`${this.#out}/${folder}`);
    if (this.#known.size === MAX_FOLDERS) this.#known.clear();
    this.#known.set(folder, isThere);
    return isThere;
  }

  /** Takes a file back that this run may have staged. */
  drop(path: string): void {
    rmSync(this.#staged(path), { force: true });
  }

  /** The bytes of a file that this run staged, or that the index holds on this machine. */
  find(path: string): Uint8Array | undefined {
    return tryRead(this.#staged(path)) ?? this.published(path);
  }

  #staged(path: string): string {
    return join(this.#out, STAGE_FOLDER, String(writingOrder(path)), path);
  }

  /** The bytes of a file of the index before this run; `undefined` where it has none. */
  published(path: string): Uint8Array | undefined {
    return tryRead(join(this.#out, path));
  }

  /** Paths of the files that this run has staged, sorted. */
  staged(): string[] {
    const folder = join(this.#out, STAGE_FOLDER);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    return files
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .map((path) => path.split(sep).slice(1).join('/'))
      .sort();
  }

  /** Makes everything staged durable, then renames it into place, in order. */
  publish(): void {
    syncTree(join(this.#out, STAGE_FOLDER));
    for (const order of [0, 1, 2]) {
      const folder = join(this.#out, STAGE_FOLDER, String(order));
      if (existsSync(folder)) moveTree(folder, this.#out);
    }
    this.clear();
  }
}

/**
 * Files that belong to the interface but not to this index. Files that the interface does not have belong to the operator.
 * @param isCurrent whether a file belongs to this index
 */
export function staleFiles(
  out: string,
  isCurrent: (path: IndexPath, text: string) => boolean,
): string[] {
  const stale: string[] = [];
  const sweep = (folder: string): void => {
    for (const entry of readdirSync(join(out, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (path === STAGE_FOLDER || path === RETIRED_FOLDER) continue;
      if (entry.isDirectory()) {
        sweep(`${path}/`);
        continue;
      }
      const parsed = parseIndexPath(path);
      if (parsed !== undefined && !isCurrent(parsed, path)) stale.push(path);
    }
  };
  sweep('');
  return stale;
}

/**
 * Removes files that are not part of the index any more, and folders left empty.
 * @param isTakeDown whether readers of an earlier state do without them
 * @returns how many were there
 */
export function removeFiles(out: string, paths: Iterable<string>, isTakeDown = false): number {
  const found = [...new Set(paths)].filter((path) => existsSync(join(out, path)));
  for (const path of found) {
    if (isRetiring(path) && !isTakeDown) retireFile(out, path);
    else rmSync(join(out, path));
  }
  for (const folder of new Set(found.map((path) => dirname(path)))) removeEmpty(out, folder);
  return found.length;
}

function removeEmpty(out: string, folder: string): void {
  // A folder in it may have taken it along.
  if (folder === '.' || !existsSync(join(out, folder))) return;
  if (readdirSync(join(out, folder)).length > 0) return;
  rmdirSync(join(out, folder));
  removeEmpty(out, dirname(folder));
}

/** The bytes of `registry.json` of the index at `out`, or `undefined` when there is no index. */
export function readPublished(out: string): Buffer | undefined {
  return tryRead(join(out, REGISTRY_PATH));
}

/**
 * Makes the folder of the index where it is missing.
 * @returns whether nothing is in it
 * @throws {GeneratorError} `ERR_OUT_FOLDER` when it holds something else
 */
export function prepareOut(out: string): boolean {
  if (!isIndexFolder(out)) {
    throw new GeneratorError(
      'ERR_OUT_FOLDER',
      `Cannot write to "${out}": it holds files that are not an index`,
      { hint: 'give an empty folder, or one that "generate" made, with --out' },
    );
  }
  mkdirSync(out, { recursive: true });
  return readdirSync(out).length === 0;
}

/** Whether `out` is absent, empty or an index: anything else is not ours to write into. */
export function isIndexFolder(out: string): boolean {
  if (!existsSync(out)) return true;
  const rooms = 'builds heads owners catalog documents advisories schema client log assets sitemap';
  const ours = new Set([
    ...`${rooms} ${SHADCN_FOLDER} backstage run ${STAGE_FOLDER} ${RETIRED_FOLDER}`.split(' '),
    ...SITE_SECTIONS,
  ]);
  const tolerated = new Set(['README.md', '.gitignore', '.gitkeep', '.nojekyll', 'CNAME']);
  return readdirSync(out).every(
    (name) => ours.has(name) || tolerated.has(name) || parseIndexPath(name) !== undefined,
  );
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function isSameFile(file: string, size: number, content: Uint8Array | string): boolean {
  if (size !== Buffer.byteLength(content)) return false;
  const known = readFileSync(file);
  return typeof content === 'string' ? known.toString() === content : known.equals(content);
}

function tryRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** One `syncfs(2)` for all files where there is such a command, else one `fsync(2)` for each. */
function syncTree(folder: string): void {
  if (!existsSync(folder) || spawnSync('sync', ['-f', folder]).status === 0) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const descriptor = openSync(join(entry.parentPath, entry.name), 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

function moveTree(from: string, to: string): void {
  if (!existsSync(to)) {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    return;
  }
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) moveTree(source, target);
    else renameSync(source, target);
  }
}
