/** Makes the repository of a registry: files, `git init`, and the first commit. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GeneratorError } from '../errors.ts';
import { gitEnvironment } from '../git/run-git.ts';
import { registryFiles, type NewRegistry } from './registry-files.ts';

/**
 * @param folder absent or empty; with a root, the top of a repository
 * @returns the paths of the files
 * @throws {GeneratorError} `ERR_INIT_FOLDER` for a folder with files; nothing is written then
 */
export function initRegistry(folder: string, registry: NewRegistry): string[] {
  const top = resolve(folder);
  const isThere = existsSync(top);
  const { config } = registry;
  const files = registryFiles(registry);
  const isWithin = config.root !== undefined;
  const present = isWithin ? Object.keys(files) : isThere ? readdirSync(top) : [];
  const inTheWay = present.find((path) => existsSync(join(top, path)));
  if (inTheWay !== undefined || (isWithin && !existsSync(join(top, '.git')))) {
    const [problem, hint] = isWithin
      ? [
          inTheWay === undefined ? 'it is no git repository' : `it has "${inTheWay}"`,
          'with --root, give the top folder of a repository that has none of the files of a registry',
        ]
      : [
          'it holds files',
          'give a new or an empty folder; a clone or fork becomes a registry with "from" in registry.config.json, and a folder of a larger repository with --root',
        ];
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": ${problem}`,
      { hint },
    );
  }
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
    commit(top, Object.keys(files), config.admins[0]?.login ?? 'admin', isWithin);
  } catch (cause) {
    const own = isWithin ? Object.keys(files) : readdirSync(top);
    for (const name of own) rmSync(join(top, name), { recursive: true, force: true });
    if (!isThere) rmSync(top, { recursive: true });
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": ${reason}`,
      { cause },
    );
  }
  return Object.keys(files);
}

/** Commits these files alone, with the identity of the user, or where git knows none with that of the first admin. */
function commit(top: string, paths: readonly string[], login: string, isWithin: boolean): void {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: top,
      env: gitEnvironment(),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  if (!isWithin) git('init', '-q', '-b', 'main');
  git('add', '-f', '--', ...paths);
  const isKnown = tryGit(git, 'config', 'user.email') !== '';
  const identity = isKnown
    ? []
    : ['-c', `user.name=${login}`, '-c', `user.email=${login}@users.noreply.invalid`];
  git(...identity, 'commit', '-q', '-m', 'Begin the registry', '--', ...paths);
}

function tryGit(git: (...args: string[]) => string, ...args: string[]): string {
  try {
    return git(...args).trim();
  } catch {
    return '';
  }
}
