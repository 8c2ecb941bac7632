/** Takes the carried out steps of builds out of the project's own code. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { type Lock, defaultAddress } from '../../format/project/lock.ts';
import { type ChangeOptions, applyPlan } from '../apply/apply-plan.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { Change, MadePlan } from '../plan/plan.ts';
import { requireLock } from '../project/project.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { describeWiring } from '../terminal/plan-text.ts';
import { planChange } from './plan-change.ts';

/**
 * Takes the steps of builds out of a project whose lock the caller holds. Nothing is applied and recorded where the project
 * and its lock stay the same.
 * @throws {ClientError} with nothing written
 */
export async function takeOutSteps(
  project: string,
  ids: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const change = unchanged('unwire', requireLock(project));
  const made = await planChange(project, change, { ...NO_CHOICES, unwire: ids });
  return changesProject(made) ? applyPlan(project, made, options, context) : unchangedWiring(made);
}

/** A change of the wiring alone. */
export function unchanged(command: 'wire' | 'unwire', lock: Lock): Change {
  return {
    command,
    registry: defaultAddress(lock) ?? '',
    registries: lock.registries,
    builds: [],
    bases: new Map(),
    leaving: new Set(),
    lock,
    warnings: [],
  };
}

/** Whether a plan changes files or the lock. */
export function changesProject({ changes, commit }: MadePlan): boolean {
  const after = commit.bytes === undefined ? undefined : integrityOf(commit.bytes);
  return changes.length > 0 || after !== commit.expected;
}

/** The outcome of a plan that changes nothing. */
export function unchangedWiring({ plan }: MadePlan): Outcome {
  const text = [...describeWiring(plan.wiring ?? []), 'Nothing changes'];
  return { status: 'noop', data: { plan }, warnings: plan.warnings, text };
}
