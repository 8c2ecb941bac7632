/** A change that brings and takes no build, such as one of the wiring alone; and whether a plan changes anything. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { defaultAddress, type Lock } from '../../format/project/lock.ts';
import type { Change, MadePlan } from '../plan/plan.ts';

export function unchanged(
  command: Change['command'],
  lock: Lock,
  choices: Change['choices'],
): Change {
  return {
    command,
    registry: defaultAddress(lock) ?? '',
    registries: lock.registries,
    builds: [],
    bases: new Map(),
    leaving: new Set(),
    lock,
    warnings: [],
    choices,
  };
}

/** Whether an update has nothing to plan. */
export function isUnchanged({ command, builds, leaving }: Change): boolean {
  return command === 'update' && builds.length === 0 && leaving.size === 0;
}

/** Whether a plan changes files or the lock. */
export function changesProject({ changes, commit }: MadePlan): boolean {
  const after = commit.bytes === undefined ? undefined : integrityOf(commit.bytes);
  return changes.length > 0 || after !== commit.expected;
}
