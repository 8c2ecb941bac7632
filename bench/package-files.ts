/** The files of a package as it was published: downloaded once into a cache folder, unpacked, and cut to the limits of a build. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../format/build/build-files.ts';
import type { BuildFile } from '../scan/scanned-file.ts';

/** Where a package comes from: npm, or the source distributions of PyPI. */
export type Registry = 'npm' | 'pypi';

interface PackageFiles {
  readonly files: readonly BuildFile[];
  /** The package exceeds the limits of a build: files were left out. */
  readonly isCut: boolean;
}

const DOWNLOAD_MS = 300_000;
const SDIST = join(import.meta.dirname, 'peers/download-sdist.py');

/**
 * The folder with the unpacked files of the newest version of a package, or of `name@version`. Nothing of it is run:
 * npm and pip only download, with their own configuration.
 * @returns `undefined` when there is none, such as for a project without a source distribution
 */
export function fetchPackage(registry: Registry, name: string, cache: string): string | undefined {
  const folder = resolve(cache, registry, name.replaceAll('/', '+'));
  const files = join(folder, 'files');
  if (existsSync(files)) return files;
  const archive = existsSync(join(folder, 'none')) ? undefined : download(registry, name, folder);
  if (archive === undefined) return undefined;
  const unpacking = join(folder, 'unpacking');
  rmSync(unpacking, { recursive: true, force: true });
  mkdirSync(unpacking);
  if (archive.endsWith('.zip')) run('python3', ['-m', 'zipfile', '-e', archive, unpacking]);
  else run('tar', ['-xf', archive, '-C', unpacking, '--no-same-owner', '--no-same-permissions']);
  run('chmod', ['-R', 'u+rwX', unpacking]);
  renameSync(unpacking, files);
  return files;
}

/** The files below the only folder of an archive, sorted by path. */
export function readPackage(folder: string): PackageFiles {
  const names = readdirSync(folder);
  const root = names.length === 1 ? join(folder, names[0]!) : folder;
  const entries = fastGlob
    .sync('**/*', { cwd: root, dot: true, followSymbolicLinks: false, stats: true })
    .filter(({ dirent }) => dirent.isFile())
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const files: BuildFile[] = [];
  let left = MAX_UNPACKED_BYTES;
  for (const { path, stats } of entries) {
    const size = stats?.size ?? 0;
    if (files.length === MAX_FILES || size > left) continue;
    left -= size;
    files.push({ path, bytes: readFileSync(join(root, path)), executable: false });
  }
  return { files, isCut: files.length < entries.length };
}

/** The path of the archive; `undefined` when the registry has none. */
function download(registry: Registry, name: string, folder: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  if (registry === 'npm') run('npm', ['pack', name, '--silent', '--pack-destination', folder]);
  else run('python3', [SDIST, name.replace('@', '=='), folder]);
  const archive = readdirSync(folder).find((file) => /\.(?:tgz|tar\.\w+|zip)$/.test(file));
  return archive === undefined ? undefined : join(folder, archive);
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: DOWNLOAD_MS,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}
