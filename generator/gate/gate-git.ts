/**
 * Git as the gate runs it: on objects only, without the configuration of users or of the judged content, and with a
 * bound on every output. The objects of the head are hostile input.
 */
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { GeneratorError } from '../errors.ts';
import { gitEnvironment } from '../git/repository.ts';

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

export interface GitAnswer {
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
