/** `add`: installs builds and what they require. */
import type { Lock } from '../../format/lock.ts';
import { resolve } from 'node:path';
import { ClientError } from '../errors.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { planInstall } from '../operation/plan-install.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { parseRequest } from '../resolve/request.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import { changeProject } from '../operation/run-change.ts';
import type { ChangeOptions } from '../operation/run-change.ts';
import type { CommandContext, Outcome } from '../operation/command.ts';
import { withRegistry } from '../operation/open-registry.ts';
import { isLocalSource } from '../local/source-text.ts';
import type { LocalChoice } from '../operation/plan-local.ts';
import type { OnExists } from '../plan/plan.ts';

export interface AddOptions extends ChangeOptions, AgeOptions, LocalChoice {
  /** The folder of relative paths; by default the working folder. */
  readonly from?: string;
  readonly onExists: OnExists;
  readonly allow: readonly string[];
}

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  if (texts.some(isLocalSource)) return addLocal(texts, options, context);
  if (options.owner !== undefined || options.integrity !== undefined) {
    throw new ClientError('ERR_USAGE', '--owner and --integrity are for local builds', {
      hint: 'a build of a registry has its owner in its id, and its digest in the head',
    });
  }
  const requests = texts.map(parseRequest);
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

/** Builds from folders, tarballs and addresses, as if the registry had them. */
async function addLocal(
  texts: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<Outcome> {
  // The checks of the registry are large, and most calls do not need them.
  const { planLocal } = await import('../operation/plan-local.ts');
  return changeProject(options, context, async (project, lock) => {
    const made = await withRegistry(options, lock, context, (registry) => {
      const { onExists, allow } = options;
      const input = {
        project,
        registry,
        lock,
        onExists,
        allow,
        age: parseAge(options, Date.now()),
      };
      return planLocal(texts, resolve(options.from ?? '.'), options, input, context);
    });
    const text = [`${texts.join(', ')}: installed already, and unchanged since`];
    return made ?? { status: 'noop', data: {}, text };
  });
}

function isInstalled(lock: Lock, requests: readonly BuildRequest[]): boolean {
  return requests.every(({ id, range }) => {
    const build = lock.builds[id];
    if (build?.requested === undefined) return false;
    return range === undefined || satisfies(build.version, range);
  });
}
