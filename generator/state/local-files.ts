/**
 * The files of an index on this machine, with their digests. Those of files that did not change since they were read are kept
 * beside the index; without them, files are read.
 */
import { hash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CHECKPOINT_PATH, REGISTRY_PATH, parseIndexPath } from '../../format/index/layout.ts';
import { GeneratorError } from '../errors.ts';
import { FilesElsewhere } from './files-elsewhere.ts';
import { tryWriteWhole } from '../write-whole.ts';

/** Path in the index to the SHA-256 of the file, in hexadecimal. */
export type LocalFiles = ReadonlyMap<string, string>;

/** A file that changed less than this before it was read may change again without another time. */
const SETTLED_MS = 2_000;

/**
 * The files that the interface has: others in the folder belong to the operator. Files that only a store has are among them.
 * @throws {GeneratorError} `ERR_DEPLOY_INDEX` for a folder without an index
 */
export function readLocalFiles(index: string): LocalFiles {
  const now = Date.now();
  const cache = besideIndex(index, 'digests');
  const text = existsSync(cache) ? readFileSync(cache, 'utf8') : '';
  const known = new Map(text.split('\n').map((line) => [line.slice(65), line.slice(0, 64)]));
  const lines: string[] = [];
  const files = new Map(FilesElsewhere.read(index) ?? []);
  for (const path of filesBelow(index)) {
    if (parseIndexPath(path) === undefined) continue;
    const file = join(index, path);
    const { size, ino, ctimeMs } = lstatSync(file);
    const facts = `${size} ${ino} ${ctimeMs} ${path}`;
    const sha256 = known.get(facts) ?? hash('sha256', readFileSync(file));
    if (ctimeMs < now - SETTLED_MS) lines.push(`${sha256} ${facts}`);
    files.set(path, sha256);
  }
  if (lines.join('\n') !== text) tryWriteWhole(cache, lines.join('\n'));
  if (files.has(REGISTRY_PATH) && files.has(CHECKPOINT_PATH)) return files;
  throw new GeneratorError('ERR_DEPLOY_INDEX', `Folder "${index}" has no index`, {
    hint: 'run "stackyard-registry generate" first, and give its folder with --out',
  });
}

/** The bytes of a file that has this digest; `undefined` when it changed, or is not on this machine. */
export function readLocalFile(index: string, path: string, sha256 = ''): Buffer | undefined {
  const file = join(index, path);
  const bytes = existsSync(file) ? readFileSync(file) : undefined;
  return bytes !== undefined && hash('sha256', bytes) === sha256 ? bytes : undefined;
}

/** What deployments keep on this machine. */
export function besideIndex(index: string, name: string): string {
  return join(dirname(resolve(index)), `.${basename(resolve(index))}.deploy.${name}`);
}

/** Paths of all files in a folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
