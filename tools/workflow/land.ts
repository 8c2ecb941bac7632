/**
 * Merges exactly what the gate judged: a commit of the judged tree on top of the judged base. The push is a
 * compare-and-swap: git accepts it only while the branch is still at that base.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { formatMergeMessage } from '../../format/provenance/merge-message.ts';
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { mergeSides } from '../../generator/gate/merge-sides.ts';
import { commitIdentity } from './commit-identity.ts';
import { required } from './environment.ts';
import type { Environment } from './environment.ts';
import { fetchSides, runGit } from './fetch-sides.ts';

/** `stale`: the base branch or the pull request moved on, so that it must be judged again. */
export type Landing = 'landed' | 'stale';

/** @throws {Error} when the merge is not what was judged */
export async function land(
  env: Environment,
  folder: string,
  verdict: GateVerdict,
): Promise<Landing> {
  const branch = required(env, 'BASE_BRANCH');
  const number = required(env, 'PULL_NUMBER');
  const { base, head } = fetchSides(env, folder);
  if (base !== verdict.base || head !== verdict.head) return 'stale';
  const merged = await mergeSides(folder, { base, head });
  if (!merged.ok || merged.tree !== verdict.tree) {
    throw new Error('Merging does not give the tree that the gate judged');
  }
  const commit = runGit(
    env,
    folder,
    ['commit-tree', merged.tree, '-p', base, '-p', head, '-m', messageOf(number, verdict)],
    commitIdentity(),
  ).trim();
  try {
    runGit(env, folder, ['push', '-q', 'origin', `${commit}:refs/heads/${branch}`]);
  } catch (error) {
    // Refused because the branch moved, or for another reason: the position of the branch shows which.
    if (fetchSides(env, folder).base !== base) return 'stale';
    throw error;
  }
  return 'landed';
}

/** What was judged stays in the history, and in the provenance of what is published. */
function messageOf(number: string, judged: GateVerdict): string {
  const { verdict: result, builds } = judged;
  const published = builds.map(({ id, version }) => `${id}@${version}`);
  const message = { pullRequest: Number(number), published };
  if (result === 'refuse') return formatMergeMessage(message);
  const integrity = integrityOf(new TextEncoder().encode(canonicalJson(judged)));
  return formatMergeMessage({ ...message, verdict: { result, integrity } });
}
