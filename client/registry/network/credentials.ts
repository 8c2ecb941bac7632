/**
 * Credentials for private registries. Headers of STACKYARD_HEADERS go with every request to their origin. Where a registry
 * answers 401, or 403 to a request without a credential, netrc and then git are asked; the first credential that it accepts is
 * used until the process ends. A credential is for one address, is in no message, and is written nowhere by us.
 */
import {
  isLoopback,
  HEADERS_VARIABLE,
  RegistryHeaders,
} from '../../../format/registry/registry-headers.ts';
import { fillCredential, tellGit, type GitAsking, type Login } from './git-credential.ts';
import { readNetrc } from './netrc.ts';

const TIMEOUT_MS = 15_000;
/** A source whose first credential is refused may have a newer one. */
const ASKED_PER_SOURCE = 2;

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

/** The sources in their order, after STACKYARD_HEADERS. */
const SOURCES = ['netrc', 'git credential'] as const;

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
   * @param timeoutMs for each call of git
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
    await this.#tell(true, state, state.credential.login, this.#askingFor(new URL(base)));
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
      [state.credential, state.isAccepted] = [undefined, false];
      state.refused.add(credential.value);
      state.notes.set(SOURCES[state.at]!, 'what it gave is not accepted');
      await this.#tell(false, state, credential.login, asking);
    }
    for (; state.at < SOURCES.length; [state.at, state.asked] = [state.at + 1, 0]) {
      const name = SOURCES[state.at]!;
      if (state.asked >= ASKED_PER_SOURCE) continue;
      state.asked += 1;
      const isGit = name === 'git credential';
      const login = isGit ? await fillCredential(asking) : readNetrc(url, asking.env);
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

  /** Tells git what came of its credential. */
  async #tell(
    isAccepted: boolean,
    { at }: AddressState,
    login: Login,
    asking: GitAsking,
  ): Promise<void> {
    if (SOURCES[at] === 'git credential') await tellGit(isAccepted, asking, login);
  }

  #askingFor(url: URL): GitAsking {
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
