/** Opens a git repository for reading. Everything comes from commits; the working tree is never read. */
import { existsSync, realpathSync } from 'node:fs';
import { GeneratorError } from '../errors.ts';
import { gitText, runGit } from './run-git.ts';

export interface Repository {
  /** Top folder of the work tree, or the repository itself when it is bare. */
  readonly folder: string;
  /** The commit that is indexed. */
  readonly head: string;
  /** The commit after which publications count; absent: the whole history. */
  readonly from?: string;
  /** The folder of the registry, with "/" at its end; absent: the whole repository. */
  readonly root?: string;
}

/**
 * Opens the repository at `folder` at its newest commit, or at the commit that `ref` names.
 * @throws {GeneratorError} `ERR_NOT_A_REPOSITORY`, `ERR_NO_COMMITS`, `ERR_SHALLOW_CLONE`, `ERR_GIT`
 */
export async function openRepository(folder: string, ref = 'HEAD'): Promise<Repository> {
  if (!existsSync(folder)) {
    throw new GeneratorError('ERR_NOT_A_REPOSITORY', `Cannot read "${folder}": no such folder`);
  }
  const usual = await headOfWorkTree(folder, ref);
  if (usual !== undefined) return { folder, head: usual };
  const top = await topFolder(folder);
  if (realpathSync(top) !== realpathSync(folder)) {
    throw new GeneratorError(
      'ERR_NOT_A_REPOSITORY',
      `Cannot read "${folder}": it is a folder inside the git repository "${top}"`,
      { hint: `give the top folder: --repo "${top}"` },
    );
  }
  if ((await gitText(folder, ['rev-parse', '--is-shallow-repository'])) === 'true') {
    throw new GeneratorError(
      'ERR_SHALLOW_CLONE',
      `Cannot read "${folder}": it is a shallow clone, and publications lie in the whole history`,
      { hint: 'run "git fetch --unshallow", or check out with "fetch-depth: 0"' },
    );
  }
  const head = await resolveName(folder, `${ref}^{commit}`);
  if (head === undefined) {
    const [problem, hint] =
      ref === 'HEAD'
        ? ['it has no commits', 'commit a build under builds/<owner>/<name>/ first']
        : [`it has no commit "${ref}"`, 'fetch it first'];
    throw new GeneratorError('ERR_NO_COMMITS', `Cannot read "${folder}": ${problem}`, { hint });
  }
  return { folder, head };
}

/**
 * Whether `commit` is on the first-parent line that ends in the repository's head.
 * A commit that a rewrite removed is not.
 */
export async function isOnMainLine(repository: Repository, commit: string): Promise<boolean> {
  if (commit === repository.head) return true;
  // The first line is of the oldest one: what is cut of a long list is not needed.
  const range = `${commit}..${repository.head}`;
  const args = ['rev-list', '--first-parent', '--reverse', '--parents', range];
  const { stdout } = await runGit(repository.folder, args);
  const [, firstParent] = (stdout.toString('latin1', 0, 200).split('\n', 1)[0] ?? '').split(' ');
  return firstParent === commit;
}

/** How many commits the main line has, since `since` if given; with `path`, those that touch it. */
export async function countCommits(
  { folder, head }: Repository,
  since?: string,
  path?: string,
): Promise<number> {
  const range = since === undefined ? head : `${since}..${head}`;
  const paths = path === undefined ? [] : [path];
  const args = ['rev-list', '--count', '--first-parent', range, '--', ...paths];
  return Number.parseInt(await gitText(folder, args), 10);
}

/**
 * The commit of `ref` where `folder` is the top of the work tree of a whole clone: one process of git answers all of it.
 * `undefined` where anything is different; then single questions find out what.
 */
async function headOfWorkTree(folder: string, ref: string): Promise<string | undefined> {
  if (ref.startsWith('-')) return undefined;
  const questions = ['--is-shallow-repository', '--show-toplevel', `${ref}^{commit}`];
  const { stdout, status } = await runGit(folder, ['rev-parse', ...questions]);
  const answers = status === 0 ? stdout.toString('utf8') : '';
  const [, top = '', head] = /^false\n(.+)\n([0-9a-f]{40,64})\n$/s.exec(answers) ?? [];
  return head !== undefined && existsSync(top) && realpathSync(top) === realpathSync(folder)
    ? head
    : undefined;
}

async function topFolder(folder: string): Promise<string> {
  const { status, stdout, stderr } = await runGit(folder, ['rev-parse', '--is-bare-repository']);
  if (status === 0) {
    const isBare = stdout.toString('utf8').trim() === 'true';
    return gitText(folder, ['rev-parse', isBare ? '--absolute-git-dir' : '--show-toplevel']);
  }
  if (!/not a git repository/i.test(stderr)) {
    throw new GeneratorError('ERR_GIT', `Cannot read "${folder}": git reports: ${stderr}`);
  }
  throw new GeneratorError(
    'ERR_NOT_A_REPOSITORY',
    `Cannot read "${folder}": it is not in a git repository`,
    { hint: 'give the folder of a git repository with --repo' },
  );
}

async function resolveName(folder: string, name: string): Promise<string | undefined> {
  // With --quiet git prints nothing for an unknown name and exits with 1.
  const { status, stdout } = await runGit(folder, ['rev-parse', '--verify', '--quiet', name]);
  return status === 0 ? stdout.toString('latin1').trim() : undefined;
}
