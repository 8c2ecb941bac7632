/** `remove`: removes builds from a project, and the builds that only they required. */
import { z } from 'zod';
import { openProject } from '../apply/open-project.ts';
import { applyPlan, preparePlan } from '../change/apply.ts';
import { askFor } from '../change/ask.ts';
import { fetchRemoval } from '../change/leaving-builds.ts';
import { planUnasked } from '../change/plan.ts';
import { viewProject } from '../change/view-project.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { ChangeOutput } from '../plan/plan.ts';
import { questionsBefore } from '../plan/question.ts';
import { requireLock } from '../project/project.ts';
import { readShipped } from '../change/fetch-builds.ts';
import { installedIds } from '../search/short-ids.ts';
import { parseRequest } from '../resolve/request.ts';
import { announce, changedReport, plannedReport } from '../terminal/change-report.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import {
  allow,
  define,
  dryRun,
  flag,
  install,
  type RunContext,
  someBuilds,
} from '../terminal/options.ts';

const Input = z.object({
  builds: someBuilds('<owner>/<name> of installed builds'),
  cascade: flag('remove what requires them as well'),
  force: flag('remove files that you edited as well'),
  allow,
  dryRun,
  install,
});

type RemoveOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'builds'>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function remove(
  texts: readonly string[],
  options: RemoveOptions,
  context: RunContext,
): Promise<Outcome> {
  const { force, allow, cascade } = options;
  const asked = askFor('remove', texts.map(parseRequest), { ...NO_CHOICES, force, allow });
  const ask = { ...asked, cascade };
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const lock = requireLock(project);
    const change = await fetchRemoval(ask, { project, lock }, (builds) =>
      readShipped(builds, options, lock, context),
    );
    const made = await planUnasked(await viewProject(project, change, context.signal));
    const prepared = await preparePlan(project, made, options.install);
    announce(prepared, context);
    if (options.dryRun) return plannedReport(prepared, options.verbose);
    context.approve?.({ plan: prepared.plan });
    const answers = await context.ask(questionsBefore(prepared.plan));
    const applied = await applyPlan(prepared, options.install, answers, context);
    return changedReport(project, prepared.plan, applied, options.verbose);
  } finally {
    await close();
  }
}

export const command = define({
  description: 'Removes builds, what only they required, and every edit that was made for them',
  input: Input,
  output: ChangeOutput,
  examples: ['remove stackyard/account -C my-app'],
  run: async ({ builds, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    return remove(installedIds(builds, options, context), options, context);
  },
});
