/** The tree of the base branch after merging the pull request, computed without changing any branch. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { GeneratorError } from '../errors.ts';
import { gateGit, gateGitText } from './gate-git.ts';
import { reason } from './reason.ts';

const MAX_NAMED_CONFLICTS = 20;

export interface Sides {
  /** Commit ids. */
  readonly base: string;
  readonly head: string;
}

export type Merged =
  | { readonly ok: true; readonly tree: string; readonly baseTree: string }
  | { readonly ok: false; readonly reasons: readonly Reason[] };

/**
 * Merges the two sides. Renames are not followed: a file moves only when the pull request moved it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function mergeSides(folder: string, { base, head }: Sides): Promise<Merged> {
  const baseTree = await gateGitText(folder, ['rev-parse', '--verify', `${base}^{tree}`]);
  const common = await gateGit(folder, ['merge-base', base, head]);
  if (common.status !== 0) return { ok: false, reasons: [reason('gate-unrelated', '')] };
  if (common.stdout.toString().trim() === base) {
    // The base branch did not move since the branch started: the result is the head's own tree.
    const tree = await gateGitText(folder, ['rev-parse', '--verify', `${head}^{tree}`]);
    return { ok: true, tree, baseTree };
  }
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, head];
  const { status, stdout, stderr, isCut } = await gateGit(folder, args);
  const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0').filter(Boolean);
  if (status === 0) return { ok: true, tree: tree.trim(), baseTree };
  if (status !== 1 && !isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot merge: git reports: ${stderr}`);
  }
  const count = conflicts.length;
  const reasons = conflicts
    .slice(0, MAX_NAMED_CONFLICTS)
    .map((file) => reason('gate-conflict', file, { count }));
  return {
    ok: false,
    reasons: reasons.length > 0 ? reasons : [reason('gate-conflict', '', { count })],
  };
}
