/** A copy of a project for its fixers, which write: it is removed after the run, or by the next one. Packages are shared by links. */
import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { stateFolder } from '../project/state-folder.ts';

/** A project with more is not copied: the user would wait too long for an answer. */
export const COPY_BOUNDS = { files: 20_000, bytes: 500_000_000, timeMs: 30_000 };

/** Made by tools, or shared by links. */
const LEFT_OUT = new Set(
  '.git .hg .svn .stackyard node_modules .venv venv .tox .nox __pycache__ .mypy_cache .ruff_cache .pytest_cache .next .nuxt .turbo .nx .cache .parcel-cache coverage'.split(
    ' ',
  ),
);
const SHARED = new Set(['node_modules', '.venv', 'venv']);

/**
 * Copies the folder `from` to the new folder `to`.
 * @returns `undefined`, or which bound was reached: then the copy is not complete
 * @throws errors of the file system
 */
export async function copyProject(
  from: string,
  to: string,
  signal: AbortSignal,
  bounds = COPY_BOUNDS,
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
      if (SHARED.has(entry.name) && entry.isDirectory())
        await symlink(join(from, path), join(to, path), 'junction');
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

/** A new folder for copies, which is removed by `dropCopies()`; removes those of processes that are gone. */
export async function makeCopyFolder(): Promise<string> {
  const folder = join(stateFolder(), 'copies');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!isAlive(Number.parseInt(name, 10))) await dropCopies(join(folder, name));
  }
  return mkdtemp(join(folder, `${process.pid}-`));
}

export async function dropCopies(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
