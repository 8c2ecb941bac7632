/** `remove`: removes builds from a project, and the builds that only they required. */
import { planRemoval } from '../operation/plan-removal.ts';
import { withRegistryIfNeeded } from '../operation/open-registry.ts';
import { requireLock } from '../project/project.ts';
import { parseRequest } from '../resolve/request.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';

export interface RemoveOptions extends ChangeOptions {
  readonly cascade: boolean;
  readonly keepDeps: boolean;
  readonly force: boolean;
  readonly allow: readonly string[];
}

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function remove(
  texts: readonly string[],
  options: RemoveOptions,
  context: CommandContext,
): Promise<Outcome> {
  const ids = texts.map((text) => parseRequest(text).id);
  return changeProject(options, context, async (project) => {
    const { cascade, keepDeps, force, allow } = options;
    const lock = requireLock(project);
    return withRegistryIfNeeded(options, lock, context, (open) =>
      planRemoval({ project, lock, ids, cascade, keepDeps, force, allow, open }),
    );
  });
}
