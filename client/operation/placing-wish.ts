/** What the user wants of the place of builds, completed by what the project's own code does. */
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { ImportStyle, PlacingWish } from '../plan/plan.ts';

/** The options of the user, as a plan has them. */
export interface PlacingChoices {
  /** Folder of the project for a build, by id. */
  readonly to?: Readonly<Record<string, string>> | undefined;
  readonly imports?: ImportStyle | undefined;
}

/**
 * The wish that `choices` are in `project`; `undefined` without any.
 * @throws {ClientError} `ERR_USAGE` where the project has no alias to write imports with; `ERR_PROJECT_FILE`
 */
export async function placingOf(
  project: string,
  lock: Lock | undefined,
  { to = {}, imports }: PlacingChoices,
): Promise<PlacingWish | undefined> {
  const folders = new Map(Object.entries(to));
  if (folders.size === 0 && imports === undefined) return undefined;
  if (imports !== 'alias') return { to: folders, imports };
  const { readAliases } = await import('../project/module-aliases.ts');
  const { usedAlias } = await import('../project/used-alias.ts');
  const aliases = readAliases(project);
  if (aliases.aliases.length === 0) {
    throw new ClientError('ERR_USAGE', 'Cannot write imports with an alias: the project has none', {
      hint: 'define "paths" in tsconfig.json or "imports" in package.json, or leave out --imports alias',
    });
  }
  const builds = Object.values(lock?.builds ?? {});
  const ofBuilds = new Set(builds.flatMap(({ files }) => Object.keys(files)));
  return { to: folders, imports, alias: usedAlias(project, aliases, ofBuilds) };
}
