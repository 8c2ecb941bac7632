/** The lock for commands that need no project, and read the registries of the one that they are run in. */
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { chooseProject } from './choose-project.ts';
import type { ProjectChoice } from './choose-project.ts';
import { readLock } from './project.ts';

/** `undefined` where no project or no lock is found. @throws {ClientError} `ERR_LOCK` */
export function lockIfAny(choice: ProjectChoice): Lock | undefined {
  let project: string;
  try {
    project = chooseProject(choice);
  } catch (error) {
    const isNone =
      error instanceof ClientError && ['ERR_NO_PROJECT', 'ERR_USAGE'].includes(error.code);
    if (isNone && choice.workspace === undefined) return undefined;
    throw error;
  }
  return readLock(project);
}
