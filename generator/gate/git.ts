/**
 * Git as the gate runs it: on objects only, and without the configuration of users or of the judged content. The objects of the head are
 * hostile input: git gets none that `changes.ts` has not read.
 */
import { devNull } from 'node:os';
import type { Reason } from './gate-verdict.ts';
import { GeneratorError } from '../errors.ts';
import { gitEnvironment, gitText, runGit } from '../git/run-git.ts';
import { reason } from './reasons.ts';

/** No hooks, filters, renames to guess, external programs or attributes. */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
  'merge.renames=false',
  'merge.directoryRenames=false',
  'diff.renames=false',
  'core.bigFileThreshold=2m',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

/** @throws {GeneratorError} `ERR_GIT` when git cannot be run or takes too long */
export function gateGit(folder: string, args: readonly string[]): ReturnType<typeof runGit> {
  return runGit(folder, [...SETTINGS, ...args], gateEnvironment());
}

/** Like `gateGit`, for output that is required. @throws {GeneratorError} `ERR_GIT` */
export function gateGitText(folder: string, args: readonly string[]): Promise<string> {
  return gitText(folder, [...SETTINGS, ...args], gateEnvironment());
}

function gateEnvironment(): NodeJS.ProcessEnv {
  return {
    ...gitEnvironment(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/**
 * @param tree id of a tree or commit
 * @param path hostile: taken literally
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function entryAt(
  folder: string,
  tree: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, '--', path];
  const [mode, , oid] = (await gateGitText(folder, args)).split(/[ \t]/, 3);
  return mode === undefined || oid === undefined ? undefined : { mode, oid };
}

const MAX_NAMED_CONFLICTS = 20;

interface Sides {
  /** Commit ids. */
  readonly base: string;
  readonly head: string;
}

type Merged =
  | { readonly ok: true; readonly tree: string; readonly baseTree: string }
  | { readonly ok: false; readonly reasons: readonly Reason[] };

/** The commit that both sides come from; `undefined` where there is none. @throws {GeneratorError} `ERR_GIT` */
export async function commonCommit(
  folder: string,
  { base, head }: Sides,
): Promise<string | undefined> {
  const { status, stdout } = await gateGit(folder, ['merge-base', base, head]);
  return status === 0 ? stdout.toString('latin1').trim() : undefined;
}

/**
 * Merges the two sides. Renames are not followed: a file moves only when the pull request moved it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function mergeSides(folder: string, { base, head }: Sides): Promise<Merged> {
  const baseTree = await gateGitText(folder, ['rev-parse', '--verify', `${base}^{tree}`]);
  const common = await commonCommit(folder, { base, head });
  if (common === undefined) return { ok: false, reasons: [reason('gate-unrelated', '')] };
  if (common === base) {
    // The base branch did not move since the branch started: the result is the head's own tree.
    const tree = await gateGitText(folder, ['rev-parse', '--verify', `${head}^{tree}`]);
    return { ok: true, tree, baseTree };
  }
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, head];
  const { status, stdout, stderr, isCut } = await gateGit(folder, args);
  const [tree = '', ...conflicts] = stdout.toString('utf8').split('\0').filter(Boolean);
  if (status === 0) return { ok: true, tree: tree.trim(), baseTree };
  if (status !== 1 && !isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot merge: git reports: ${stderr}`);
  }
  const count = conflicts.length;
  const reasons = conflicts
    .slice(0, MAX_NAMED_CONFLICTS)
    .map((file) => reason('gate-conflict', file, { count }));
  return {
    ok: false,
    reasons: reasons.length > 0 ? reasons : [reason('gate-conflict', '', { count })],
  };
}
