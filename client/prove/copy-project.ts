/**
 * A copy of a project for what may write: programs run in it and never in the user's folder. Packages are shared by links to
 * each of them, so that caches which tools keep in `node_modules` are those of the copy.
 */
import { constants, lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

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

/**
 * Copies the project at `from` to the new folder `to`.
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
      const path = join(folder, entry.name);
      signal.throwIfAborted();
      if (Date.now() > deadline) return `it takes longer than ${bounds.timeMs / 1000} seconds`;
      if (isShared(entry)) await shareFolder(join(from, path), join(to, path));
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

async function shareFolder(from: string, to: string): Promise<void> {
  if (!from.endsWith(`${sep}node_modules`)) return symlink(from, to, 'junction');
  await mkdir(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (TOOL_STATE.test(entry.name)) continue;
    const isFolder = entry.isDirectory() || entry.isSymbolicLink();
    if (isFolder) await symlink(join(from, entry.name), join(to, entry.name), 'junction');
    else await copyFile(join(from, entry.name), join(to, entry.name), constants.COPYFILE_FICLONE);
  }
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
