/**
 * Runs git in a folder that may be hostile: it brings its own `.git/config`, attributes and hooks. Nothing
 * that the folder configures is started: no fsmonitor, hook, filter, external diff, pager, credential
 * helper or transport. Changes nothing there.
 */
import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { programPath } from './find-program.ts';
import { silentEnvironment } from '../registry/credentials.ts';
import { runProgram, type CaptureOptions, type Ran } from './start-program.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 110_000_000;

/** Settings of the command line have priority over every file. Aliases cannot replace commands of git. */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.pager=cat',
  'core.sshCommand=false',
  'core.askPass=',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
  'protocol.allow=never',
];

interface GitCall extends Pick<CaptureOptions, 'input' | 'encoding' | 'signal'> {
  /** Added to the variables that git always gets. */
  readonly env?: Readonly<Record<string, string>>;
}

export class FolderGit {
  readonly #folder: string;
  /** Filters that are configured, all switched off: git runs the filters of changed files to compare them. */
  readonly filters: ReadonlySet<string>;

  private constructor(folder: string, filters: ReadonlySet<string>) {
    [this.#folder, this.filters] = [folder, filters];
  }

  /** `undefined` without git, and where its configuration cannot be read. */
  static async open(folder: string, signal?: AbortSignal): Promise<FolderGit | undefined> {
    // Ends with status 0 although no name matches, and fails for an unreadable configuration.
    const args = ['config', '--includes', '--null', '--name-only', '--list'];
    const names = outputOf(await new FolderGit(folder, new Set()).run(args, { signal }))?.split(
      '\0',
    );
    const filters = names?.flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []);
    // "-c" takes no name with "=": such a filter cannot be switched off, so git does not run.
    if (filters === undefined || filters.some((name) => name.includes('='))) return undefined;
    return new FolderGit(folder, new Set(filters));
  }

  /** @throws what the signal is aborted with */
  run(args: readonly string[], { env, ...call }: GitCall = {}): Promise<Ran> {
    const off = [...this.filters].flatMap((filter) => [
      ...['clean', 'smudge', 'process'].map((program) => `filter.${filter}.${program}=`),
      `filter.${filter}.required=false`,
    ]);
    const settings = [...SETTINGS, ...off].flatMap((setting) => ['-c', setting]);
    return runProgram('git', ['--no-pager', ...settings, ...args], {
      ...call,
      cwd: this.#folder,
      env: { ...environment(), ...env },
      maxBytes: MAX_OUTPUT_BYTES,
      timeoutMs: TIMEOUT_MS,
      errors: 'pipe',
    });
  }
}

/** The output of git in `folder`; `undefined` without a repository, without git, or for an error. */
export async function folderGit(
  folder: string,
  args: readonly string[],
  call: GitCall = {},
): Promise<string | undefined> {
  const git = await FolderGit.open(folder, call.signal);
  return git === undefined ? undefined : outputOf(await git.run(args, call));
}

/** A blob, read at once; `undefined` for every failure. @param name as git writes it, such as `:2:./file` */
export function readGitBlob(folder: string, name: string): Buffer | undefined {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const program = programPath('git');
  if (program === undefined) return undefined;
  const ran = spawnSync(program, [...settings, 'cat-file', 'blob', name], {
    cwd: folder,
    env: environment(),
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return ran.status === 0 ? ran.stdout : undefined;
}

/** What a program that ended well has written; `undefined` for every failure. */
function outputOf(ran: Ran): string | undefined {
  return 'problem' in ran || ran.status !== 0 ? undefined : ran.stdout;
}

/** Without the variables that direct git to another place. Without locks, git writes no index, and so runs no hook about it. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...silentEnvironment(process.env),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
}
