/**
 * Reads a build folder as its commit would contain it, and examines it as the gate of the registry does. Outside of git
 * repositories all files count, as they are. Links are not followed: a symbolic link is reported as one.
 */
import fastGlob from 'fast-glob';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  MANIFEST_FILE,
  MAX_FILES,
  MAX_UNPACKED_BYTES,
  steersGit,
} from '../../format/build/build-files.ts';
import type { ExaminedBuild } from '../../scan/examine-build.ts';
import { examineProposal } from '../../scan/examine-proposal.ts';
import type { Source, SourceFile } from '../../scan/source.ts';
import { ClientError } from '../errors.ts';
import { committedFiles } from './committed-files.ts';
import { registeredFolder } from './registered-folder.ts';

interface BuildFolder {
  readonly owner: string;
  readonly name: string;
  readonly source: Source;
  /** Messages about files of the folder that are not part of the build, such as unreadable ones. */
  readonly notes: readonly string[];
}

interface ExaminedFolder extends BuildFolder, ExaminedBuild {
  /** One for each file of the folder that is not part of the build. */
  readonly warnings: readonly { code: string; message: string; path: string }[];
}

/** The owner of a build that is not in a registry's folder. */
export const UNPLACED_OWNER = 'local';

/**
 * Reads the build in `folder`.
 * @throws {ClientError} `ERR_NO_PROJECT` when there is no such folder
 */
export async function readFolder(folder: string): Promise<BuildFolder> {
  const root = resolve(folder);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ClientError('ERR_NO_PROJECT', `Cannot check "${folder}": it is not a folder`, {
      hint: `name the folder with the build's ${MANIFEST_FILE}`,
    });
  }
  const notes: string[] = [];
  const { files: all, isCut } = (await committedFiles(root)) ?? (await filesOnDisk(root, notes));
  const files = all.filter(({ path }) => {
    if (!steersGit(path)) return true;
    notes.push(`"${path}" would control git in the registry's own repository: it was left out`);
    return false;
  });
  return { ...placeOf(root, files), source: { files, isCut }, notes };
}

/**
 * Reads and examines the build in `folder`.
 * @param owner replaces the owner that the path gives
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`
 */
export async function examineFolder(folder: string, owner?: string): Promise<ExaminedFolder> {
  const read = await readFolder(folder);
  const { name, source } = read;
  const examined = examineProposal({ owner: owner ?? read.owner, name, source });
  const warnings = read.notes.map((message) => ({ code: 'left-out', message, path: '' }));
  return { ...read, ...examined, warnings };
}

async function filesOnDisk(root: string, notes: string[]): Promise<Source> {
  const found: string[] = [];
  const stream = fastGlob.stream('**/*', {
    cwd: root,
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: false,
    suppressErrors: true,
    ignore: ['**/.git/**', '**/.git'],
    stats: true,
  }) as AsyncIterable<unknown> & { destroy?: () => void };
  for await (const entry of stream) {
    const { path, stats } = entry as { path: string; stats?: { isDirectory: () => boolean } };
    if (stats?.isDirectory() !== true) found.push(path);
    if (found.length > MAX_FILES) return { files: [], isCut: true };
  }
  let left = MAX_UNPACKED_BYTES;
  const files = found.sort().flatMap((path) => {
    const read = readOne(root, path, left, notes);
    left -= read[0]?.size ?? 0;
    return read;
  });
  return { files, isCut: false };
}

function readOne(root: string, path: string, left: number, notes: string[]): SourceFile[] {
  const full = join(root, path);
  const stats = lstatSync(full, { throwIfNoEntry: false });
  const named = { path, isUtf8Path: !path.includes('\uFFFD') };
  if (stats?.isSymbolicLink() === true)
    return [{ ...named, type: 'symlink', size: 0, bytes: undefined }];
  if (stats?.isFile() !== true) {
    notes.push(`"${path}" is not a file and was left out`);
    return [];
  }
  const { size, mode } = stats;
  const type = (mode & 0o111) === 0 ? 'file' : 'executable';
  try {
    return [{ ...named, type, size, bytes: size > left ? undefined : readFileSync(full) }];
  } catch (error) {
    throw new ClientError('ERR_PROJECT_FILE', `Cannot read "${path}"`, {
      cause: error,
      hint: 'an unreadable file cannot be checked: allow reading it, or remove it',
    });
  }
}

/** Owner and name from the path in the repository of a registry, otherwise from the manifest. */
function placeOf(root: string, files: readonly SourceFile[]): { owner: string; name: string } {
  const registered = registeredFolder(root);
  if (registered !== undefined) return registered;
  const manifest = files.find(({ path }) => path === MANIFEST_FILE)?.bytes;
  return { owner: UNPLACED_OWNER, name: declaredName(manifest) ?? basename(root) };
}

/** The name that the bytes of a manifest declare. */
export function declaredName(manifest: Buffer | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(manifest?.toString('utf8') ?? '');
    const name =
      typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
