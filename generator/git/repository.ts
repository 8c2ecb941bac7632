/** Opens a git repository for reading. Everything comes from commits; the working tree is never read. */
import { existsSync, realpathSync } from 'node:fs';
import { simpleGit, type SimpleGit } from 'simple-git';
import { GeneratorError } from '../errors.ts';

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
  const git = gitAt(folder);
  const usual = await headOfWorkTree(git, folder, ref);
  if (usual !== undefined) return { folder, head: usual };
  const top = await topFolder(git, folder);
  if (realpathSync(top) !== realpathSync(folder)) {
    throw new GeneratorError(
      'ERR_NOT_A_REPOSITORY',
      `Cannot read "${folder}": it is a folder inside the git repository "${top}"`,
      { hint: `give the top folder: --repo "${top}"` },
    );
  }
  if ((await git.revparse(['--is-shallow-repository'])).trim() === 'true') {
    throw new GeneratorError(
      'ERR_SHALLOW_CLONE',
      `Cannot read "${folder}": it is a shallow clone, and publications lie in the whole history`,
      { hint: 'run "git fetch --unshallow", or check out with "fetch-depth: 0"' },
    );
  }
  const head = await resolveName(git, `${ref}^{commit}`);
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
  try {
    const range = `${commit}..${repository.head}`;
    const lines = await gitAt(repository.folder).raw([
      'rev-list',
      '--first-parent',
      '--reverse',
      '--parents',
      range,
    ]);
    const [, firstParent] = (lines.split('\n', 1)[0] ?? '').split(' ');
    return firstParent === commit;
  } catch {
    return false;
  }
}

/** The newest commit of the main line whose time, ISO 8601 in UTC, `isTime` knows. */
export async function newestCommit(
  { folder, head }: Repository,
  isTime: (time: string) => boolean,
): Promise<string | undefined> {
  const lines = await gitAt(folder).raw(['rev-list', '--first-parent', '--timestamp', head]);
  const found = lines.split('\n').find((line) => {
    return line !== '' && isTime(new Date(Number(line.split(' ')[0]) * 1000).toISOString());
  });
  return found?.split(' ')[1];
}

/** How many commits of the main line touch one of `paths`, since `since` if given: for progress. */
export async function countCommits(
  repository: Repository,
  paths: readonly string[],
  since?: string,
): Promise<number> {
  const range = since === undefined ? repository.head : `${since}..${repository.head}`;
  const counted = await gitAt(repository.folder).raw([
    'rev-list',
    '--count',
    '--first-parent',
    range,
    '--',
    ...paths,
  ]);
  return Number.parseInt(counted, 10);
}

/** How much of the packs a process of git maps: of a large registry it would be all, hundreds of megabytes. */
export const MAPPED_PACKS: readonly string[] = [
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=128m',
].flatMap((setting) => ['-c', setting]);

/** Git in `folder`, for short answers. */
function gitAt(folder: string): SimpleGit {
  const allowEnvironment = ['GIT_NO_REPLACE_OBJECTS', 'GIT_OPTIONAL_LOCKS', 'PATH'];
  return simpleGit({ baseDir: folder, allowEnvironment }).env(gitEnvironment());
}

/**
 * The environment for git: what the caller exports about another repository (as hooks do) must not
 * redirect our reads, nor may a replacement object change what a commit holds.
 */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = [
    'PATH',
    'HOME',
    'XDG_CONFIG_HOME',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
    'USERPROFILE',
  ];
  const env: NodeJS.ProcessEnv = {
    LC_ALL: 'C',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}

/**
 * The commit of `ref` where `folder` is the top of the work tree of a whole clone: one process of git answers all of it.
 * `undefined` where anything is different; then single questions find out what.
 */
async function headOfWorkTree(
  git: SimpleGit,
  folder: string,
  ref: string,
): Promise<string | undefined> {
  if (ref.startsWith('-')) return undefined;
  const questions = ['--is-shallow-repository', '--show-toplevel', `${ref}^{commit}`];
  const answers = await git.raw(['rev-parse', ...questions]).catch(() => '');
  const [, top = '', head] = /^false\n(.+)\n([0-9a-f]{40,64})\n$/s.exec(answers) ?? [];
  return head !== undefined && existsSync(top) && realpathSync(top) === realpathSync(folder)
    ? head
    : undefined;
}

async function topFolder(git: SimpleGit, folder: string): Promise<string> {
  try {
    const isBare = (await git.revparse(['--is-bare-repository'])).trim() === 'true';
    return (await git.revparse([isBare ? '--absolute-git-dir' : '--show-toplevel'])).trim();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    if (/not a git repository/i.test(message)) {
      throw new GeneratorError(
        'ERR_NOT_A_REPOSITORY',
        `Cannot read "${folder}": it is not in a git repository`,
        { cause, hint: 'give the folder of a git repository with --repo' },
      );
    }
    throw new GeneratorError('ERR_GIT', `Cannot read "${folder}": git reports: ${message.trim()}`, {
      cause,
    });
  }
}

async function resolveName(git: SimpleGit, name: string): Promise<string | undefined> {
  // With --quiet git prints nothing for an unknown name and exits with 1.
  const oid = await git.revparse(['--verify', '--quiet', name]).catch(() => '');
  return oid.trim() === '' ? undefined : oid.trim();
}

/** The files below a folder that differ between an indexed commit and the head. */
interface ChangedFile {
  /** Path in the repository. */
  readonly path: string;
  /** Object id at the head; `undefined` when the file is gone or is no plain file. */
  readonly blob: string | undefined;
}

/** @param since an indexed commit; without it every file at the head counts as changed */
export async function changedFiles(
  repository: Repository,
  folder: string,
  since: string | undefined,
): Promise<ChangedFile[]> {
  const git = gitAt(repository.folder);
  if (since === undefined) {
    const listed = await git.raw([
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      repository.head,
      '--',
      folder,
    ]);
    return splitAtNul(listed).map((line) => {
      const [meta = '', path = ''] = line.split('\t', 2);
      const [mode = '', , blob = ''] = meta.split(' ');
      return { path, blob: isPlainFile(mode) ? blob : undefined };
    });
  }
  const options = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const tokens = splitAtNul(
    await git.raw(['diff-tree', ...options, since, repository.head, '--', folder]),
  );
  return tokens.flatMap((meta, at) => {
    if (at % 2 === 1) return [];
    const [, mode = '', , blob = ''] = meta.split(' ');
    return [{ path: tokens[at + 1] ?? '', blob: isPlainFile(mode) ? blob : undefined }];
  });
}

function splitAtNul(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

function isPlainFile(mode: string): boolean {
  return mode.startsWith('100');
}
