/** Of an update that cannot be planned: which builds stay as they are, so that the others are updated. */
import { ClientError } from '../errors.ts';
import type { Change, Warning } from '../plan/plan.ts';
import type { Outcome } from '../terminal/command.ts';
import { checkedPlan } from './apply.ts';
import type { ProjectAsk } from './ask.ts';
import { planUnasked } from './plan.ts';
import { viewProject } from './view-project.ts';

/** Errors that may be about one build. */
const OF_A_BUILD = new Set(['ERR_CONFLICT', 'ERR_DEPENDENCY', 'ERR_PATH_POLICY']);

/**
 * @param error why `change` cannot be planned
 * @returns `ask` without the builds that cannot be updated on their own either
 * @throws {ClientError} `error` where no build is left to update
 */
export async function withoutHeld(
  project: string,
  ask: ProjectAsk,
  change: Change,
  error: unknown,
  signal: AbortSignal,
): Promise<ProjectAsk> {
  if (!isOfBuild(error)) throw error;
  const held = new Map(ask.held);
  for (const build of change.builds) {
    const alone = { ...change, builds: [build], leaving: new Set<string>() };
    const version = change.lock?.builds[build.id]?.version;
    try {
      await checkedPlan(project, await planUnasked(await viewProject(project, alone, signal)));
    } catch (problem) {
      if (!isOfBuild(problem) || version === undefined) continue;
      const message = `"${build.id}" stays at ${version}: ${problem.message}`;
      held.set(build.id, { code: 'update-held', message, path: '' });
    }
  }
  const isLeft = ({ id }: { readonly id: string }): boolean => !held.has(id);
  const isAsked = ask.requests.length === 0 || ask.requests.some(isLeft);
  if (held.size === (ask.held?.size ?? 0) || !isAsked || !change.builds.some(isLeft)) throw error;
  return { ...ask, held };
}

/** `outcome` with an error about the builds that were not updated. */
export function withHeldError(
  outcome: Outcome,
  held: ReadonlyMap<string, Warning> | undefined,
): Outcome {
  if (held === undefined || outcome.error !== undefined) return outcome;
  const names = [...held.keys()].map((id) => `"${id}"`).join(', ');
  const hint = `"stackyard update ${[...held.keys()][0]}" alone says why, and what to do`;
  const error = new ClientError('ERR_CONFLICT', `Not updated: ${names}`, { hint });
  return { ...outcome, status: outcome.status === 'done' ? 'error' : outcome.status, error };
}

function isOfBuild(error: unknown): error is ClientError {
  return error instanceof ClientError && OF_A_BUILD.has(error.code);
}
