/**
 * Git as the gate runs it: on objects only, without the configuration of users or of the judged content, and with a
 * bound on every output. The objects of the head are hostile input.
 */
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { gitEnvironment } from '../git/repository.ts';
import { reason } from './reasons.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 16_000_000;
const MAX_STDERR_LENGTH = 2_000;

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

interface GitAnswer {
  readonly status: number;
  readonly stdout: Buffer;
  /** The output was over the bound: git was stopped. */
  readonly isCut: boolean;
  readonly stderr: string;
}

/**
 * Runs git and collects at most `maxBytes` of what it prints.
 * @throws {GeneratorError} `ERR_GIT` when git cannot be run or takes too long
 */
export async function gateGit(
  folder: string,
  args: readonly string[],
  maxBytes: number = MAX_OUTPUT_BYTES,
): Promise<GitAnswer> {
  const child = spawn('git', [...SETTINGS, ...args], {
    cwd: folder,
    env: gateEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let [bytes, stderr, isCut, isLate] = [0, '', false, false];
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, TIMEOUT_MS);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else {
      isCut = true;
      child.kill('SIGKILL');
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_LENGTH) stderr += chunk.toString();
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  })
    .catch((cause: unknown) => {
      throw new GeneratorError('ERR_GIT', `Cannot run git: ${String(cause)}`, { cause });
    })
    .finally(() => clearTimeout(timer));
  if (isLate) {
    const limit = `${TIMEOUT_MS / 1000} seconds`;
    throw new GeneratorError('ERR_GIT', `Cannot judge: git ${args[0]} took more than ${limit}`);
  }
  return { status: status ?? 1, stdout: Buffer.concat(chunks), isCut, stderr: stderr.trim() };
}

/** Like `gateGit`, for output that is required. @throws {GeneratorError} `ERR_GIT` */
export async function gateGitText(folder: string, args: readonly string[]): Promise<string> {
  const { status, stdout, isCut, stderr } = await gateGit(folder, args);
  if (status !== 0 || isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot judge: git ${args[0]} reports: ${stderr}`);
  }
  return stdout.toString('utf8').trim();
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

/**
 * Merges the two sides. Renames are not followed: a file moves only when the pull request moved it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function mergeSides(folder: string, { base, head }: Sides): Promise<Merged> {
  const baseTree = await gateGitText(folder, ['rev-parse', '--verify', `${base}^{tree}`]);
  const common = await gateGit(folder, ['merge-base', base, head]);
  if (common.status !== 0) return { ok: false, reasons: [reason('gate-unrelated', '')] };
  if (common.stdout.toString().trim() === base) {
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

/**
 * Returns what is wrong with the document as an error, so that the caller reports or ignores it.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readDocument<Schema extends Parameters<typeof parseDocument>[0]>(
  reader: ObjectReader,
  schema: Schema,
  oid: string,
  maxBytes = MAX_MANIFEST_BYTES,
): Promise<ReturnType<typeof parseDocument<Schema>> | Error> {
  const object = await reader.read(oid, { left: maxBytes });
  try {
    if (object?.bytes === undefined) return new Error(`it has over ${maxBytes} bytes`);
    return parseDocument(schema, object.bytes, 'the file');
  } catch (error) {
    if (error instanceof StackyardError) return error;
    throw error;
  }
}
