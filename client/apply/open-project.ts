/** Opens the project that a command changes: takes its lock, and recovers what an interrupted run left. */
import { chooseProject, type ProjectChoice } from '../project/choose-project.ts';
import { lockProject } from './project-lock.ts';
import { recover } from './recover.ts';

/**
 * @param warn called with what became of an interrupted run. A dry run changes nothing, so it takes no lock and recovers nothing.
 * @returns its absolute path, and what gives its lock back
 * @throws {ClientError} `ERR_BUSY`, `ERR_JOURNAL`, and those of the choice of a project
 */
export async function openProject(
  options: ProjectChoice & { readonly dryRun?: boolean },
  warn: (line: string) => void,
): Promise<{ readonly project: string; readonly close: () => Promise<void> }> {
  const project = chooseProject(options);
  if (options.dryRun === true) return { project, close: async () => {} };
  const close = await lockProject(project);
  try {
    const recovered = await recover(project);
    if (recovered !== 'nothing') warn(`An interrupted run was ${recovered}`);
    return { project, close };
  } catch (error) {
    await close();
    throw error;
  }
}
