/**
 * Credentials for private registries. Headers of STACKYARD_HEADERS go with every request to their origin. The other sources get a request
 * when a registry answers 401, or 403 to a request without a credential, in the order of `SOURCES`; the first one whose credential is
 * accepted is used until the process ends. Programs speak git's protocol of credential helpers (git-credential(1)):
 *
 *     protocol=https
 *     host=registry.example:8443
 *                                        -> username=alice
 *                                           password=...
 *
 * A credential is for one address, is in no message, and is written nowhere by us.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  isLoopback,
  HEADERS_VARIABLE,
  RegistryHeaders,
} from '../../../format/registry/registry-headers.ts';
import { isOnPath } from '../../project/safe-path.ts';

const HELPER_VARIABLE = 'STACKYARD_CREDENTIAL_HELPER';
const MAX_ANSWER_BYTES = 65_536;
const MAX_FILE_BYTES = 1_000_000;
const TIMEOUT_MS = 15_000;
/** A source whose first credential is refused may have a newer one. */
const ASKED_PER_SOURCE = 2;

/** What a source has for an address. */
interface Login {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A scheme and what follows it, instead of the two. */
  readonly authtype?: string | undefined;
  readonly credential?: string | undefined;
}

/** What a refusal states about the credential that it wants. */
export interface Challenge {
  /** `WWW-Authenticate`, one scheme in each. */
  readonly wanted: readonly string[];
  /** What `registry.json` states, where it can be read. */
  readonly scheme: 'basic' | 'bearer' | undefined;
}

interface Credential {
  readonly value: string;
  readonly login: Login;
}

interface Asking {
  readonly url: URL;
  readonly wanted: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

interface CredentialSource {
  readonly name: string;
  /** What it has, or why it has nothing. */
  readonly get: (asking: Asking) => Promise<Login | string> | Login | string;
  /** Learns whether a registry accepted what it gave. */
  readonly tell?: (isAccepted: boolean, login: Login, asking: Asking) => Promise<unknown>;
}

/** The sources in their order, after STACKYARD_HEADERS. */
const SOURCES: readonly CredentialSource[] = [
  {
    name: HELPER_VARIABLE,
    get: (asking) => {
      const words = helperWords(asking.env);
      return words.length === 0 ? 'not set' : askProgram(words, 'get', asking);
    },
    tell: (isAccepted, login, asking) =>
      askProgram(helperWords(asking.env), isAccepted ? 'store' : 'erase', asking, login),
  },
  { name: 'netrc', get: readNetrc },
  { name: 'npmrc', get: readNpmrc },
  {
    name: 'git credential',
    get: (asking) => askProgram(['git', 'credential'], 'fill', asking),
    tell: (isAccepted, login, asking) =>
      askProgram(['git', 'credential'], isAccepted ? 'approve' : 'reject', asking, login),
  },
  { name: 'gh', get: (asking) => askProgram(['gh', 'auth', 'git-credential'], 'get', asking) },
  { name: 'glab', get: (asking) => askProgram(['glab', 'auth', 'git-credential'], 'get', asking) },
];

/** What is known of the credential of one address. */
interface AddressState {
  credential: Credential | undefined;
  isAccepted: boolean;
  at: number;
  asked: number;
  readonly refused: Set<string>;
  readonly notes: Map<string, string>;
  asking: Promise<void> | undefined;
}

export class Credentials {
  // Private, so that printing or serialising an object that contains this shows no secret.
  readonly #headers: RegistryHeaders;
  readonly #env: NodeJS.ProcessEnv | undefined;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #states = new Map<string, AddressState>();

  /**
   * @param env of the user; without it no source has anything
   * @param timeoutMs for each program
   * @throws {StackyardError} `ERR_USAGE` for headers that cannot be read
   */
  constructor(env?: NodeJS.ProcessEnv, signal?: AbortSignal, timeoutMs: number = TIMEOUT_MS) {
    this.#headers = new RegistryHeaders(env?.[HEADERS_VARIABLE] ?? '');
    [this.#env, this.#signal, this.#timeoutMs] = [env, signal, timeoutMs];
  }

  /** The headers of STACKYARD_HEADERS for the address. */
  fixed(base: string): Readonly<Record<string, string>> {
    return this.#headers.of(new URL(base).origin);
  }

  /** The headers to send now to the address, and to no other. */
  of(base: string): Readonly<Record<string, string>> {
    const value = this.#states.get(base)?.credential?.value;
    return { ...(value === undefined ? {} : { authorization: value }), ...this.fixed(base) };
  }

  /**
   * After a refusal: finds another credential.
   * @param sent the header `authorization` of the refused request
   * @returns whether there is one that was not refused yet
   */
  async renew(base: string, sent: string | undefined, challenge: Challenge): Promise<boolean> {
    const url = new URL(base);
    const isSafe = url.protocol === 'https:' || isLoopback(url);
    if (this.#env === undefined || !isSafe) return false;
    if (this.fixed(base)['authorization'] !== undefined) return false;
    const state = this.#stateOf(base);
    // Another request has got one in the meantime.
    if (state.asking === undefined && state.credential?.value !== sent) {
      return state.credential !== undefined;
    }
    state.asking ??= this.#ask(state, url, challenge).finally(() => (state.asking = undefined));
    await state.asking;
    return state.credential !== undefined;
  }

  /** The registry accepted what was sent. */
  async accept(base: string): Promise<void> {
    const state = this.#states.get(base);
    if (state?.credential === undefined || state.isAccepted) return;
    state.isAccepted = true;
    await SOURCES[state.at]?.tell?.(true, state.credential.login, this.#askingFor(new URL(base)));
  }

  /** Which sources were asked, and what came of it; without anything secret. */
  asked(base: string): string {
    const { notes } = this.#stateOf(base);
    const isSet = Object.keys(this.fixed(base)).length > 0;
    const first = `${HEADERS_VARIABLE}: ${isSet ? 'not accepted' : 'nothing for it'}`;
    return [first, ...Array.from(notes, ([name, note]) => `${name}: ${note}`)].join('; ');
  }

  async #ask(state: AddressState, url: URL, challenge: Challenge): Promise<void> {
    const asking = { ...this.#askingFor(url), wanted: challenge.wanted };
    const { credential } = state;
    if (credential !== undefined) {
      const { name, tell } = SOURCES[state.at]!;
      [state.credential, state.isAccepted] = [undefined, false];
      state.refused.add(credential.value);
      state.notes.set(name, 'what it gave is not accepted');
      await tell?.(false, credential.login, asking);
    }
    for (; state.at < SOURCES.length; [state.at, state.asked] = [state.at + 1, 0]) {
      const { name, get } = SOURCES[state.at]!;
      if (state.asked >= ASKED_PER_SOURCE) continue;
      state.asked += 1;
      const login = await get(asking);
      const value = typeof login === 'string' ? undefined : authorization(login, challenge);
      if (value === undefined || state.refused.has(value)) {
        const problem = typeof login === 'string' ? login : 'it has nothing that can be sent';
        if (!state.notes.has(name)) state.notes.set(name, problem);
        continue;
      }
      state.credential = { value, login: login as Login };
      return;
    }
  }

  #askingFor(url: URL): Asking {
    const [env, timeoutMs, signal] = [this.#env ?? {}, this.#timeoutMs, this.#signal];
    return { url, wanted: [], env, timeoutMs, signal };
  }

  #stateOf(base: string): AddressState {
    let state = this.#states.get(base);
    if (state === undefined) {
      const empty = { credential: undefined, asking: undefined, isAccepted: false };
      state = { ...empty, at: 0, asked: 0, refused: new Set(), notes: new Map() };
      this.#states.set(base, state);
    }
    return state;
  }
}

const PRINTABLE = /^[\x20-\x7e]+$/;

/** The value of the header; `undefined` where there is none that can be sent. */
function authorization(login: Login, { wanted, scheme }: Challenge): string | undefined {
  const { username = '', password = '', authtype, credential } = login;
  if (authtype !== undefined && credential !== undefined) {
    const value = `${authtype} ${credential}`;
    return PRINTABLE.test(value) ? value : undefined;
  }
  if (password === '') return undefined;
  const offered = ['basic', 'bearer'].filter((name) => {
    return wanted.some(
      (one) =>
        one
          .slice(0, name.length + 1)
          .trim()
          .toLowerCase() === name,
    );
  });
  const only = offered.length === 1 ? offered[0] : undefined;
  const chosen = only ?? scheme ?? (username === '' ? 'bearer' : 'basic');
  if (chosen === 'bearer') return PRINTABLE.test(password) ? `Bearer ${password}` : undefined;
  if (username.includes(':')) return undefined;
  const pair = `${username === '' ? 'token' : username}:${password}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function helperWords(env: NodeJS.ProcessEnv): string[] {
  return (env[HELPER_VARIABLE] ?? '').split(/\s+/).filter((word) => word !== '');
}

/**
 * Asks a program, without a shell, a terminal or a prompt, in the home of the user: the configuration of git in a project could name a
 * program. @returns what it has, or why not; never what it printed
 */
async function askProgram(
  [program = '', ...args]: readonly string[],
  action: string,
  asking: Asking,
  login: Login = {},
): Promise<Login | string> {
  const { url, wanted, env } = asking;
  const isPath = /[\\/]/.test(program);
  if (!isPath && !isOnPath(program)) return 'not installed';
  const sent = { protocol: url.protocol.slice(0, -1), host: url.host, ...login };
  const lines = Object.entries(sent).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  const offers = wanted.slice(0, 5).map((one) => `wwwauth[]=${one.slice(0, 400)}`);
  const input = ['capability[]=authtype', ...lines, ...offers].join('\n');
  // Most registries are public.
  const { runProgram } = await import('../../project/start-program.ts');
  const ran = await runProgram(program, [...args, action], {
    cwd: homedir(),
    env: helperEnvironment(env, url.host),
    input: `${input}\n\n`,
    timeoutMs: asking.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    signal: asking.signal,
  });
  if ('problem' in ran) return ran.problem;
  if (ran.status !== 0) return 'nothing for it';
  const text = ran.stdout;
  const found = new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, key, value] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
  if (found.size === 0) return text.trim() === '' ? 'nothing for it' : 'its answer is not readable';
  // What is for another address must not be sent to this one.
  const [host, protocol] = [found.get('host') ?? url.host, found.get('protocol')];
  if (host !== url.host || (protocol ?? sent.protocol) !== sent.protocol) {
    return 'its answer is for another address';
  }
  const [username, password] = [found.get('username'), found.get('password')];
  const [authtype, credential] = [found.get('authtype'), found.get('credential')];
  return (password ?? credential) === undefined
    ? 'nothing for it'
    : { username, password, authtype, credential };
}

/** Tokens in variables that `gh` and `glab` would give for any host that is not their own. */
const HOSTS_OF_TOKENS: readonly (readonly [string, string, string])[] = [
  ['GH_TOKEN', 'GH_HOST', 'github.com'],
  ['GITHUB_TOKEN', 'GH_HOST', 'github.com'],
  ['GH_ENTERPRISE_TOKEN', 'GH_HOST', ''],
  ['GITHUB_ENTERPRISE_TOKEN', 'GH_HOST', ''],
  ['GITLAB_TOKEN', 'GITLAB_HOST', 'gitlab.com'],
  ['GITLAB_ACCESS_TOKEN', 'GITLAB_HOST', 'gitlab.com'],
  ['OAUTH_TOKEN', 'GITLAB_HOST', 'gitlab.com'],
];

function helperEnvironment(env: NodeJS.ProcessEnv, host: string): NodeJS.ProcessEnv {
  const foreign = HOSTS_OF_TOKENS.filter(([, variable, fallback]) => {
    const own = env[variable] ?? fallback;
    return own.replace(/^https?:\/\//, '').replace(/\/+$/, '') !== host;
  });
  return {
    ...silentEnvironment(env),
    ...Object.fromEntries(foreign.map(([name]) => [name, undefined])),
  };
}

/** The environment for programs that must not ask, and that the caller's own git must not direct. */
export function silentEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => {
    return !/^(?:GIT_(?!CONFIG|SSH)|SSH_ASKPASS)/.test(name) && name !== HEADERS_VARIABLE;
  });
  const silent = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GCM_INTERACTIVE: 'never' };
  return { ...Object.fromEntries(kept), ...silent };
}

/** A file with secrets of this user; others must not read it. */
function readSecretFile(file: string): string | { readonly problem: string } {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { problem: 'no file' };
  if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return { problem: 'it is not a small file' };
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  if (!isOwn || isOpen) return { problem: `others may read it (chmod 600)` };
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return { problem: 'it cannot be read' };
  }
}

/** `machine <host>[:<port>] login <user> password <password>`; an entry without a port is for the usual one of https. */
function readNetrc({ url, env }: Asking): Login | string {
  const name = process.platform === 'win32' ? '_netrc' : '.netrc';
  const text = readSecretFile(env['NETRC'] ?? join(homedir(), name));
  if (typeof text !== 'string') return text.problem;
  // A macro ends with an empty line.
  const words = text
    .replaceAll(/^macdef[^]*?(?:\n\s*\n|$(?![^]))/gm, '\n')
    .replaceAll(/^\s*#.*$/gm, '')
    .match(/"[^"\n]*"|\S+/g);
  let isHere = false;
  const found: Record<string, string> = {};
  for (let at = 0; at < (words?.length ?? 0); at += 1) {
    const [key, value = ''] = [words![at]!, words![at + 1]?.replace(/^"(.*)"$/, '$1')];
    // An entry for all hosts would send its password anywhere.
    if (key === 'default') isHere = false;
    else if (key === 'machine') isHere = value === url.host;
    else if (isHere) found[key] ??= value;
    if (key !== 'default') at += 1;
  }
  return found['password'] === undefined
    ? 'nothing for it'
    : { username: found['login'], password: found['password'] };
}

/** `//<host>/<path>/:_authToken=<token>` of the user's npm, which also fetches the client that a registry serves. */
function readNpmrc({ url, env }: Asking): Login | string {
  const file = env['npm_config_userconfig'] ?? env['NPM_CONFIG_USERCONFIG'];
  const text = readSecretFile(file ?? join(homedir(), '.npmrc'));
  const lines = typeof text === 'string' ? text.split(/\r?\n/) : [];
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, key = '', value = ''] = /^\s*(\/\/\S+?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    const plain = value.replace(/^"(.*)"$/, '$1');
    values.set(
      key,
      plain.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole),
    );
  }
  for (let path = `//${url.host}${url.pathname.replace(/\/*$/, '/')}`; path.length > 2;) {
    const [token, basic] = [values.get(`${path}:_authToken`), values.get(`${path}:_auth`)];
    if (token !== undefined) return { password: token };
    if (basic !== undefined) return { authtype: 'Basic', credential: basic };
    const [username, password] = [values.get(`${path}:username`), values.get(`${path}:_password`)];
    if (username !== undefined && password !== undefined) {
      return { username, password: Buffer.from(password, 'base64').toString() };
    }
    path = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
  }
  return typeof text === 'string' || text.problem === 'no file' ? 'nothing for it' : text.problem;
}
