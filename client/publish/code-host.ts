/**
 * The code host's API (GitHub's REST API, version 2022-11-28): accounts, forks and pull requests. Redirects are not followed: the token is
 * for this address only.
 */
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { z } from 'zod';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import { readBody } from '../registry/http.ts';
import { oneLine } from '../terminal/printable.ts';
import type { Credentials } from './host-token.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 5_000_000;
const PACE = { graceMs: TIMEOUT_MS, minBytesPerSecond: 1024 };
const MAX_REASON_CHARACTERS = 300;

export const Account = z.object({ login: z.string(), id: z.int().positive() });
export type Account = z.infer<typeof Account>;

const HostRepository = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  clone_url: z.string(),
  fork: z.boolean().default(false),
  parent: z.object({ full_name: z.string() }).optional(),
  permissions: z.object({ push: z.boolean().default(false) }).optional(),
});
export type HostRepository = z.infer<typeof HostRepository>;

const Pull = z.object({ number: z.int(), html_url: z.string() });
type Pull = z.infer<typeof Pull>;

const Refusal = z.object({
  message: z.string().default(''),
  errors: z.array(z.looseObject({ message: z.string().optional() })).optional(),
});

interface PullRequest {
  readonly title: string;
  readonly body: string;
  /** `<owner>:<branch>`. */
  readonly head: string;
  readonly base: string;
}

interface Answer {
  readonly status: number;
  /** `undefined` for what is not JSON. */
  readonly value: unknown;
  /** The limit of requests is reached. */
  readonly isLimit: boolean;
}

export class CodeHost {
  readonly #credentials: Credentials;
  readonly #signal: AbortSignal;

  constructor(credentials: Credentials, signal: AbortSignal) {
    this.#credentials = credentials;
    this.#signal = signal;
  }

  /** The account of the token. */
  async user(): Promise<Account> {
    return parse(Account, await this.#ask('GET', '/user'));
  }

  /** The account of a login, `undefined` when there is none. */
  async account(login: string): Promise<Account | undefined> {
    const answer = await this.#ask('GET', `/users/${encodeURIComponent(login)}`, undefined, [404]);
    return answer.status === 404 ? undefined : parse(Account, answer);
  }

  /** `undefined` when there is no such repository, or the token may not read it. */
  async repository(owner: string, name: string): Promise<HostRepository | undefined> {
    const answer = await this.#ask('GET', repositoryPath(owner, name), undefined, [404]);
    return answer.status === 404 ? undefined : parse(HostRepository, answer);
  }

  /** Requests a fork in the account of the token; the host creates it asynchronously. */
  async fork(owner: string, name: string): Promise<HostRepository> {
    const answer = await this.#ask('POST', `${repositoryPath(owner, name)}/forks`, {});
    return parse(HostRepository, answer);
  }

  /** Opens the pull request, or updates title and text of the open one for the same branch. */
  async propose(
    owner: string,
    name: string,
    pull: PullRequest,
  ): Promise<{ readonly url: string; readonly isNew: boolean }> {
    const pulls = `${repositoryPath(owner, name)}/pulls`;
    const answer = await this.#ask('POST', pulls, { ...pull, maintainer_can_modify: true }, [422]);
    if (answer.status !== 422) return { url: linkOf(parse(Pull, answer)), isNew: true };
    const query = new URLSearchParams({ state: 'open', head: pull.head, base: pull.base });
    const open = parse(z.array(Pull), await this.#ask('GET', `${pulls}?${query.toString()}`));
    const [known] = open;
    if (known === undefined) throw refusal('POST', pulls, answer);
    const { title, body } = pull;
    const path = `${pulls}/${known.number}`;
    const changed = parse(Pull, await this.#ask('PATCH', path, { title, body }));
    return { url: linkOf(changed), isNew: false };
  }

  async #ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    accepted: readonly number[] = [],
  ): Promise<Answer> {
    const answer = await this.#request(method, path, body);
    const isGood = answer.status >= 200 && answer.status < 300;
    if (isGood || accepted.includes(answer.status)) return answer;
    throw refusal(method, path, answer);
  }

  async #request(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> {
    const { api, token } = this.#credentials;
    const url = new URL(`${api}${path}`);
    const options = {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
    };
    const dispatcher = isLoopback(url) ? new Agent(options) : new EnvHttpProxyAgent(options);
    const start = Date.now();
    try {
      const response = await request(url, {
        method,
        dispatcher,
        signal: this.#signal,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          'user-agent': 'stackyard',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { statusCode: status, headers } = response;
      const length = headers['content-length'];
      const bytes = await readBody(response.body, length, MAX_ANSWER_BYTES, { start, ...PACE });
      const isSpent = headers['x-ratelimit-remaining'] === '0' || 'retry-after' in headers;
      return { status, value: tryJson(bytes), isLimit: status === 403 && isSpent };
    } catch (cause) {
      this.#signal.throwIfAborted();
      const why = cause instanceof Error ? oneLine(cause.message || cause.name) : String(cause);
      throw new ClientError('ERR_NETWORK', `Cannot reach the code host at ${url.origin}: ${why}`, {
        cause,
        hint: 'check the network, then run the same command again',
      });
    } finally {
      await dispatcher.destroy();
    }
  }
}

function tryJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function repositoryPath(owner: string, name: string): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

function parse<Schema extends z.ZodType>(schema: Schema, { value }: Answer): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ClientError('ERR_CODE_HOST', 'The answer of the code host cannot be read', {
    hint: 'check GITHUB_API_URL: it is the address of an API like that of github.com',
  });
}

/** The address of a pull request as the host returns it; it is printed. */
function linkOf({ html_url: text }: Pull): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url.href;
  throw new ClientError('ERR_CODE_HOST', 'The code host gives no address of the pull request');
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'the token in GITHUB_TOKEN is not accepted: it may have expired; make a new one',
  403: 'the token in GITHUB_TOKEN may not do that: it needs "Contents" and "Pull requests" with write access',
  404: 'the token in GITHUB_TOKEN cannot see the repository, or there is none',
  429: 'the code host asks for a pause: try again later',
};

function refusal(method: string, path: string, { status, isLimit, value }: Answer): ClientError {
  const { message, errors = [] } = Refusal.safeParse(value).data ?? { message: '' };
  const texts = [message, ...errors.map((error) => error.message ?? '')].filter(Boolean);
  const reason = oneLine(texts.join('; ')).slice(0, MAX_REASON_CHARACTERS);
  const said = `The code host answers ${status} to ${method} ${path.split('?')[0]}`;
  return new ClientError('ERR_CODE_HOST', reason === '' ? said : `${said}: ${reason}`, {
    hint: HINTS[isLimit ? 429 : status] ?? 'try again; see the answer of the code host',
  });
}
