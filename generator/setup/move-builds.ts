/** Moves the builds of a repository, and the signals about them, to another layout in one commit. Nothing is published again: the content stays. */
import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  SIGNALS_FOLDER,
  layoutIn,
  ownerFolder,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { GeneratorError } from '../errors.ts';
import {
  besideEntries,
  laidOutEntries,
  movedPath,
  type BuildsEntry,
} from '../git/builds-entries.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { gitAt, gitEnvironment, openRepository } from '../git/repository.ts';
import { entryTypeOf } from '../git/source.ts';

interface Move {
  readonly from: Layout['layout'];
  /** The new commit; `undefined` when the repository has the layout already. */
  readonly commit: string | undefined;
  /** How many folders of owners moved. */
  readonly owners: number;
}

/**
 * Commits the move to the branch that is checked out, or to that of a bare repository.
 * @throws {GeneratorError} `ERR_LAYOUT` with nothing changed
 */
export async function moveBuilds(folder: string, name: Layout['layout']): Promise<Move> {
  const { head } = await openRepository(folder);
  const git = gitAt(folder);
  const isBare = (await git.revparse(['--is-bare-repository'])).trim() === 'true';
  const changed = isBare ? '' : await git.raw(['status', '--porcelain', '--untracked-files=no']);
  if (changed !== '') {
    throw refused('it has changes that are not committed', 'commit or stash them');
  }
  const reader = new ObjectReader(folder);
  try {
    const config = await reader.read(`${head}:${CONFIG_FILE}`);
    const text = config?.bytes?.toString('utf8') ?? '{}\n';
    const from = layoutIn(text);
    const to = { ...from, layout: name };
    if (from.layout === name) return { from: name, commit: undefined, owners: 0 };
    const before = await laidOutEntries(reader, head, from);
    const moved = before.map((entry) => ({ ...entry, path: movedPath(entry, to) }));
    requireRoom(before, moved, from);
    const blob = writeBlob(folder, withLayout(text, name));
    const beside = await besideEntries(reader, head, from.root);
    const entries = [...beside, { path: CONFIG_FILE, mode: '100644', oid: blob }, ...moved];
    const tree = writeTrees(folder, entries);
    const message = `Move the builds to the layout "${name}"`;
    const commit = (await git.raw(['commit-tree', tree, '-p', head, '-m', message])).trim();
    // Moves the branch and the files together, and only forward.
    if (isBare) await git.raw(['update-ref', 'HEAD', commit, head]);
    else await git.raw(['merge', '--quiet', '--ff-only', commit]);
    const owners = before.filter(
      (one) => isFolder(one) && one.path.startsWith(`${to.root}${BUILDS_FOLDER}/`),
    );
    return { from: from.layout, commit, owners: owners.length };
  } finally {
    reader.close();
  }
}

function requireRoom(
  before: Awaited<ReturnType<typeof laidOutEntries>>,
  moved: readonly BuildsEntry[],
  from: Layout,
): void {
  const odd = before.find(({ path }) => path.includes('\uFFFD'));
  if (odd !== undefined) throw refused(`"${odd.path}" is not UTF-8`, 'rename it');
  const misplaced = before.find((one) => isFolder(one) && one.place.kind !== 'owner');
  if (misplaced !== undefined) {
    const { path, place } = misplaced;
    const room = path.startsWith(`${from.root}${SIGNALS_FOLDER}/`) ? SIGNALS_FOLDER : BUILDS_FOLDER;
    const right = 'owner' in place ? ownerFolder(place.owner, from, room) : path;
    throw refused(`"${misplaced.path}" is no folder of an owner`, `move it to "${right}" first`);
  }
  const files = before.filter((one) => !isFolder(one));
  const inTheWay = files.find(({ path }) => moved.some((one) => one.path.startsWith(`${path}/`)));
  if (inTheWay !== undefined)
    throw refused(`"${inTheWay.path}" is in the way of a folder`, 'rename or delete it first');
}

function withLayout(text: string, to: Layout['layout']): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const value = to === 'flat' ? undefined : to;
  const edited = applyEdits(text, modify(text, ['layout'], value, { formattingOptions }));
  const [was, is] = [text, edited].map((one) => ({
    ...(JSON.parse(one) as object),
    layout: undefined,
  }));
  if (layoutIn(edited).layout === to && isDeepStrictEqual(was, is)) return edited;
  throw refused(`"${CONFIG_FILE}" cannot be edited`, 'write it as one plain JSON object');
}

function writeBlob(folder: string, text: string): string {
  const args = ['hash-object', '-w', '--stdin'];
  return execFileSync('git', args, { cwd: folder, input: text, encoding: 'utf8' }).trim();
}

function isFolder({ mode }: BuildsEntry): boolean {
  return entryTypeOf(mode) === 'folder';
}

function refused(problem: string, hint: string): GeneratorError {
  return new GeneratorError('ERR_LAYOUT', `Cannot move the repository: ${problem}`, { hint });
}

const TYPES = { folder: 'tree', submodule: 'commit' } as const;
const MAX_OUTPUT_BYTES = 100_000_000;

/** @returns the tree id of the folder that has all of `entries`, whose paths begin there */
function writeTrees(repository: string, entries: readonly BuildsEntry[]): string {
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
