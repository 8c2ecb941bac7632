/** `update`: installs newer versions of builds and merges them with the user's edits. */
import { z } from 'zod';
import { resumePackages } from '../apply/install-packages.ts';
import { openProject } from '../apply/open-project.ts';
import { answered } from '../change/answered.ts';
import { applyPlan, preparePlan, type Prepared } from '../change/apply.ts';
import { askToUpdate, type ProjectAsk } from '../change/ask.ts';
import { findChecks } from '../change/check.ts';
import { fetchChange } from '../change/fetch.ts';
import { withHeldError, withoutHeld } from '../change/hold-back.ts';
import { planChange } from '../change/plan.ts';
import { viewProject } from '../change/view-project.ts';
import { settle } from '../change/settle.ts';
import { isUnchanged } from '../change/unchanged.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { type Change, ChangeOutput } from '../plan/plan.ts';
import { questionsBefore } from '../plan/question.ts';
import { requireLock } from '../project/project.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { installedIds } from '../search/short-ids.ts';
import { parseAge } from '../resolve/version-age.ts';
import { agreeToFixers } from '../style/decide-style.ts';
import {
  announce,
  plannedReport,
  questionsAfter,
  unchangedReport,
} from '../terminal/change-report.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import {
  allow,
  anyBuilds,
  define,
  dryRun,
  fileDecisions,
  flag,
  install,
  keep,
  minAge,
  onExists,
  prove,
  type RunContext,
  style,
} from '../terminal/options.ts';

const Input = z.object({
  builds: anyBuilds('<owner>/<name>[@<range>] of installed builds; none means all'),
  latest: flag('update to the highest version, ignoring the recorded ranges'),
  conflict: z.enum(['fail', 'ours', 'theirs', 'markers']).default('fail').meta({
    description: 'if you and the new version edited the same lines',
    placeholder: 'what',
  }),
  onExists,
  dryRun,
  install,
  prove,
  keep,
  to: z.string().max(400).optional().meta({
    description: 'move the build to this folder of the project; rewrites its imports',
    placeholder: 'folder',
  }),
  style,
  minAge,
  allow,
});

type UpdateOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'builds'>;

/**
 * @param texts `<owner>/<name>[@range]` of the builds to update; empty for all
 * @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries
 */
export async function update(
  texts: readonly string[],
  options: UpdateOptions,
  context: RunContext,
): Promise<Outcome> {
  const { onExists, conflict, allow, keep, style, dryRun } = options;
  const choices = {
    ...NO_CHOICES,
    ...fileDecisions(onExists),
    on_conflict: conflict,
    allow,
    keep,
    style,
    wire: context.canAsk && !dryRun ? undefined : false,
  };
  const asked = askToUpdate(texts, choices, options);
  let ask: ProjectAsk = { ...asked, age: parseAge(options, Date.now()) };
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    if (style === 'project') context.note(await agreeToFixers(project));
    const lock = requireLock(project);
    let prepared: Prepared | undefined;
    while (prepared === undefined) {
      const fetched = await withRegistry(options, lock, context, (registries) =>
        fetchChange(ask, { project, lock }, registries),
      );
      if (isUnchanged(fetched)) {
        const ids = ask.requests.map(({ id }) => id).join(', ');
        const text = ids === '' ? 'All builds are up to date' : `Up to date: ${ids}`;
        const resumed = await resumePackages(project, options, context);
        return { ...unchangedReport(project, [text], resumed), warnings: fetched.warnings };
      }
      try {
        prepared = await prepare(project, fetched, options, context);
      } catch (error) {
        ask = await withoutHeld(project, ask, fetched, error, context.signal);
      }
    }
    announce(prepared, context);
    if (options.dryRun) return withHeldError(plannedReport(prepared, options.verbose), ask.held);
    context.approve?.({ plan: prepared.plan });
    const answers = await context.ask(
      questionsBefore(prepared.plan, prepared.checks.open?.question),
    );
    const applied = await applyPlan(prepared, options.install, answers, context);
    const wishes = await context.ask(questionsAfter(applied, prepared.plan)).catch(() => []);
    const outcome = await settle(prepared, applied, wishes, options.verbose, context);
    return withHeldError(outcome, ask.held);
  } finally {
    await close();
  }
}

/** Plans until nothing is open. @throws {ClientError} with nothing written */
async function prepare(
  project: string,
  fetched: Change,
  options: UpdateOptions,
  context: RunContext,
): Promise<Prepared> {
  let change = fetched;
  let planned = await planChange(await viewProject(project, change, context.signal));
  while ('open' in planned) {
    change = await answered(project, change, await context.ask(planned.open));
    planned = await planChange(await viewProject(project, change, context.signal));
  }
  const { made } = planned;
  const checks = await findChecks(project, made.plan, change.builds, options, context.canAsk);
  return preparePlan(project, made, options.install, checks);
}

export const command = define({
  description:
    'Updates builds, by default all, within the ranges that the lock records, and keeps your edits',
  input: Input,
  output: ChangeOutput,
  examples: ['update stackyard/account -C my-app --dry-run'],
  run: ({ builds, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    return update(installedIds(builds, options, context), options, context);
  },
});
