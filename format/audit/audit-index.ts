/** Audits an index: its log, and what it serves against the log. */
import { auditBuilds } from './audit-builds.ts';
import { auditLog } from './audit-log.ts';
import { auditMap } from './audit-map.ts';
import type { AuditProblem, ReadIndexFile } from './audit.ts';
import { loggedState } from './logged-state.ts';

export interface Audit {
  readonly problems: readonly AuditProblem[];
  readonly entries: number;
  readonly builds: number;
  readonly versions: number;
  readonly key: string | undefined;
  /** The commit that the registry states. */
  readonly commit: string | undefined;
}

/** @param known the key that must have signed; by default the one that the registry states */
export async function auditIndex(read: ReadIndexFile, known?: string): Promise<Audit> {
  const log = await auditLog(read, known);
  const { builds, problems } = loggedState(log.entries);
  // Without a log that can be trusted there is nothing to compare with.
  const isTrusted = log.entries.length > 0;
  const found = isTrusted ? await auditBuilds(read, builds) : [];
  const mapped = await auditMap(read, log.entries, builds.keys());
  const versions = [...builds.values()].reduce((sum, build) => sum + build.versions.size, 0);
  const { key, commit } = log;
  return {
    problems: [...log.problems, ...problems, ...found, ...mapped],
    entries: log.entries.length,
    builds: builds.size,
    versions,
    key,
    commit,
  };
}
