/** The files of an index on this machine, with their digests. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseIndexPath, type IndexPath } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { FilesElsewhere } from '../state/files-elsewhere.ts';
import { DigestCache } from './digest-cache.ts';
import { fileMark, type FileMark, type FileMarks } from './manifest.ts';

/** Path in the index to the SHA-256 of the file, in hexadecimal. */
export type LocalFiles = ReadonlyMap<string, string>;

/**
 * The files that the interface has: others in the folder belong to the operator. A file is read only when it changed
 * since the last call. Files that only a store has are among them.
 * @returns the files, and as the manifest lists them
 * @throws {GeneratorError} `ERR_DEPLOY_INDEX` for a folder without an index
 */
export function readLocalFiles(index: string): {
  readonly files: LocalFiles;
  readonly marks: FileMarks;
} {
  const root = resolve(index);
  const cache = DigestCache.open(join(dirname(root), `.${basename(root)}.deploy.digests`));
  const [files, marks] = [new Map<string, string>(), new Map<string, FileMark>()];
  const add = (path: string, parsed: IndexPath | undefined, sha256: string): void => {
    files.set(path, sha256);
    marks.set(path, fileMark(path, sha256, parsed));
  };
  try {
    walk(root, '', (path) => {
      const parsed = parseIndexPath(path);
      if (parsed === undefined) return;
      const file = `${root}/${path}`;
      add(
        path,
        parsed,
        cache.digestOf(path, lstatSync(file), () => sha256Of(readFileSync(file))),
      );
    });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause;
    throw new GeneratorError(
      'ERR_DEPLOY_INDEX',
      `Cannot read the index "${index}": ${String(cause.code)}`,
      {
        cause,
        hint: 'run "stackyard-registry generate" first, and give its folder with --out',
      },
    );
  }
  cache.save();
  for (const [path, sha256] of FilesElsewhere.read(index) ?? []) {
    if (!files.has(path)) add(path, parseIndexPath(path), sha256);
  }
  return { files, marks };
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
