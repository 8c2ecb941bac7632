/** Commits whose trees have entry modes that git itself never writes, as an attacker makes them. */
import { execFileSync } from 'node:child_process';
import type { GitFixture } from './git-fixture.ts';

/**
 * Commits on `branch` that the entry `path` has the raw mode `mode`, such as `120777`; content stays.
 * @returns the commit's id
 */
export function commitMode(git: GitFixture, branch: string, path: string, mode: string): string {
  const tree = withMode(git, git.git('rev-parse', `${branch}^{tree}`), path.split('/'), mode);
  const commit = git.git('commit-tree', tree, '-p', branch, '-m', `Mode ${mode}`);
  git.git('update-ref', `refs/heads/${branch}`, commit);
  return commit;
}

function withMode(git: GitFixture, tree: string, path: readonly string[], mode: string): string {
  const [name = '', ...rest] = path;
  const options = { cwd: git.folder } as const;
  const bytes = execFileSync('git', ['cat-file', 'tree', tree], options);
  // The name ends with NUL and follows the space after the mode; entries are `<mode> <name>\0<20 bytes>`.
  const at = bytes.indexOf(` ${name}\0`);
  if (at < 0) throw new Error(`No entry "${name}" in tree ${tree}`);
  const start = at - (/^1\d{5}$/.test(bytes.toString('latin1', at - 6, at)) ? 6 : '40000'.length);
  const end = at + 1 + Buffer.byteLength(name) + 1;
  const oid = bytes.toString('hex', end, end + 20);
  const [newMode, newOid] =
    rest.length === 0
      ? [mode, oid]
      : [bytes.toString('latin1', start, at), withMode(git, oid, rest, mode)];
  const changed = Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(`${newMode} ${name}\0`),
    Buffer.from(newOid, 'hex'),
    bytes.subarray(end + 20),
  ]);
  const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  return execFileSync('git', args, { ...options, input: changed, encoding: 'utf8' }).trim();
}
