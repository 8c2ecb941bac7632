/** Finds files of a plan that git ignores: a commit would leave them out. Starts nothing that the folder configures. */
import { folderGit } from '../project/folder-git.ts';
import type { MadePlan, Warning } from '../plan/plan.ts';

/** How many paths one call of git gets: command lines have a limit. */
const MAX_PATHS = 200;
const MAX_LISTED = 5;

/** One warning for all files that `made` writes and git ignores; none without a repository or without git. */
export async function ignoredFiles(project: string, made: MadePlan): Promise<Warning[]> {
  const written = [...made.changes, made.commit].filter(({ bytes }) => bytes !== undefined);
  const paths = written.map(({ path }) => path);
  const ignored: string[] = [];
  for (let at = 0; at < paths.length; at += MAX_PATHS) {
    const part = paths.slice(at, at + MAX_PATHS);
    // Ends with status 1 when it ignores none of them.
    const args = ['-c', 'core.quotePath=false', 'check-ignore', '--', ...part];
    const found = (await folderGit(project, args))?.split('\n') ?? [];
    ignored.push(...part.filter((path) => found.includes(path)));
  }
  const [first] = ignored;
  if (first === undefined) return [];
  const more = ignored.length - MAX_LISTED;
  const listed = ignored.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const message = `git ignores ${listed}: a commit leaves out what the builds need; change .gitignore, or use "git add -f"`;
  return [{ code: 'file-ignored', message, path: first }];
}
