/**
 * Versions that are withdrawn completely: by the owner or an admin, soon after the publication, and permanently. Nothing that others
 * publish, report or flag prevents it.
 */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import {
  WITHDRAWAL_HOURS,
  isWithdrawable,
  withdrawals,
  withdrawnOf,
} from '../../format/registry/withdrawals.ts';
import { commitTime } from '../git/commit-time.ts';
import type { Role } from './authority.ts';
import type { Registry } from './judge-build.ts';
import { PublishedHistory } from './published-history.ts';
import { reason } from './reason.ts';

interface Sides {
  readonly before: OwnerFile | undefined;
  readonly after: OwnerFile;
}

/** @param now the present, in UTC: no time of the pull request counts */
export async function checkWithdrawals(
  registry: Registry,
  owner: string,
  { before = {}, after }: Sides,
  role: Role,
  now: string,
): Promise<Reason[]> {
  const path = ownerFilePath(owner, registry.config.layout);
  const reasons: Reason[] = [];
  for (const [name, number] of withdrawals(before)) {
    if (withdrawnOf(after, name)[number] !== undefined) continue;
    reasons.push(reason('gate-withdrawal-undone', path, { version: `${owner}/${name}@${number}` }));
  }
  const wanted = withdrawals(after).filter(([name, number]) => {
    return withdrawnOf(before, name)[number] === undefined;
  });
  if (wanted.length > 0 && role === 'maintainer') {
    reasons.push(reason('gate-withdrawal-role', path));
  }
  for (const [name, number] of wanted) {
    const id = `${owner}/${name}`;
    const version = `${id}@${number}`;
    const { repository, reader } = registry;
    const history = await PublishedHistory.read(repository, reader, id);
    const published = await history.find(number);
    if (published === undefined) {
      reasons.push(reason('gate-withdrawal-unknown', path, { version }));
      continue;
    }
    const at = await commitTime({ ...repository, head: published.commit }, reader);
    if (!isWithdrawable(at, now, WITHDRAWAL_HOURS)) {
      reasons.push(reason('gate-withdrawal-late', path, { version, at, hours: WITHDRAWAL_HOURS }));
    }
  }
  return reasons;
}
