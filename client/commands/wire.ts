/** `wire` and `unwire`: carry out the steps of installed builds in the project's own code, and take them out. */
import { planUnwiring, planWiring } from '../operation/plan-wiring.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { describeWiring } from '../operation/wiring-lines.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions, Planned } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import type { MadePlan } from '../plan/plan.ts';
import { integrityOf } from '../../format/archive/integrity.ts';

/** @throws {ClientError} with nothing written */
export async function wire(
  texts: readonly string[],
  options: ChangeOptions & { readonly allow: readonly string[] },
  context: CommandContext,
): Promise<Outcome> {
  const ids = idsOf(texts);
  return changeProject(options, context, async (project) => {
    const lock = requireLock(project);
    const made = await withRegistry(options, lock, context, (registry) =>
      planWiring(project, lock, ids, registry, options.allow),
    );
    return orNothing(made);
  });
}

/** @throws {ClientError} with nothing written */
export async function unwire(
  texts: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const ids = idsOf(texts);
  return changeProject(options, context, async (project) => {
    return orNothing(await planUnwiring(project, requireLock(project), ids));
  });
}

function idsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => parseRequest(text).id))];
}

/** Nothing is applied and recorded where the project and its lock stay the same. */
function orNothing(made: MadePlan): Planned {
  const { plan, changes, commit } = made;
  const after = commit.bytes === undefined ? undefined : integrityOf(commit.bytes);
  if (changes.length > 0 || after !== commit.expected) return made;
  const text = [...describeWiring(plan.wiring ?? []), 'Nothing changes'];
  return { status: 'noop', data: { plan }, warnings: plan.warnings, text };
}
