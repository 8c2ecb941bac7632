/** The code host's API (GitHub's REST API, version 2022-11-28): accounts, forks and pull requests. */
import { z } from 'zod';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';
import { askJson, type JsonAnswer } from './ask-json.ts';
import type { Credentials } from './host-token.ts';

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
    return parse(
      HostRepository,
      await this.#ask('POST', `${repositoryPath(owner, name)}/forks`, {}),
    );
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
    return {
      url: linkOf(parse(Pull, await this.#ask('PATCH', path, { title, body }))),
      isNew: false,
    };
  }

  async #ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    accepted: readonly number[] = [],
  ): Promise<JsonAnswer> {
    const { api, token } = this.#credentials;
    const answer = await askJson('the code host', `${api}${path}`, {
      token,
      signal: this.#signal,
      ...(body && { body }),
      ...(method === 'PATCH' && { method }),
    });
    const isGood = answer.status >= 200 && answer.status < 300;
    if (isGood || accepted.includes(answer.status)) return answer;
    throw refusal(method, path, answer);
  }
}

function repositoryPath(owner: string, name: string): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

function parse<Schema extends z.ZodType>(schema: Schema, { value }: JsonAnswer): z.infer<Schema> {
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

function refusal(
  method: string,
  path: string,
  { status, waitSeconds, value }: JsonAnswer,
): ClientError {
  const { message, errors = [] } = Refusal.safeParse(value).data ?? { message: '' };
  const details = errors.flatMap((error) => error.message ?? []);
  const reason = oneLine([message, ...details].filter((text) => text !== '').join('; ')).slice(
    0,
    300,
  );
  const isLimit = status === 403 && waitSeconds !== undefined;
  return new ClientError(
    'ERR_CODE_HOST',
    `The code host answers ${status} to ${method} ${path.split('?')[0]}${reason === '' ? '' : `: ${reason}`}`,
    {
      hint: isLimit ? HINTS[429] : (HINTS[status] ?? 'try again; see the answer of the code host'),
    },
  );
}
