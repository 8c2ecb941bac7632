/** Whether git can answer many reads at once: `cat-file --batch-command` came with git 2.36. */
import { execFileSync } from 'node:child_process';
import { gitEnvironment } from './repository.ts';

const [MAJOR, MINOR] = [2, 36];

let known: boolean | undefined;

/**
 * Without it, git writes each object to the pipe by itself, which takes more time than to find the object. Asks git once in
 * a process; a git that cannot be asked is treated as an old one.
 */
export function hasBufferedReads(): boolean {
  return (known ??= isNewEnough(versionOfGit()));
}

/** @param version as `git version` prints it */
export function isNewEnough(version: string): boolean {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > MAJOR || (Number(major) === MAJOR && Number(minor) >= MINOR);
}

function versionOfGit(): string {
  try {
    return execFileSync('git', ['version'], { encoding: 'utf8', env: gitEnvironment() });
  } catch {
    return '';
  }
}
