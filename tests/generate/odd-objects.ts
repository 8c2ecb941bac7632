/** Objects of git that git itself does not write, as hosts and attackers bring them. They are files here: a call of git takes longer. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { treeEntries } from '../../generator/git/trees.ts';
import type { GitFixture } from './git-fixture.ts';

/** An entry of a tree. */
type Entry = readonly [mode: string, name: string, oid: string];

/** Writes an object, whatever its form is. @returns its id */
export function writeObject(
  git: GitFixture,
  type: 'blob' | 'tree' | 'commit',
  content: string | Uint8Array,
): string {
  const bytes = Buffer.from(content);
  const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const oid = createHash('sha1').update(object).digest('hex');
  const file = fileOf(git, oid);
  if (existsSync(file)) return oid;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, deflateSync(object));
  return oid;
}

/** A tree with these entries, in this order. */
export function writeTree(git: GitFixture, entries: readonly Entry[]): string {
  const parts = entries.flatMap(([mode, name, oid]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(oid, 'hex'),
  ]);
  return writeObject(git, 'tree', Buffer.concat(parts));
}

/** A tree that holds one tree `width` times, `depth` times over: `width ** depth` paths in some kilobytes. */
export function treeBomb(
  git: GitFixture,
  { width, depth, file }: { width: number; depth: number; file?: string },
): string {
  let tree = writeTree(git, file === undefined ? [] : [['100644', 'file', file]]);
  for (let level = 0; level < depth; level += 1) {
    const below = tree;
    const names = Array.from({ length: width }, (_, at) => `f${String(at).padStart(4, '0')}`);
    tree = writeTree(
      git,
      names.map((name) => ['40000', name, below]),
    );
  }
  return tree;
}

/** The object at `path` in a tree. */
export function oidAt(git: GitFixture, tree: string, path: string): string {
  return path.split('/').reduce((oid, part) => {
    const found = entriesOf(git, oid).find(([, name]) => name === part);
    if (found === undefined) throw new Error(`No "${path}" in tree ${tree}`);
    return found[2];
  }, tree);
}

/** A tree with another folder at `path`. */
export function withFolder(git: GitFixture, tree: string, path: string, folder: string): string {
  const put = (own: string | undefined, [name = '', ...rest]: readonly string[]): string => {
    const entries = own === undefined ? [] : entriesOf(git, own);
    const known = entries.find((one) => one[1] === name)?.[2];
    const oid = rest.length === 0 ? folder : put(known, rest);
    const key = ([mode, of]: Entry): string => (mode === '40000' ? `${of}/` : of);
    const all = [...entries.filter((one) => one[1] !== name), ['40000', name, oid] as const];
    return writeTree(
      git,
      all.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)),
    );
  };
  return put(tree, path.split('/'));
}

/** The tree of a commit. */
export function treeOf(git: GitFixture, commit: string): string {
  return readObject(git, commit).toString('latin1').slice('tree '.length).split('\n', 1)[0] ?? '';
}

/**
 * Puts a commit on top of a branch, whose work tree stays as it was.
 * @param committer what follows the address in its line
 */
export function commitObject(
  git: GitFixture,
  tree: string,
  { committer = `${git.now} +0000`, header = '', branch = 'main' } = {},
): string {
  const ref = join(git.folder, '.git/refs/heads', branch);
  const lines = [
    `tree ${tree}`,
    `parent ${readFileSync(ref, 'utf8').trim()}`,
    'author T <t@example.org> 1767225600 +0000',
    `committer T <t@example.org> ${committer}`,
    ...(header === '' ? [] : [header]),
    '',
    'Odd',
    '',
  ];
  const commit = writeObject(git, 'commit', lines.join('\n'));
  writeFileSync(ref, `${commit}\n`);
  return commit;
}

function entriesOf(git: GitFixture, tree: string): readonly Entry[] {
  const entries = [...treeEntries(readObject(git, tree), 20)];
  return entries.map(({ mode, name, oid }) => [mode, name.toString('utf8'), oid]);
}

function readObject(git: GitFixture, oid: string): Buffer {
  const object = inflateSync(readFileSync(fileOf(git, oid)));
  return object.subarray(object.indexOf(0) + 1);
}

function fileOf(git: GitFixture, oid: string): string {
  return join(git.folder, '.git/objects', oid.slice(0, 2), oid.slice(2));
}
