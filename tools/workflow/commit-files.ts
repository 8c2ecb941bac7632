/**
 * Commits files on top of the base branch by plumbing: nothing is checked out. The push is a
 * compare-and-swap, like that of `land`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitIdentity } from './commit-identity.ts';
import { required } from './environment.ts';
import type { Environment } from './environment.ts';
import { fetchBase, runGit } from './fetch-sides.ts';
import type { Landing } from './land.ts';

export interface CommittedFile {
  /** Never text of a user. */
  readonly path: string;
  readonly text: string;
}

/** @param base the expected commit of the branch */
export function commitFiles(
  env: Environment,
  folder: string,
  base: string,
  files: readonly CommittedFile[],
  message: string,
): Landing {
  const branch = required(env, 'BASE_BRANCH');
  const scratch = mkdtempSync(join(tmpdir(), 'stackyard-workflow-'));
  try {
    const [blob, index] = [join(scratch, 'blob'), { GIT_INDEX_FILE: join(scratch, 'index') }];
    runGit(env, folder, ['read-tree', base], index);
    for (const { path, text } of files) {
      writeFileSync(blob, text);
      const oid = runGit(env, folder, ['hash-object', '-w', '--no-filters', blob]).trim();
      const entry = `100644,${oid},${path}`;
      runGit(env, folder, ['update-index', '--add', '--cacheinfo', entry], index);
    }
    const tree = runGit(env, folder, ['write-tree'], index).trim();
    const args = ['commit-tree', tree, '-p', base, '-m', message];
    const commit = runGit(env, folder, args, commitIdentity()).trim();
    runGit(env, folder, ['push', '-q', 'origin', `${commit}:refs/heads/${branch}`]);
    return 'landed';
  } catch (error) {
    // Refused because the branch moved, or for another reason: the position of the branch shows which.
    if (fetchBase(env, folder) !== base) return 'stale';
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
