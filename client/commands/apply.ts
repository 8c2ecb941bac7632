/** `apply`: carries out a saved plan, if nothing has changed since it was made. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ClientError } from '../errors.ts';
import { parsePlan } from '../plan/parse-plan.ts';
import { replan } from '../operation/saved-plan.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { overSources } from '../operation/with-sources.ts';

/**
 * @param file the saved output of `--dry-run --json`
 * @throws {ClientError} `ERR_PLAN_CHANGED`, with nothing written, and those of `add`, `update`, `remove`
 */
export async function apply(
  file: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const saved = parsePlan(readPlan(file), file);
  return changeProject({ ...options, isAnyFolder: true }, context, (project, lock) => {
    // Without a lock, the plan names the registry; otherwise the lock does.
    const planned = lock === undefined ? [saved.registry] : undefined;
    const from = { ...options, registry: options.registry ?? planned };
    return withRegistry(from, lock, context, (registry) => {
      const places = new Map(saved.builds.map((build) => [build.id, build]));
      const over = overSources(registry, project, places, context.signal);
      return replan(project, lock, over, saved);
    });
  });
}

function readPlan(file: string): Uint8Array {
  try {
    return readFileSync(resolve(file));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const problem = isMissing ? `There is no file "${file}"` : `Cannot read "${file}": ${message}`;
    throw new ClientError('ERR_USAGE', problem, {
      cause,
      hint: 'give the file that holds what --dry-run --json printed',
    });
  }
}
