/** Runs git for short answers, with a bound on what it prints and on its time, and in an environment that no caller redirects. */
import { spawn } from 'node:child_process';
import { GeneratorError } from '../errors.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 16_000_000;
const MAX_STDERR_LENGTH = 2_000;

/** How much of the packs a process of git maps: of a large registry it would be all, hundreds of megabytes. */
export const MAPPED_PACKS: readonly string[] = [
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=128m',
].flatMap((setting) => ['-c', setting]);

/** Where git finds itself, and the configuration that the user gave it: folders of other owners are only readable with it. */
const KEPT = new RegExp(
  '^(?:PATH|HOME|XDG_CONFIG_HOME|SystemRoot|TEMP|TMP|TMPDIR|USERPROFILE|SUDO_UID|' +
    String.raw`GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$`,
);

/**
 * The environment for git: what the caller exports about another repository (as hooks do) must not
 * redirect our reads, nor may a replacement object change what a commit holds.
 */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}

interface GitAnswer {
  readonly status: number;
  readonly stdout: Buffer;
  /** The output was over the bound: git was stopped. */
  readonly isCut: boolean;
  /** Its first lines. */
  readonly stderr: string;
}

/**
 * Runs git and collects at most `MAX_OUTPUT_BYTES` of what it prints.
 * @throws {GeneratorError} `ERR_GIT` when git cannot be run or takes too long
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = gitEnvironment(),
): Promise<GitAnswer> {
  const child = spawn('git', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  let [bytes, stderr, isCut, isLate] = [0, '', false, false];
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, TIMEOUT_MS);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
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
    const problem = `git ${args.join(' ')} took more than ${TIMEOUT_MS / 1000} seconds`;
    throw new GeneratorError('ERR_GIT', `Cannot read "${folder}": ${problem}`);
  }
  return { status: status ?? 1, stdout: Buffer.concat(chunks), isCut, stderr: stderr.trim() };
}

/** What git prints, without space around it. @throws {GeneratorError} `ERR_GIT` when it fails or prints too much */
export async function gitText(
  folder: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  const { status, stdout, isCut, stderr } = await runGit(folder, args, env);
  if (status === 0 && !isCut) return stdout.toString('utf8').trim();
  const problem = isCut ? `it prints more than ${MAX_OUTPUT_BYTES} bytes` : stderr;
  throw new GeneratorError('ERR_GIT', `Cannot read "${folder}": git reports: ${problem}`);
}
