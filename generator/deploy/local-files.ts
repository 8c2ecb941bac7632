/** The files of an index on this machine, with their digests. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseIndexPath } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { FilesElsewhere } from '../state/files-elsewhere.ts';
import { DigestCache } from './digest-cache.ts';

/** Path in the index to the SHA-256 of the file, in hexadecimal. */
export type LocalFiles = ReadonlyMap<string, string>;

/**
 * The files that the interface has: others in the folder belong to the operator. A file is read only when it changed
 * since the last call. Files that only a store has are among them.
 * @throws {GeneratorError} `ERR_DEPLOY_INDEX` for a folder without an index
 */
export function readLocalFiles(index: string): LocalFiles {
  const root = resolve(index);
  const cache = DigestCache.open(join(dirname(root), `.${basename(root)}.deploy.digests`));
  const files = new Map<string, string>();
  try {
    walk(root, '', (path) => {
      if (parseIndexPath(path) === undefined) return;
      const file = join(root, path);
      const digest = cache.digestOf(path, lstatSync(file), () => sha256Of(readFileSync(file)));
      files.set(path, digest);
    });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new GeneratorError(
      'ERR_DEPLOY_INDEX',
      `Cannot read the index "${index}": ${String(cause.code)}`,
      {
        cause,
        hint: 'run "npm run generate" first, and give its folder with --out',
      },
    );
  }
  cache.save();
  for (const [path, sha256] of FilesElsewhere.read(index) ?? []) {
    if (!files.has(path)) files.set(path, sha256);
  }
  return files;
}

/**
 * The bytes of a file that has this digest.
 * @throws {GeneratorError} `ERR_DEPLOY_INDEX` when it changed in between
 */
export function readLocalFile(index: string, path: string, sha256: string): Buffer {
  const bytes = tryRead(join(index, path));
  if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes;
  throw new GeneratorError(
    'ERR_DEPLOY_INDEX',
    `File "${path}" of the index is not on this machine, or changed while it was deployed`,
    {
      hint: 'run again when the generator has ended; after "generate --from-store", run "generate --full"',
    },
  );
}

/** In hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Dot files and folders, such as the stage of the generator, are none of the index. */
function walk(root: string, parent: string, visit: (path: string) => void): void {
  for (const entry of readdirSync(join(root, parent), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
    if (entry.isDirectory()) walk(root, path, visit);
    else if (entry.isFile()) visit(path);
  }
}

function tryRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
