/** Fetches the objects of both sides of a pull request into the repository; nothing is checked out. */
import { execFileSync } from 'node:child_process';
import { devNull } from 'node:os';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';

export interface FetchedSides {
  readonly base: string;
  readonly head: string;
}

/** Objects that git itself finds malformed are refused as they arrive, modes that it only warns of too. */
const SETTINGS = [
  'transfer.fsckObjects=true',
  'fetch.fsck.badFilemode=error',
  'fetch.fsck.zeroPaddedFilemode=error',
  `core.hooksPath=${devNull}`,
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);

/** The commit ids of both sides as the remote `origin` has them now. */
export function fetchSides(env: Environment, folder: string): FetchedSides {
  const branch = required(env, 'BASE_BRANCH');
  const number = required(env, 'PULL_NUMBER');
  const [base, head] = ['refs/gate/base', 'refs/gate/head'];
  const specs = [`+refs/heads/${branch}:${base}`, `+refs/pull/${number}/head:${head}`];
  const args = ['fetch', '-q', '--no-tags', '--no-recurse-submodules', 'origin', ...specs];
  try {
    runGit(env, folder, args);
  } catch (cause) {
    const problem = 'the code host does not answer, or git refuses one of its objects (see above)';
    throw new Error(`Cannot fetch the pull request: ${problem}`, { cause });
  }
  const idOf = (ref: string): string =>
    runGit(env, folder, ['rev-parse', '--verify', `${ref}^{commit}`]).trim();
  return { base: idOf(base), head: idOf(head) };
}

/** The commit id of the base branch as the remote `origin` has it now. */
export function fetchBase(env: Environment, folder: string): string {
  const spec = `+refs/heads/${required(env, 'BASE_BRANCH')}:refs/gate/base`;
  runGit(env, folder, ['fetch', '-q', '--no-tags', '--no-recurse-submodules', 'origin', spec]);
  return runGit(env, folder, ['rev-parse', '--verify', 'refs/gate/base^{commit}']).trim();
}

/** Runs git with the token, which is never in an argument or a file. */
export function runGit(
  env: Environment,
  folder: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  return execFileSync('git', [...SETTINGS, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: env['PATH'],
      HOME: env['HOME'],
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      ...authorization(env),
      ...more,
    },
  });
}

function authorization(env: Environment): Record<string, string> {
  const [token, server] = [optional(env, 'GITHUB_TOKEN'), optional(env, 'GITHUB_SERVER_URL')];
  if (token === undefined || server === undefined) return {};
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${server}/.extraheader`,
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${basic}`,
  };
}
