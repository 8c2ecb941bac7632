/**
 * A copy of a project for what may write: programs run in it and never in the user's folder. Packages are shared by links to
 * each of them, so that caches which tools keep in `node_modules` are those of the copy.
 */
import { constants, lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readNames, readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';

/** A project with more is not copied: the user would wait too long for an answer. */
export const COPY_BOUNDS = { files: 20_000, bytes: 500_000_000, timeMs: 30_000 };
export type CopyBounds = typeof COPY_BOUNDS;

/** Made by tools, or shared by links. */
const LEFT_OUT = new Set(
  '.git .hg .svn .stackyard node_modules .venv venv .tox .nox __pycache__ .mypy_cache .ruff_cache .pytest_cache .next .nuxt .turbo .nx .cache .parcel-cache coverage'.split(
    ' ',
  ),
);
const ENVIRONMENTS = ['.venv', 'venv'];
/** What tools write into `node_modules`. */
const TOOL_STATE = /^\.(?:cache|vite.*|vitest|tmp|tsbuildinfo.*)$/;

/** A copy of a project, in one of its workspace: what its imports and settings need beside it is there as well. */
export interface Copy {
  /** The project in the copy. */
  readonly folder: string;
  /** Which bound was reached, where there is no copy. */
  readonly missing: string | undefined;
  /** Folders in the copy from which Python imports first: its environment is shared, and names those of the user. */
  readonly pythonPath: readonly string[];
}

/**
 * Copies a project with its workspace, otherwise with the repository that it is in, to the new folder `to`.
 * @throws errors of the file system, and what `signal` is aborted with
 */
export async function copyWorkspace(
  project: string,
  to: string,
  signal: AbortSignal,
  bounds: CopyBounds = COPY_BOUNDS,
): Promise<Copy> {
  const found = findWorkspaceRoot(project);
  const root = found === homedir() ? project : found;
  const folder = join(to, relative(root, project));
  const missing = await copyProject(root, to, signal, bounds);
  const pythonPath = missing === undefined ? pythonPathOf(root, project, to) : [];
  return { folder, missing, pythonPath };
}

/** What environments name of the user's folders by files `.pth`, as installs in place do. */
function pythonPathOf(root: string, project: string, to: string): string[] {
  const found: string[] = [];
  for (const at of new Set([project, root])) {
    for (const lib of ENVIRONMENTS.map((name) => join(at, name, 'lib'))) {
      for (const packages of readNames(lib).map((name) => join(lib, name, 'site-packages'))) {
        for (const name of readNames(packages).filter((one) => one.endsWith('.pth'))) {
          for (const line of readText(join(packages, name)).split(/\r?\n/)) {
            const own = isAbsolute(line) ? relative(root, line) : '..';
            if (!own.startsWith('..') && !isAbsolute(own)) found.push(join(to, own));
          }
        }
      }
    }
  }
  return [...new Set(found)];
}

/**
 * Copies the folder `from` to the new folder `to`.
 * @returns `undefined`, or which bound was reached: then the copy is not complete
 * @throws errors of the file system
 */
export async function copyProject(
  from: string,
  to: string,
  signal: AbortSignal,
  bounds: CopyBounds = COPY_BOUNDS,
): Promise<string | undefined> {
  const deadline = Date.now() + bounds.timeMs;
  let [files, bytes] = [0, 0];
  const folders = [''];
  await mkdir(to, { recursive: true, mode: 0o700 });
  // The list grows during the loop.
  for (const folder of folders) {
    if (folder !== '') await mkdir(join(to, folder));
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      signal.throwIfAborted();
      if (Date.now() > deadline) return `it takes longer than ${bounds.timeMs / 1000} seconds`;
      if (isShared(entry)) await shareFolder(from, to, path);
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isSymbolicLink()) await copyLink(from, to, path);
      else if (entry.isFile()) {
        files += 1;
        bytes += lstatSync(join(from, path)).size;
        if (files > bounds.files) return `it has more than ${bounds.files} files`;
        if (bytes > bounds.bytes) return `it has more than ${bounds.bytes} bytes`;
        await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
      }
    }
  }
  await shareHoisted(from, to);
  return undefined;
}

function isShared(entry: Dirent): boolean {
  return (
    entry.isDirectory() && (entry.name === 'node_modules' || ENVIRONMENTS.includes(entry.name))
  );
}

/** Shares the packages in a folder; links to members of the workspace lead to those of the copy. */
async function shareFolder(from: string, to: string, path: string): Promise<void> {
  const [own, copy] = [join(from, path), join(to, path)];
  if (ENVIRONMENTS.includes(basename(path))) return symlink(own, copy, 'junction');
  await mkdir(copy);
  for (const entry of readdirSync(own, { withFileTypes: true })) {
    if (TOOL_STATE.test(entry.name)) continue;
    const [source, target] = [join(own, entry.name), join(copy, entry.name)];
    const member = entry.isSymbolicLink() ? memberAt(from, source) : undefined;
    if (member !== undefined) {
      await symlink(join(to, member), target, 'junction');
    } else if (entry.name.startsWith('@') && entry.isDirectory()) {
      await shareFolder(from, to, `${path}/${entry.name}`);
    } else if (entry.isDirectory() || entry.isSymbolicLink()) {
      await symlink(source, target, 'junction');
    } else await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

/** The folder of the workspace that a link in `node_modules` leads to; `undefined` for that of a package. */
function memberAt(root: string, link: string): string | undefined {
  const target = resolve(dirname(link), readlinkSync(link));
  const path = relative(root, target).split(sep).join('/');
  const isOutside = path === '' || path.startsWith('../') || isAbsolute(path);
  return isOutside || path.split('/').includes('node_modules') ? undefined : path;
}

/** Packages that a workspace has above the project. */
async function shareHoisted(from: string, to: string): Promise<void> {
  for (let at = dirname(from); at !== dirname(at); at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (lstatSync(modules, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    return symlink(modules, join(dirname(to), 'node_modules'), 'junction').catch(() => undefined);
  }
}

/** A link that leads out of the project would let programs write there. */
async function copyLink(from: string, to: string, path: string): Promise<void> {
  const target = readlinkSync(join(from, path));
  const reached = relative(from, resolve(dirname(join(from, path)), target));
  if (isAbsolute(target) || reached.startsWith('..') || isAbsolute(reached)) return;
  await symlink(target, join(to, path));
}
