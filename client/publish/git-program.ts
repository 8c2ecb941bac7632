/**
 * Runs git without a shell, without prompts and, but for an identity, without the caller's `GIT_*` variables. A token is
 * passed in the environment, for one origin: it is in no argument, no address and no configuration file.
 */
import { simpleGit } from 'simple-git';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';

/** Time limit without output of git. */
const SILENCE_MS = 120_000;
const MAX_OUTPUT_CHARACTERS = 400;

const KEPT = `PATH HOME XDG_CONFIG_HOME SSH_AUTH_SOCK SystemRoot TEMP TMP TMPDIR USERPROFILE APPDATA
  HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
  GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE`.split(/\s+/);

export interface GitAccess {
  /** Such as `https://host`: the token is for this origin alone. */
  readonly origin: string;
  readonly token: string;
}

interface GitCall {
  readonly input?: string;
  /** Added to the variables that git always gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Git in one folder. */
export class GitProgram {
  readonly folder: string;
  readonly #access: GitAccess | undefined;
  readonly #signal: AbortSignal;

  constructor(folder: string, access: GitAccess | undefined, signal: AbortSignal) {
    this.folder = folder;
    this.#access = access;
    this.#signal = signal;
  }

  /**
   * The output of git.
   * @throws {ClientError} `ERR_GIT`, `ERR_NETWORK`
   */
  async run(args: readonly string[], { input, env = {} }: GitCall = {}): Promise<string> {
    const all = { ...this.#environment(), ...env };
    try {
      const git = simpleGit({
        baseDir: this.folder,
        abort: this.#signal,
        timeout: { block: SILENCE_MS },
        allowEnvironment: Object.keys(all),
        // This configuration is set in `#environment` only.
        unsafe: { allowUnsafeConfigEnvCount: true },
        ...(input === undefined ? {} : { input: () => input }),
      });
      return await git.env(all).raw([...args]);
    } catch (cause) {
      this.#signal.throwIfAborted();
      throw gitError(args[0] ?? '', this.#withoutToken(cause));
    }
  }

  /** Like `run`, but returns `undefined` for an error. */
  async try(args: readonly string[], call: GitCall = {}): Promise<string | undefined> {
    try {
      return await this.run(args, call);
    } catch (error) {
      if (error instanceof ClientError) return undefined;
      throw error;
    }
  }

  #environment(): Record<string, string> {
    const env: Record<string, string> = {
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    };
    for (const name of KEPT) {
      const value = process.env[name];
      if (value !== undefined) env[name] = value;
    }
    if (this.#access === undefined) return env;
    const secret = Buffer.from(`x-access-token:${this.#access.token}`).toString('base64');
    return {
      ...env,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: `http.${this.#access.origin}/.extraheader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${secret}`,
      // With redirects, git would send the header to other hosts.
      GIT_CONFIG_KEY_1: 'http.followRedirects',
      GIT_CONFIG_VALUE_1: 'false',
    };
  }

  #withoutToken(cause: unknown): string {
    const output = cause instanceof Error ? cause.message : String(cause);
    const token = this.#access?.token;
    return token === undefined ? output : output.replaceAll(token, '***');
  }
}

const HINTS: readonly (readonly [RegExp, 'ERR_GIT' | 'ERR_NETWORK', string])[] = [
  [/ENOENT|spawn git/i, 'ERR_GIT', 'install git, and put it on the PATH'],
  [
    /resolve host|unable to access.*(?:connect|refused|timed out|timeout|reset)|Connection (?:refused|timed out|reset)|Could not connect|Failed to connect|block timeout/i,
    'ERR_NETWORK',
    'check the address and the network, then run the same command again',
  ],
  [
    /could not read (?:Username|Password)|Authentication failed|Permission denied|returned error: 40[13]|terminal prompts disabled/i,
    'ERR_GIT',
    'set GITHUB_TOKEN to a token that may write there or to a fork of yours, or set up git credentials',
  ],
  [
    /pre-receive|hook declined|protected branch|\[remote rejected\]/i,
    'ERR_GIT',
    'the repository refuses the branch: set GITHUB_TOKEN, with which a fork of yours is used, or ask its admins',
  ],
  [
    /non-fast-forward|\(fetch first\)|\[rejected\]|stale info/i,
    'ERR_GIT',
    'the branch has changed in the meantime: run the same command again',
  ],
  [
    /not (?:appear to be )?a git repository|not found|does not exist|no such/i,
    'ERR_GIT',
    'check the address of the repository (STACKYARD_REPOSITORY)',
  ],
];

function gitError(command: string, output: string): ClientError {
  const [, code, hint] = HINTS.find(([pattern]) => pattern.test(output)) ?? [];
  // The rest of a program that cannot be started is a trace.
  const said = output.includes('spawn git ENOENT') ? 'there is no program "git"' : output;
  const text = oneLine(said).slice(0, MAX_OUTPUT_CHARACTERS);
  return new ClientError(code ?? 'ERR_GIT', `"git ${command}" failed: ${text}`, {
    hint: hint ?? 'nothing was published; see the output of git',
  });
}
