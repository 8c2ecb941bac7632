/**
 * Credentials for private registries. Headers of STACKYARD_HEADERS go with every request to their origin. Where a registry
 * answers 401, or 403 to a request without a credential, netrc and then git are asked; the first credential that it accepts is
 * used until the process ends. A credential is for one address, is in no message, and is written nowhere by us.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  HEADERS_VARIABLE,
  isLoopback,
  RegistryHeaders,
} from '../../format/registry/registry-headers.ts';
import { isOnPath } from '../project/find-program.ts';

const TIMEOUT_MS = 15_000;
/** A source whose first credential is refused may have a newer one. */
const ASKED_PER_SOURCE = 2;
const HEADER = 'authorization';

/** What a refusal states about the credential that it wants. */
interface Challenge {
  /** `WWW-Authenticate`, one scheme in each. */
  readonly wanted: readonly string[];
  /** What `registry.json` states, where it can be read. */
  readonly scheme: 'basic' | 'bearer' | undefined;
}

/** The sources in their order, after STACKYARD_HEADERS. */
const SOURCES = ['netrc', 'git credential'] as const;

export class Credentials {
  // Private, so that printing or serialising an object that contains this shows no secret.
  readonly #headers: RegistryHeaders;
  readonly #user: User | undefined;
  /** By address. */
  readonly #known = new Map<string, AddressCredentials>();

  /**
   * @param env of the user; without it no source has anything
   * @param timeoutMs for each call of git
   * @throws {StackyardError} `ERR_USAGE` for headers that cannot be read
   */
  constructor(env?: NodeJS.ProcessEnv, signal?: AbortSignal, timeoutMs: number = TIMEOUT_MS) {
    this.#headers = new RegistryHeaders(env?.[HEADERS_VARIABLE] ?? '');
    this.#user = env && { env, timeoutMs, signal };
  }

  of(base: string): AddressCredentials {
    const url = new URL(base);
    const known = this.#known.get(base);
    const own = known ?? new AddressCredentials(url, this.#headers.of(url.origin), this.#user);
    this.#known.set(base, own);
    return own;
  }
}

/** What is known of the credential of one address, which is sent to no other. */
export class AddressCredentials {
  readonly #url: URL;
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #user: User | undefined;
  #credential: { readonly value: string; readonly login: Login } | undefined;
  #isAccepted = false;
  #at = 0;
  #asked = 0;
  readonly #refused = new Set<string>();
  readonly #notes = new Map<string, string>();
  #asking: Promise<void> | undefined;

  constructor(url: URL, fixed: Readonly<Record<string, string>>, user: User | undefined) {
    [this.#url, this.#fixed, this.#user] = [url, fixed, user];
  }

  /** The headers of STACKYARD_HEADERS. */
  get fixed(): Readonly<Record<string, string>> {
    return this.#fixed;
  }

  /** The headers to send now. */
  get headers(): Readonly<Record<string, string>> {
    const value = this.#credential?.value;
    return { ...(value === undefined ? {} : { [HEADER]: value }), ...this.#fixed };
  }

  /**
   * After a refusal: finds another credential.
   * @param sent the header `authorization` of the refused request
   * @returns whether there is one that was not refused yet
   */
  async renew(sent: string | undefined, challenge: Challenge): Promise<boolean> {
    const isSafe = this.#url.protocol === 'https:' || isLoopback(this.#url);
    if (this.#user === undefined || !isSafe || this.#fixed[HEADER] !== undefined) return false;
    // Another request may have got one in the meantime.
    if (this.#asking !== undefined || this.#credential?.value === sent) {
      const user = this.#user;
      this.#asking ??= this.#ask(user, challenge).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#credential !== undefined;
  }

  /** The registry accepted what was sent. */
  async accept(): Promise<void> {
    if (this.#credential === undefined || this.#isAccepted) return;
    this.#isAccepted = true;
    await this.#tell('approve', this.#credential.login);
  }

  /** Which sources were asked, and what came of it; without anything secret. */
  get asked(): string {
    const isSet = Object.keys(this.#fixed).length > 0;
    const first = `${HEADERS_VARIABLE}: ${isSet ? 'not accepted' : 'nothing for it'}`;
    return [first, ...Array.from(this.#notes, ([name, note]) => `${name}: ${note}`)].join('; ');
  }

  async #ask(user: User, challenge: Challenge): Promise<void> {
    const refused = this.#credential;
    if (refused !== undefined) {
      [this.#credential, this.#isAccepted] = [undefined, false];
      this.#refused.add(refused.value);
      this.#notes.set(SOURCES[this.#at]!, 'what it gave is not accepted');
      await this.#tell('reject', refused.login);
    }
    for (; this.#at < SOURCES.length; [this.#at, this.#asked] = [this.#at + 1, 0]) {
      const name = SOURCES[this.#at]!;
      if (this.#asked >= ASKED_PER_SOURCE) continue;
      this.#asked += 1;
      const login =
        name === 'git credential'
          ? await fillCredential(this.#url, user, challenge.wanted)
          : readNetrc(this.#url, user.env);
      const value = typeof login === 'string' ? undefined : authorization(login, challenge);
      if (typeof login !== 'string' && value !== undefined && !this.#refused.has(value)) {
        this.#credential = { value, login };
        return;
      }
      const problem = typeof login === 'string' ? login : 'it has nothing that can be sent';
      if (!this.#notes.has(name)) this.#notes.set(name, problem);
    }
  }

  /** Tells git what came of its credential. */
  async #tell(action: 'approve' | 'reject', login: Login): Promise<void> {
    if (SOURCES[this.#at] !== 'git credential' || this.#user === undefined) return;
    await ask(action, this.#url, this.#user, login);
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

const MAX_BYTES = 1_000_000;

/**
 * Reads `NETRC`, otherwise the file of the home. An entry without a port is for the usual one of https:
 *
 *     machine registry.example:8443 login alice password 0123
 *
 * @returns the login, or why there is none
 */
function readNetrc(url: URL, env: NodeJS.ProcessEnv): Login | string {
  const name = process.platform === 'win32' ? '_netrc' : '.netrc';
  const file = env['NETRC'] ?? join(homedir(), name);
  const problem = problemOf(file);
  if (problem !== undefined) return problem;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 'it cannot be read';
  }
  const found = entryOf(url.host, text);
  if (found['password'] === undefined) return 'nothing for it';
  return { username: found['login'], password: found['password'] };
}

/** The file has secrets of this user: others must not read it. */
function problemOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'no file';
  if (!stats.isFile() || stats.size > MAX_BYTES) return 'it is not a small file';
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  const isOpen = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  return !isOwn || isOpen ? 'others may read it (chmod 600)' : undefined;
}

function entryOf(host: string, text: string): Readonly<Record<string, string>> {
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
    else if (key === 'machine') isHere = value === host;
    else if (isHere) found[key] ??= value;
    if (key !== 'default') at += 1;
  }
  return found;
}

const MAX_ANSWER_BYTES = 65_536;

/** What a source has for an address. */
interface Login {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A scheme and what follows it, instead of the two. */
  readonly authtype?: string | undefined;
  readonly credential?: string | undefined;
}

/** Who asks git, and how long. */
interface User {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The credential that git has, or why it has none; never what it printed. */
async function fillCredential(
  url: URL,
  user: User,
  wanted: readonly string[],
): Promise<Login | string> {
  const answer = await ask('fill', url, user, {}, wanted);
  if ('problem' in answer) return answer.problem;
  const found = new Map(
    answer.text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, key, value] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
  // What is for another address must not be sent to this one.
  const [host, protocol] = [found.get('host') ?? url.host, found.get('protocol')];
  const own = url.protocol.slice(0, -1);
  if (host !== url.host || (protocol ?? own) !== own) return 'its answer is for another address';
  const [username, password] = [found.get('username'), found.get('password')];
  const [authtype, credential] = [found.get('authtype'), found.get('credential')];
  return (password ?? credential) === undefined
    ? 'nothing for it'
    : { username, password, authtype, credential };
}

/**
 * Asks `git credential`, which asks the helpers of the user (git-credential(1)), without a terminal or a prompt. In the home of the
 * user: the configuration of git in a project could name a program.
 *
 *     protocol=https
 *     host=registry.example:8443
 *                                        -> username=alice
 *                                           password=...
 *
 * @param wanted the schemes that the registry offers, as `WWW-Authenticate` has them
 */
async function ask(
  action: 'fill' | 'approve' | 'reject',
  url: URL,
  { env, timeoutMs, signal }: User,
  login: Login,
  wanted: readonly string[] = [],
): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (!isOnPath('git')) return { problem: 'not installed' };
  const sent = { protocol: url.protocol.slice(0, -1), host: url.host, ...login };
  const lines = Object.entries(sent).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  const offers = wanted.slice(0, 5).map((one) => `wwwauth[]=${one.slice(0, 400)}`);
  const input = ['capability[]=authtype', ...lines, ...offers].join('\n');
  // Most registries are public.
  const { runProgram } = await import('../project/start-program.ts');
  const ran = await runProgram('git', ['credential', action], {
    cwd: homedir(),
    env: silentEnvironment(env),
    input: `${input}\n\n`,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
  if ('problem' in ran) return ran;
  return ran.status === 0 ? { text: ran.stdout } : { problem: 'nothing for it' };
}

/** The environment for programs that must not ask, and that the caller's own git must not direct. */
export function silentEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => {
    return !/^(?:GIT_(?!CONFIG|SSH)|SSH_ASKPASS)/.test(name) && name !== HEADERS_VARIABLE;
  });
  const silent = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GCM_INTERACTIVE: 'never' };
  return { ...Object.fromEntries(kept), ...silent };
}
