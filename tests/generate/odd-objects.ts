/** Objects of git that git itself does not write, as hosts and attackers bring them. */
import { execFileSync } from 'node:child_process';
import { GitFixture } from './git-fixture.ts';

/** Writes an object without a look at its form. @returns its id */
export function writeObject(
  git: GitFixture,
  type: 'blob' | 'tree' | 'commit',
  bytes: string | Uint8Array,
): string {
  const args = ['hash-object', '-t', type, '-w', '--literally', '--stdin'];
  return execFileSync('git', args, { cwd: git.folder, input: bytes, encoding: 'utf8' }).trim();
}

/** A tree with these entries, in this order. */
export function writeTree(
  git: GitFixture,
  entries: readonly (readonly [mode: string, name: string, oid: string])[],
): string {
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
  const leaf = file === undefined ? [] : [['100644', 'file', file] as const];
  let tree = writeTree(git, leaf);
  for (let level = 0; level < depth; level += 1) {
    const names = Array.from({ length: width }, (_, at) => `f${String(at).padStart(4, '0')}`);
    tree = writeTree(
      git,
      names.map((name) => ['40000', name, tree]),
    );
  }
  return tree;
}

/** The tree of `commit` with a folder at `path`. */
export function withFolder(git: GitFixture, commit: string, path: string, folder: string): string {
  const put = (tree: string | undefined, [name = '', ...rest]: readonly string[]): string => {
    const listed = tree === undefined ? '' : git.git('ls-tree', tree);
    const lines = listed.split('\n').filter((line) => line !== '');
    const own = lines.find((line) => line.endsWith(`\t${name}`))?.split(/[ \t]/)[2];
    const oid = rest.length === 0 ? folder : put(own, rest);
    const others = lines.filter((line) => !line.endsWith(`\t${name}`));
    const input = [...others, `040000 tree ${oid}\t${name}`, ''].join('\n');
    const options = { cwd: git.folder, input, encoding: 'utf8' } as const;
    return execFileSync('git', ['mktree', '--missing'], options).trim();
  };
  return put(git.git('rev-parse', `${commit}^{tree}`), path.split('/'));
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
  const parent = git.git('rev-parse', branch);
  const lines = [
    `tree ${tree}`,
    `parent ${parent}`,
    'author T <t@example.org> 1767225600 +0000',
    `committer T <t@example.org> ${committer}`,
    ...(header === '' ? [] : [header]),
    '',
    'Odd',
    '',
  ];
  const commit = writeObject(git, 'commit', lines.join('\n'));
  git.git('update-ref', `refs/heads/${branch}`, commit);
  return commit;
}
