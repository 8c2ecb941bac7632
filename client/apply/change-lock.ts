/** Changes only the lock of a project, as one transaction that `undo` can undo. */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/project/lock.ts';
import { lockChange } from '../plan/lock.ts';
import { readLock, takeSnapshot } from '../project/project.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { openProject } from './open-project.ts';
import { applyForUndo } from './undo-record.ts';

/** The lock after a change, with what to print; `lock` is absent where nothing changes. */
export interface LockChange {
  readonly lock?: Lock;
  readonly data: object;
  readonly text: Outcome['text'];
}

/**
 * Writes the lock that `change` makes of the present one, as a transaction that `undo` can undo.
 * @param what the change, for `undo`
 * @throws {ClientError} those of `change`, with nothing written; `ERR_LOCK`, `ERR_PATH_POLICY`, `ERR_WRITE`
 */
export async function changeLock(
  what: string,
  options: GlobalOptions,
  context: CommandContext,
  change: (lock: Lock | undefined) => Promise<LockChange>,
): Promise<Outcome> {
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const { lock, data, text } = await change(readLock(project));
    if (lock === undefined) return { status: 'noop', data, text };
    const before = (await takeSnapshot(project, [LOCK_FILE])).project.get(LOCK_FILE);
    await applyForUndo(project, what, [lockChange(before, lock)], context.signal);
    return { status: 'done', data, text };
  } finally {
    await close();
  }
}
