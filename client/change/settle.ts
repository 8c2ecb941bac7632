/** What becomes of a change after it was checked: it stays, and its proof is recorded; or it, or its wiring, is taken back. */
import type { Watch } from '../apply/install-packages.ts';
import { keepProof } from '../apply/keep-proof.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { Answer } from '../plan/question.ts';
import { requireLock } from '../project/project.ts';
import { changedReport } from '../terminal/change-report.ts';
import type { Outcome } from '../terminal/command.ts';
import { type Applied, applyPlan, type Prepared, preparePlan } from './apply.ts';
import { planUnasked } from './plan.ts';
import { viewProject } from './view-project.ts';
import { unchanged } from './unchanged.ts';
import { undoLast } from './undo-last.ts';

/** @param answers to the questions after the change @throws {ClientError} those of an undo, and of a change */
export async function settle(
  { project, plan }: Prepared,
  applied: Applied,
  answers: readonly Answer[],
  verbose: boolean,
  watch: Watch,
): Promise<Outcome> {
  const { proof } = applied;
  const answer = answers.find(({ question }) => question.about === 'broken')?.text;
  if (answer === 'revert') return undoLast(project, { dryRun: false, verbose }, watch);
  if (answer === 'without') {
    const added = plan.wiring?.filter(({ action }) => action === 'added') ?? [];
    const unwire = [...new Set(added.map(({ build }) => build))];
    const change = unchanged('unwire', requireLock(project), { ...NO_CHOICES, unwire });
    const made = await planUnasked(await viewProject(project, change, watch.signal));
    const prepared = await preparePlan(project, made, false);
    const taken = await applyPlan(prepared, false, [], watch);
    return changedReport(project, prepared.plan, taken, verbose);
  }
  if (proof !== undefined) await keepProof(project, plan, proof, watch.signal);
  return changedReport(project, plan, applied, verbose);
}
