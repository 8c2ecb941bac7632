/** `add`: installs builds and what they require. */
import type { Lock } from '../../format/lock.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { planInstall } from '../operation/plan-install.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import type { OnExists } from '../plan/plan.ts';

export interface AddOptions extends ChangeOptions, AgeOptions {
  readonly onExists: OnExists;
  readonly allow: readonly string[];
}

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  const requests = texts.map(parseRegistryRequest);
  return changeProject(options, context, async (project, lock) => {
    if (lock !== undefined && isInstalled(lock, requests)) {
      const text = requests.map(
        ({ id }) => `${id} ${lock.builds[id]?.version} is installed already`,
      );
      return { status: 'noop', data: {}, text };
    }
    return withRegistry(options, lock, context, (registry) => {
      const { onExists, allow } = options;
      const age = parseAge(options, Date.now());
      return planInstall({ project, registry, requests, lock, onExists, allow, age });
    });
  });
}

function isInstalled(lock: Lock, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range, registry }) => {
    const build = lock.builds[id];
    if (build?.requested === undefined) return false;
    if (registry !== undefined && registry !== build.registry) return false;
    return range === undefined || satisfies(build.version, range);
  });
}
