/** Writes the git trees of a set of entries: folders come from their paths. */
import { execFileSync } from 'node:child_process';
import { gitEnvironment } from '../git/repository.ts';
import type { BuildsEntry } from '../git/builds-entries.ts';
import { entryTypeOf } from '../git/tree-entries.ts';

const TYPES = { folder: 'tree', submodule: 'commit' } as const;
const MAX_OUTPUT_BYTES = 100_000_000;

/** @returns the tree id of the folder that has all of `entries`, whose paths begin there */
export function writeTrees(repository: string, entries: readonly BuildsEntry[]): string {
  let level = entries;
  for (let depth = deepest(level); depth > 1; depth -= 1) {
    const below = Map.groupBy(
      level.filter(({ path }) => depthOf(path) === depth),
      ({ path }) => path.slice(0, path.lastIndexOf('/')),
    );
    const oids = makeTrees(repository, [...below.values()]);
    const folders = [...below.keys()].map((path, at) => ({ path, mode: '40000', oid: oids[at]! }));
    level = [...level.filter(({ path }) => depthOf(path) < depth), ...folders];
  }
  return makeTrees(repository, [level])[0]!;
}

/** One process of git for all folders of a level. */
function makeTrees(repository: string, folders: readonly (readonly BuildsEntry[])[]): string[] {
  const input = folders.map((entries) => `${entries.map(lineOf).join('')}\0`).join('');
  const printed = execFileSync('git', ['mktree', '-z', '--batch'], {
    cwd: repository,
    env: gitEnvironment(),
    input,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return printed.trim().split('\n');
}

function lineOf({ path, mode, oid }: BuildsEntry): string {
  const kind = entryTypeOf(mode);
  const type = kind === 'folder' || kind === 'submodule' ? TYPES[kind] : 'blob';
  return `${mode.padStart(6, '0')} ${type} ${oid}\t${path.slice(path.lastIndexOf('/') + 1)}\0`;
}

function deepest(entries: readonly BuildsEntry[]): number {
  return entries.reduce((depth, { path }) => Math.max(depth, depthOf(path)), 1);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
