/**
 * Git with the token of a workflow: fetches both sides of a pull request, and pushes what was decided. Nothing is
 * checked out. No other file of the generator pushes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { integrityOf } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { GATE_ADDRESS, formatMergeMessage } from '../../format/provenance/merge-message.ts';
import type { GateVerdict } from '../gate/gate-verdict.ts';
import { mergeSides } from '../gate/git.ts';
import { optional, required, type Environment } from './code-host.ts';

interface Sides {
  readonly base: string;
  readonly head: string;
}

interface CommittedFile {
  /** Never text of a user. */
  readonly path: string;
  readonly text: string;
}

/** Objects that git itself finds malformed are refused as they arrive, modes that it only warns of too. */
const SETTINGS = [
  'transfer.fsckObjects=true',
  'fetch.fsck.badFilemode=error',
  'fetch.fsck.zeroPaddedFilemode=error',
  `core.hooksPath=${devNull}`,
  'gc.auto=0',
].flatMap((setting) => ['-c', setting]);
/** Others push to the branch as well; each try reads its position again. */
const MAX_TRIES = 10;
/** Of one commit that the code host refuses while the branch stays where it is. */
const MAX_PUSHES = 3;
/** Whose the commits of the workflows are, as git's variables. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'stackyard-gate',
  GIT_AUTHOR_EMAIL: GATE_ADDRESS,
  GIT_COMMITTER_NAME: 'stackyard-gate',
  GIT_COMMITTER_EMAIL: GATE_ADDRESS,
};

/** The commit ids of both sides as the remote `origin` has them now. @param pullRef the ref of the pull request there */
export function fetchSides(env: Environment, folder: string, pullRef: string): Sides {
  const head = `+${pullRef}:refs/gate/head`;
  try {
    return { base: fetchBase(env, folder, head), head: idOf(env, folder, 'refs/gate/head') };
  } catch (cause) {
    const problem = 'the code host does not answer, or git refuses one of its objects (see above)';
    throw new Error(`Cannot fetch the pull request: ${problem}`, { cause });
  }
}

/**
 * Merges exactly what the gate judged: a commit of the judged tree on top of the judged base.
 * @returns the commit; `undefined` when the base branch or the pull request moved on, so that it must be judged again
 * @throws {PushError} when the code host does not take it
 * @throws {Error} when the merge is not what was judged
 */
export async function land(
  env: Environment,
  folder: string,
  verdict: GateVerdict,
  pullRef: string,
): Promise<string | undefined> {
  const { base, head } = fetchSides(env, folder, pullRef);
  if (base !== verdict.base || head !== verdict.head) return undefined;
  const merged = await mergeSides(folder, { base, head });
  if (!merged.ok || merged.tree !== verdict.tree) {
    throw new Error('Merging does not give the tree that the gate judged');
  }
  const message = mergeMessage(Number(required(env, 'PULL_NUMBER')), verdict);
  return pushCommit(env, folder, merged.tree, [base, head], message);
}

/**
 * Commits files on top of the base branch by plumbing. When it moved meanwhile, it tries again.
 * @param filesAt the files for a commit of the branch; none: nothing is committed
 * @returns what it committed, and on which commit
 */
export async function commitFiles(
  env: Environment,
  folder: string,
  message: string,
  filesAt: (base: string) => Promise<readonly CommittedFile[]> | readonly CommittedFile[],
): Promise<{ readonly base: string; readonly files: readonly CommittedFile[] }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const base = fetchBase(env, folder);
    const files = await filesAt(base);
    if (files.length === 0) return { base, files };
    const tree = writeTree(env, folder, base, files);
    const commit = await pushCommit(env, folder, tree, [base], message);
    if (commit !== undefined) return { base, files };
  }
  throw new Error(`The base branch moved ${MAX_TRIES} times while files were committed`);
}

/** Pushes a branch of the checkout with the token. */
export function pushOwn(env: Environment, folder: string, branch: string): void {
  runGit(env, folder, ['push', '-q', 'origin', `refs/heads/${branch}:refs/heads/${branch}`]);
}

/** Runs git with the token, which is never in an argument or a file. */
export function runGit(
  env: Environment,
  folder: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  stderr: 'inherit' | 'pipe' = 'inherit',
): string {
  return execFileSync('git', [...SETTINGS, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
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

/** The commit id of the base branch as the remote `origin` has it now. @param more refs to fetch with it */
export function fetchBase(env: Environment, folder: string, ...more: readonly string[]): string {
  const spec = `+refs/heads/${required(env, 'BASE_BRANCH')}:refs/gate/base`;
  const options = ['-q', '--no-tags', '--no-recurse-submodules'];
  runGit(env, folder, ['fetch', ...options, 'origin', spec, ...more]);
  return idOf(env, folder, 'refs/gate/base');
}

function idOf(env: Environment, folder: string, ref: string): string {
  return runGit(env, folder, ['rev-parse', '--verify', `${ref}^{commit}`]).trim();
}

/** The tree of `base` with other files. */
function writeTree(
  env: Environment,
  folder: string,
  base: string,
  files: readonly CommittedFile[],
): string {
  const scratch = mkdtempSync(join(tmpdir(), 'stackyard-workflow-'));
  try {
    const [blob, index] = [join(scratch, 'blob'), { GIT_INDEX_FILE: join(scratch, 'index') }];
    runGit(env, folder, ['read-tree', base], index);
    for (const { path, text } of files) {
      writeFileSync(blob, text);
      const oid = runGit(env, folder, ['hash-object', '-w', '--no-filters', blob]).trim();
      const entry = `100644,${oid},${path}`;
      runGit(env, folder, ['update-index', '--add', '--cacheinfo', entry], index);
    }
    return runGit(env, folder, ['write-tree'], index).trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The code host did not take a push, and the branch has not moved. */
export class PushError extends Error {
  /** What the code host stated, which may be of anybody. */
  readonly stated: string;

  constructor(stated: string, cause: unknown) {
    super(`The code host refuses the push, ${MAX_PUSHES} times: ${stated}`, { cause });
    this.stated = stated;
  }
}

/**
 * Makes a commit the newest one of the base branch. The push is a compare-and-swap: git accepts it only while the branch
 * is at the commit's first parent.
 * @returns the commit; `undefined` when the branch has moved
 */
async function pushCommit(
  env: Environment,
  folder: string,
  tree: string,
  parents: readonly [string, ...string[]],
  message: string,
): Promise<string | undefined> {
  const args = parents.flatMap((parent) => ['-p', parent]);
  const all = ['commit-tree', tree, ...args, '-m', message];
  const commit = runGit(env, folder, all, IDENTITY).trim();
  const branch = `refs/heads/${required(env, 'BASE_BRANCH')}`;
  const waitMs = Number(optional(env, 'CODE_HOST_WAIT_SECONDS') ?? '1') * 1000;
  for (let tries = 1; ; tries += 1) {
    try {
      pushToBase(env, folder, `${commit}:${branch}`);
      return commit;
    } catch (error) {
      // Where the branch is shows what happened: only the answer may have been lost.
      const now = fetchBase(env, folder);
      if (now === commit) return commit;
      if (now !== parents[0]) return undefined;
      if (tries >= MAX_PUSHES) throw new PushError(statedBy(error, env), error);
      await sleep(waitMs * 4 ** tries);
    }
  }
}

/** With the key that the rules of the code host let push, where there is one: it is a file only while git runs. */
function pushToBase(env: Environment, folder: string, spec: string): void {
  const key = optional(env, 'PUSH_KEY');
  if (key === undefined) {
    runGit(env, folder, ['push', '-q', 'origin', spec], {}, 'pipe');
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'stackyard-push-'));
  try {
    const [file, hosts] = [join(scratch, 'key'), join(scratch, 'hosts')];
    const { hostname } = new URL(required(env, 'GITHUB_SERVER_URL'));
    writeFileSync(file, `${key.trim()}\n`, { mode: 0o600 });
    writeFileSync(hosts, `${hostname} ${required(env, 'PUSH_HOST_KEY')}\n`);
    const options = ['IdentitiesOnly=yes', 'StrictHostKeyChecking=yes', 'BatchMode=yes'];
    const flags = [...options, `UserKnownHostsFile="${hosts}"`].map((option) => `-o '${option}'`);
    const GIT_SSH_COMMAND = `ssh -F ${devNull} -i '${file}' ${flags.join(' ')}`;
    const address = `ssh://git@${hostname}/${required(env, 'GITHUB_REPOSITORY')}.git`;
    runGit(env, folder, ['push', '-q', address, spec], { GIT_SSH_COMMAND }, 'pipe');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The last lines of git about an error, without the token. */
function statedBy(error: unknown, env: Environment): string {
  const { stderr = '' } = error as { stderr?: string };
  const lines = stderr.split('\n').filter((line) => /^(?:remote|error|fatal| !)/.test(line));
  const stated = lines.slice(-4).join(' ').replaceAll(/\s+/g, ' ').slice(0, 500);
  const token = optional(env, 'GITHUB_TOKEN');
  return token === undefined ? stated : stated.replaceAll(token, '***');
}

/** What was judged stays in the history, and in the provenance of what is published. */
function mergeMessage(pullRequest: number, judged: GateVerdict): string {
  const { verdict: result, builds } = judged;
  const published = builds.map(({ id, version }) => `${id}@${version}`);
  if (result === 'refuse') return formatMergeMessage({ pullRequest, published });
  const integrity = integrityOf(new TextEncoder().encode(canonicalJson(judged)));
  return formatMergeMessage({ pullRequest, published, verdict: { result, integrity } });
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
