/**
 * The index of a registry that is a git repository, for teams without a server: a clone in the cache, and the index that
 * `stackyard-registry` generates from it. Access is that of git alone.
 *
 *     <cache>/git/<SHA-256 of the address>/repository.git  index/  .index.state.sqlite  made.json
 *
 * The repository may be hostile. Nothing is checked out, no hook, filter, submodule or other transport is used, and the generator reads
 * content only. History only grows: a rewritten branch is refused, as a log that does not continue.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devNull } from 'node:os';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { withProjectLock } from '../apply/project-lock.ts';
import { ClientError } from '../errors.ts';
import { programPath } from '../project/find-program.ts';
import { runProgram, type Ran } from '../project/start-program.ts';
import { oneLine } from '../terminal/printable.ts';
import { cacheFolder } from '../project/cache-folder.ts';
import { silentEnvironment } from './credentials.ts';
import { badAnswer, type GitAddress } from './source.ts';

/** What the index was made from, and by what. */
const MADE = 'made.json';
const GENERATOR = 'stackyard-registry';
const [FETCH_MS, GENERATE_MS] = [600_000, 1_800_000];
const MAX_CLONE_BYTES = 2_000_000_000;
const MAX_OUTPUT_BYTES = 5_000_000;
const MAX_PROBLEM_CHARACTERS = 400;
/** The log of the registry in its repository, which states what was published under earlier rules. It may begin again. */
const LOG_REFS = 'refs/heads/stackyard-log*';

export class GitIndex {
  readonly #base: string;
  readonly #git: GitAddress;
  readonly #isOffline: boolean;
  readonly #signal: AbortSignal;

  constructor(base: string, git: GitAddress, isOffline: boolean, signal: AbortSignal) {
    [this.#base, this.#git, this.#isOffline, this.#signal] = [base, git, isOffline, signal];
  }

  /**
   * Fetches what is new, and generates the index again where that is another commit.
   * @returns the folder of the index
   * @throws {ClientError} `ERR_NETWORK` where git cannot read it, `ERR_ROLLBACK` for a rewritten branch, `ERR_REGISTRY_ANSWER` for
   * a repository that is no registry, and without the program that generates
   */
  async prepare(): Promise<string> {
    const cache = cacheFolder(process.env);
    if (cache === undefined) throw this.#failed('there is no cache', 'set STACKYARD_CACHE');
    const folder = join(cache, 'git', sha256Hex(Buffer.from(this.#base)));
    const index = join(folder, 'index');
    const note = join(folder, MADE);
    if (this.#isOffline) {
      if (existsSync(note)) return index;
      const problem = `Cannot read ${this.#base} with --offline: it is not in the cache`;
      const hint = 'run the same command once without --offline';
      throw new ClientError('ERR_NETWORK', problem, { hint });
    }
    const generator = programPath(GENERATOR);
    if (generator === undefined) {
      throw this.#failed(
        `its index is generated on this machine, and there is no program "${GENERATOR}" on the PATH`,
        `install it as "A registry of your own" describes (npm install --global <path of ${GENERATOR}-<version>.tgz>), then run the same command again`,
      );
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const work = async (): Promise<void> => {
      const commit = await this.#fetch(folder);
      const { mtimeMs, size } = statSync(generator);
      // Another generator may write other documents.
      const made = JSON.stringify({ commit, generator, mtimeMs, size });
      if (existsSync(note) && readFileSync(note, 'utf8') === made) return;
      await this.#generate(folder, generator);
      writeFileSync(note, made);
    };
    await this.#alone(folder, work);
    return index;
  }

  /** One command at a time changes the folder; the others wait, and end where they are aborted. */
  async #alone(folder: string, work: () => Promise<void>): Promise<void> {
    const deadline = performance.now() + FETCH_MS + GENERATE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      try {
        await withProjectLock(folder, work);
        return;
      } catch (error) {
        const isBusy = error instanceof ClientError && error.code === 'ERR_BUSY';
        if (!isBusy || performance.now() > deadline) throw error;
      }
    }
  }

  async #fetch(folder: string): Promise<string> {
    const { url, branch } = this.#git;
    const repository = join(folder, 'repository.git');
    if (!existsSync(join(repository, 'HEAD'))) {
      await this.#run(folder, ['init', '-q', '--bare', '--template=', '-b', 'main', repository]);
    }
    const from = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const alone = ['--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const quiet = ['--no-progress', '--no-auto-maintenance'];
    const refs = [`${from}:refs/heads/main`, `+${LOG_REFS}:${LOG_REFS}`];
    const ran = await this.#runGit(repository, ['fetch', ...alone, ...quiet, '--', url, ...refs]);
    if (!('problem' in ran) && ran.status === 0) {
      return this.#run(repository, ['rev-parse', '--verify', 'refs/heads/main^{commit}']);
    }
    const problem = problemOf(ran);
    if (/non-fast-forward|\[rejected\]/.test('stderr' in ran ? ran.stderr : '')) {
      const rewritten = `The history of ${this.#base} does not continue what was read of it before`;
      throw new ClientError('ERR_ROLLBACK', rewritten, {
        hint: `a registry only grows: ask its operators; if they rewrote it on purpose, remove "${folder}"`,
      });
    }
    throw new ClientError('ERR_NETWORK', `Cannot read ${this.#base}: ${problem}`, {
      hint: `check that "git ls-remote ${url}" works without a question: a key in the agent of ssh, a known host, or a credential helper of git`,
    });
  }

  async #generate(folder: string, generator: string): Promise<void> {
    const [repository, index] = [join(folder, 'repository.git'), join(folder, 'index')];
    const args = ['--repo', repository, '--out', index, '--no-site', '--no-client', '--unsigned'];
    const ran = await runProgram(generator, ['generate', ...args, '--json'], {
      cwd: folder,
      env: { ...silentEnvironment(process.env), STACKYARD_LOG_KEY: undefined },
      timeoutMs: GENERATE_MS,
      maxBytes: MAX_OUTPUT_BYTES,
      errors: 'pipe',
      signal: this.#signal,
    });
    // Status 1 is also that of a registry with faults: what is sound was written.
    const isWritten = !('problem' in ran) && /"source_commit": "/.test(ran.stdout);
    if (isWritten && existsSync(join(index, 'registry.json'))) return;
    const problem = problemOf(ran);
    throw this.#failed(
      `"${GENERATOR} generate" did not make its index: ${problem}`,
      `check that it is the repository of a registry, with the same version of ${GENERATOR}; its output: ${GENERATOR} generate ${args.join(' ')}`,
    );
  }

  async #run(folder: string, args: readonly string[]): Promise<string> {
    const ran = await this.#runGit(folder, args);
    if (!('problem' in ran) && ran.status === 0) return ran.stdout.trim();
    const problem = problemOf(ran);
    throw new ClientError('ERR_GIT', `"git ${args[0]}" failed in "${folder}": ${problem}`, {
      hint: 'install git, and put it on the PATH',
    });
  }

  #runGit(folder: string, args: readonly string[]): Promise<Ran> {
    const scheme = new URL(this.#git.url).protocol.slice(0, -1);
    const settings = [
      `core.hooksPath=${devNull}`,
      `core.attributesFile=${devNull}`,
      'core.fsmonitor=false',
      'submodule.recurse=false',
      'gc.auto=0',
      'http.followRedirects=false',
      'protocol.allow=never',
      `protocol.${scheme}.allow=always`,
    ];
    return runProgram('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
      cwd: folder,
      env: { ...silentEnvironment(process.env), LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1' },
      timeoutMs: FETCH_MS,
      maxBytes: MAX_OUTPUT_BYTES,
      errors: 'pipe',
      signal: this.#signal,
      watch: () => (sizeOf(folder) > MAX_CLONE_BYTES ? 'it has over 2 GB' : undefined),
    });
  }

  #failed(problem: string, hint: string): ClientError {
    return badAnswer(this.#base, problem, hint);
  }
}

/** Bytes of the files below a folder, which may change meanwhile. */
function sizeOf(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    size += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}

/** Why a program failed: the most useful line of what it printed, its error, otherwise the last one. */
function problemOf(ran: Ran): string {
  if ('problem' in ran) return ran.problem;
  const lines = ran.stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((one) => /^(?:fatal|error):/.test(one)) ?? lines.at(-1) ?? 'no reason';
  return oneLine(line.replace(/^(?:fatal|error): /, '')).slice(0, MAX_PROBLEM_CHARACTERS);
}
