/**
 * Runs git in a folder that may be hostile: it brings its own `.git/config`, attributes and hooks. Nothing
 * that the folder configures is started: no fsmonitor, hook, filter, external diff, pager, credential
 * helper or transport. Reads only.
 */
import { devNull } from 'node:os';
import { captureProgram } from './start-program.ts';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 100_000_000;

/** Settings of the command line have priority over every file. Aliases cannot replace commands of git. */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
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
const FILTER_PROGRAMS = ['clean', 'smudge', 'process'];

/** The output of git in `folder`; `undefined` without a repository, without git, or for an error. */
export async function folderGit(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const filters = await filterSettings(folder, signal);
  return filters === undefined ? undefined : run(folder, [...SETTINGS, ...filters], args, signal);
}

/** Every filter that is configured, switched off: git runs the filters of changed files to compare them. */
async function filterSettings(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string[] | undefined> {
  // Ends with status 0 although no name matches, and fails for an unreadable configuration.
  const args = ['config', '--includes', '--null', '--name-only', '--list'];
  const names = (await run(folder, SETTINGS, args, signal))?.split('\0');
  const filters = names?.flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []);
  if (filters === undefined) return undefined;
  // "-c" takes no name with "=": such a filter cannot be switched off, so git does not run.
  if (filters.some((filter) => filter.includes('='))) return undefined;
  return [...new Set(filters)].flatMap((filter) => [
    ...FILTER_PROGRAMS.map((program) => `filter.${filter}.${program}=`),
    `filter.${filter}.required=false`,
  ]);
}

function run(
  folder: string,
  settings: readonly string[],
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const all = ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...args];
  return captureProgram('git', all, {
    cwd: folder,
    env: environment(),
    maxBytes: MAX_OUTPUT_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}

/** The variables of this process without those that direct git. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|SSH_ASKPASS)/i.test(name));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ASKPASS: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Without locks, git writes no index, and so runs no hook about it.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}
