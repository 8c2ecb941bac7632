/** Makes the repository of a registry: files, `git init`, and the first commit. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { GeneratorError } from '../errors.ts';
import { gitEnvironment } from '../git/repository.ts';
import { registryFiles } from './registry-files.ts';
import type { RegistryOptions } from './registry-options.ts';

/**
 * @param folder absent or empty
 * @returns the paths of the files
 * @throws {GeneratorError} `ERR_INIT_FOLDER` for a folder with files; nothing is written then
 */
export function initRegistry(folder: string, options: RegistryOptions): string[] {
  const root = resolve(folder);
  const isThere = existsSync(root);
  if (isThere && readdirSync(root).length > 0) {
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": it holds files`,
      {
        hint: 'give a new or an empty folder; a clone or fork becomes a registry with "from" in registry.config.json',
      },
    );
  }
  const files = registryFiles(options);
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    commitAll(root, options.config.admins[0]?.login ?? 'admin');
  } catch (cause) {
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    if (!isThere) rmSync(root, { recursive: true });
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new GeneratorError(
      'ERR_INIT_FOLDER',
      `Cannot make a registry in "${folder}": ${reason}`,
      { cause },
    );
  }
  return Object.keys(files);
}

/** Commits with the identity of the user, or where git knows none with that of the first admin. */
function commitAll(root: string, login: string): void {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      env: gitEnvironment(),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  const isKnown = tryGit(git, 'config', 'user.email') !== '';
  const identity = isKnown
    ? []
    : ['-c', `user.name=${login}`, '-c', `user.email=${login}@users.noreply.invalid`];
  git(...identity, 'commit', '-q', '-m', 'Begin the registry');
}

function tryGit(git: (...args: string[]) => string, ...args: string[]): string {
  try {
    return git(...args).trim();
  } catch {
    return '';
  }
}
