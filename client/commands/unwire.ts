/** `unwire`: takes the carried out steps of builds out of the project's own code; the builds stay. */
import { z } from 'zod';
import { openProject } from '../apply/open-project.ts';
import { applyPlan, preparePlan } from '../change/apply.ts';
import { planUnasked } from '../change/plan.ts';
import { viewProject } from '../change/view-project.ts';
import { changesProject, unchanged } from '../change/unchanged.ts';
import { ClientError } from '../errors.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { ChangeOutput } from '../plan/plan.ts';
import { requireLock } from '../project/project.ts';
import { installedIds } from '../search/short-ids.ts';
import { parseRequest } from '../resolve/request.ts';
import {
  announce,
  changedReport,
  plannedReport,
  unchangedWiring,
} from '../terminal/change-report.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import { define, dryRun, type RunContext, someBuilds } from '../terminal/options.ts';

/** @throws {ClientError} with nothing written */
async function takeOut(
  texts: readonly string[],
  options: GlobalOptions & { readonly dryRun: boolean },
  context: RunContext,
): Promise<Outcome> {
  const unwire = [...new Set(texts.map((text) => parseRequest(text).id))];
  const { project, close } = await openProject(options, context.terminal.warn);
  try {
    const lock = requireLock(project);
    const missing = unwire.find((id) => lock.builds[id] === undefined);
    if (missing !== undefined) {
      throw new ClientError('ERR_NOT_INSTALLED', `"${missing}" is not installed here`, {
        hint: `add it with "stackyard add ${missing} --wire"; "stackyard list" shows what is installed`,
      });
    }
    const without = unwire.filter((id) => lock.builds[id]?.wiring === undefined);
    if (without.length > 0) {
      throw new ClientError('ERR_USAGE', `Not wired: ${without.join(', ')}`, {
        hint: 'the lock records no step that was carried out for it',
      });
    }
    const change = unchanged('unwire', lock, { ...NO_CHOICES, unwire });
    const made = await planUnasked(await viewProject(project, change, context.signal));
    if (!changesProject(made)) return unchangedWiring(made.plan);
    const prepared = await preparePlan(project, made, false);
    announce(prepared, context);
    if (options.dryRun) return plannedReport(prepared, options.verbose);
    context.approve?.({ plan: prepared.plan });
    const applied = await applyPlan(prepared, false, [], context);
    return changedReport(project, prepared.plan, applied, options.verbose);
  } finally {
    await close();
  }
}

export const command = define({
  description:
    'Takes out what was wired into your files for installed builds; what you edited since stays',
  input: z.object({ builds: someBuilds('<owner>/<name> of installed builds'), dryRun }),
  output: ChangeOutput,
  examples: ['unwire stackyard/account -C my-app --dry-run'],
  run: ({ builds, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    return takeOut(installedIds(builds, options, context), options, context);
  },
});
