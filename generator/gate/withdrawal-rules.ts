/**
 * Versions that are withdrawn completely: by the owner or an admin, soon after the publication, while nothing requires
 * them and nobody reported about them; permanently.
 */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { Signals } from '../../format/registry/signals.ts';
import {
  WITHDRAWAL_HOURS,
  isWithdrawable,
  withdrawals,
  withdrawnOf,
} from '../../format/registry/withdrawals.ts';
import { commitTime } from '../git/commit-time.ts';
import type { Role } from './authority.ts';
import { entryAt } from './entry-at.ts';
import type { Registry } from './judge-build.ts';
import { PublishedHistory } from './published-history.ts';
import type { Publication } from './published-history.ts';
import { readDocument } from './read-document.ts';
import { reason } from './reason.ts';
import { requirersOf } from './requirers-of.ts';

interface Sides {
  readonly before: OwnerFile | undefined;
  readonly after: OwnerFile;
  /** What merging the pull request gives. */
  readonly tree: string;
}

/** @param now the present, in UTC: no time of the pull request counts */
export async function checkWithdrawals(
  registry: Registry,
  owner: string,
  { before = {}, after, tree }: Sides,
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
    for (const requirer of await requirersOf(registry, id, number, tree)) {
      reasons.push(reason('gate-withdrawal-required', path, { version, ...requirer }));
    }
    if (await hasReports(registry, id, published)) {
      reasons.push(reason('gate-withdrawal-reports', path, { version }));
    }
  }
  return reasons;
}

/** Whether a file is about the version, or the signals of the build have other reports than at its publication. */
async function hasReports(
  { repository, reader }: Registry,
  id: string,
  { version, commit }: Publication,
): Promise<boolean> {
  for (const kind of ['reports', 'flags']) {
    const folder = `${kind}/${id}/${version}`;
    if ((await entryAt(repository.folder, repository.head, folder)) !== undefined) return true;
  }
  const reportsAt = async (at: string): Promise<string> => {
    const entry = await entryAt(repository.folder, at, `signals/${id}.json`);
    if (entry === undefined) return '[0,0,0]';
    const signals = await readDocument(reader, Signals, entry.oid);
    // Signals that cannot be read hide what there is.
    if (signals instanceof Error) return at;
    const { agent_reports: reports, flags } = signals;
    return JSON.stringify([reports.success, reports.failure, flags]);
  };
  return (await reportsAt(repository.head)) !== (await reportsAt(commit));
}
