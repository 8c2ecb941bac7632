/** `wire` and `unwire`: carry out the steps of installed builds in the project's own code, and take them out. */
import type { Lock } from '../../format/project/lock.ts';
import { type ChangeOptions, withProject } from '../apply/apply-plan.ts';
import { ClientError } from '../errors.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { Change } from '../plan/plan.ts';
import { requireLock } from '../project/project.ts';
import { fetchInstalled } from '../registry/fetch-builds.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { offeredForTags } from '../registry/stack-hint.ts';
import { parseRequest } from '../resolve/request.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { planChange } from './plan-change.ts';
import { changesProject, takeOutSteps, unchanged, unchangedWiring } from './take-out-steps.ts';
import { applyAndProve, type ProveOptions } from './prove-change.ts';

/** @throws {ClientError} with nothing written */
export async function wire(
  texts: readonly string[],
  options: ChangeOptions & ProveOptions & { readonly allow: readonly string[] },
  context: CommandContext,
): Promise<Outcome> {
  const ids = idsOf(texts);
  return withProject(options, context, async (project) => {
    const lock = requireLock(project);
    checkInstalled(lock, ids);
    const { wired, providers } = await withRegistry(options, lock, context, async (registry) => {
      const installed = await fetchInstalled(registry, lock, ids);
      const offered = await offeredForTags(registry, installed, lock);
      return { wired: installed, providers: offered };
    });
    const without = wired.filter(({ wiredGuide }) => wiredGuide === undefined).map(({ id }) => id);
    if (without.length > 0) {
      throw new ClientError(
        'ERR_USAGE',
        `The guide of ${without.join(', ')} has no step to carry out`,
        { hint: `read its steps with "stackyard info ${without[0]} --integration"` },
      );
    }
    const change: Change = { ...unchanged('wire', lock), wired, providers };
    const choices = { ...NO_CHOICES, allow: options.allow, wire: ids };
    const made = await planChange(project, change, choices);
    if (!changesProject(made)) return unchangedWiring(made);
    return applyAndProve(project, made, wired, options, context);
  });
}

/** @throws {ClientError} with nothing written */
export async function unwire(
  texts: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const ids = idsOf(texts);
  return withProject(options, context, async (project) => {
    const lock = requireLock(project);
    checkInstalled(lock, ids);
    const without = ids.filter((id) => lock.builds[id]?.wiring === undefined);
    if (without.length > 0) {
      throw new ClientError('ERR_USAGE', `Not wired: ${without.join(', ')}`, {
        hint: 'the lock records no step that was carried out for it',
      });
    }
    return takeOutSteps(project, ids, options, context);
  });
}

function idsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => parseRequest(text).id))];
}

function checkInstalled(lock: Lock, ids: readonly string[]): void {
  const missing = ids.find((id) => lock.builds[id] === undefined);
  if (missing === undefined) return;
  throw new ClientError('ERR_NOT_INSTALLED', `"${missing}" is not installed here`, {
    hint: `add it with "stackyard add ${missing} --wire"; "stackyard list" shows what is installed`,
  });
}
