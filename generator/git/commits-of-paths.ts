/** The commits of the main line that changed one of a few paths, read in the way that is fastest in the repository. */
import { readMainLine } from './history.ts';
import type { MainLineCommit } from './history.ts';
import { hasPathFilters } from './path-filters.ts';
import type { Repository } from './repository.ts';

/**
 * From old to new, each with its changes of those paths.
 * @param paths where one thing is in different layouts: mostly it ever was at one of them only
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function commitsOfPaths(
  repository: Repository,
  paths: readonly string[],
): Promise<readonly MainLineCommit[]> {
  if (!(await hasPathFilters(repository))) return commitsOf(repository, paths);
  const lists = await Promise.all(paths.map((path) => commitsOf(repository, [path])));
  const filled = lists.filter((commits) => commits.length > 0);
  // Only commits that were read together are in their order.
  return filled.length > 1 ? commitsOf(repository, paths) : (filled[0] ?? []);
}

async function commitsOf(
  repository: Repository,
  paths: readonly string[],
): Promise<MainLineCommit[]> {
  const commits: MainLineCommit[] = [];
  for await (const commit of readMainLine(repository, paths)) commits.push(commit);
  return commits;
}
