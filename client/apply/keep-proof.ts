/** Keeps the proof of a change in the lock, as part of that change. */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { lockChange } from '../plan/lock.ts';
import type { Plan } from '../plan/plan.ts';
import { readLock, takeSnapshot } from '../project/project.ts';
import { applyChanges } from './transaction.ts';
import { amendUndoable } from './undo-record.ts';

/** Without a time: the same change with the same results is the same lock. @throws {ClientError} those of a change */
export async function keepProof(
  project: string,
  { builds, wiring = [] }: Pick<Plan, 'builds' | 'wiring'>,
  { is_good, facts }: { readonly is_good: boolean; readonly facts: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const lock = readLock(project);
  if (lock === undefined) return;
  const named = new Set([...builds.map(({ id }) => id), ...wiring.map(({ build }) => build)]);
  const of = [...named].sort().flatMap((id) => {
    const version = lock.builds[id]?.version;
    return version === undefined ? [] : [`${id}@${version}`];
  });
  const proof = { of, is_good, facts: facts.slice(0, 100).map((fact) => fact.slice(0, 600)) };
  const before = (await takeSnapshot(project, [LOCK_FILE])).project.get(LOCK_FILE);
  await applyChanges(project, [], lockChange(before, { ...lock, proof }), { signal });
  await amendUndoable(project, LOCK_FILE);
}
