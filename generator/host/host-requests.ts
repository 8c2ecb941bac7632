/** What the jobs need of a code host, and the requests that all of them share: waits, pages, errors. Responses are validated before use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Person } from '../../format/registry/account.ts';

/** Issues and pull requests have one row of numbers at some hosts, and two at others. */
export interface Thread {
  readonly kind: 'pull' | 'issue';
  readonly number: number;
}

export interface PullRequest {
  readonly number: number;
  readonly isOpen: boolean;
  readonly isDraft: boolean;
  readonly author: Person;
  /** The commit that it proposes. */
  readonly head: string;
  /** The branch that it goes into. */
  readonly base: string;
  readonly labels: readonly string[];
}

export interface Issue {
  readonly isOpen: boolean;
  /** Ids of accounts; `undefined` for one that is gone. */
  readonly author: number | undefined;
  readonly closedBy: number | undefined;
  readonly labels: readonly string[];
}

/** An issue with its present text, which is hostile, from the event that started the run. */
export interface IssueEvent {
  readonly number: number;
  readonly isOpen: boolean;
  readonly isPull: boolean;
  readonly isEdit: boolean;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly author: number | undefined;
  readonly sender: number;
  /** When it got this text, in UTC. */
  readonly at: string;
}

export interface StatusText {
  readonly state: 'success' | 'pending' | 'failure';
  /** At most 140 characters, the limit of code hosts. */
  readonly description: string;
}

/** A status that was set. */
export interface Status extends StatusText {
  readonly context: string;
  /** Milliseconds since 1970, by the code host's clock. */
  readonly time: number;
}

export interface Label {
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly description: string;
}

/** One repository at a code host, with one token. Every method throws `HostError`. */
export interface CodeHost {
  /** How many requests it sent. */
  readonly calls: number;
  pull(number: number): Promise<PullRequest>;
  /** The ref of the repository that has the commits of a pull request. */
  pullRef(number: number): string;
  /** Pull requests with a label, the oldest first. */
  pullsWith(
    label: string,
    state: 'open' | 'all',
  ): Promise<{ readonly number: number; readonly labels: readonly string[] }[]>;
  /** The open pull requests whose head is at a commit. */
  pullsOf(sha: string): Promise<number[]>;
  /** Reports to the host which commit of the base branch merged a pull request, where it does not see that itself. */
  landed(number: number, commit: string): Promise<void>;
  issue(thread: Thread): Promise<Issue>;
  close(thread: Thread): Promise<void>;
  /** Writes the comment that begins with `marker`, and replaces that of an earlier run. */
  comment(thread: Thread, marker: string, text: string): Promise<void>;
  /**
   * Sets `wanted`, and with a `prefix` removes the others that begin with it. A label that the repository does not have is created.
   * @param present what the thread has; without it, the host is called for that
   */
  label(
    thread: Thread,
    wanted: readonly string[],
    prefix?: string,
    present?: readonly string[],
  ): Promise<void>;
  /** Creates those that the repository does not have. @returns their names */
  createLabels(labels: readonly Label[]): Promise<string[]>;
  /** The newest status of a commit in each context. */
  statuses(sha: string): Promise<Status[]>;
  setStatus(sha: string, context: string, status: StatusText): Promise<void>;
  /** Starts a workflow on `branch`: pushes with the token of a workflow do not start one. @param workflow such as "publish" */
  dispatch(
    workflow: string,
    branch: string,
    inputs?: Readonly<Record<string, string>>,
  ): Promise<void>;
  newestCommit(branch: string): Promise<{ readonly sha: string; readonly time: number }>;
  /** Opens an issue, unless one with that label is open. */
  alarm(label: string, title: string, body: string): Promise<void>;
  /** @param bytes of the event that started the run */
  issueEvent(bytes: Uint8Array): IssueEvent;
}

export class HostError extends Error {
  /** `undefined` where the host did not answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

const TIMEOUT_MS = 30_000;
const MAX_TRIES = 5;
/** A host that asks for more is answered by the next run. */
const MAX_WAIT_SECONDS = 120;
const MAX_PAGES = 100;
const PAGE = 100;
const MAX_QUOTED = 200;

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'the token is wrong or has expired: replace the secret that the workflow gives as the token',
  403: 'the token may not do that: give it the permission that the workflow states, or a rule of the repository forbids it',
  404: 'there is no such thing, or the token may not see it',
};

interface Settings {
  /** Without "/" at the end. */
  readonly api: string;
  /** The path of the repository in the API. */
  readonly repository: string;
  readonly token: string | undefined;
  /** Name and value of the header that has the token. */
  readonly header: (token: string) => readonly [string, string];
  /** Before the second try; each further one waits twice as long. */
  readonly waitSeconds: number;
}

/** The requests of one token. A request to a busy host is repeated; no error quotes the token. */
export class HostRequests {
  calls = 0;
  readonly #settings: Settings;
  #account: Promise<number | undefined> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The account of the token; `undefined` for a token that has none, such as that of an app. */
  whoAmI(): Promise<number | undefined> {
    this.#account ??= this.#ask('GET', '/user').then(
      ({ value }) => z.object({ id: z.int() }).parse(value).id,
      () => undefined,
    );
    return this.#account;
  }

  async get<T>(schema: z.ZodType<T>, path: string): Promise<T> {
    return schema.parse((await this.#ask('GET', this.#pathOf(path))).value);
  }

  /** All items of a list. @param list the part of a page that has them */
  async all<T>(schema: z.ZodType<T>, path: string, list = (page: unknown) => page): Promise<T[]> {
    const found: T[] = [];
    const [place, query = ''] = path.split('?');
    // Each host reads its own name of the size of a page.
    let next: string | undefined = `${query}&per_page=${PAGE}&limit=${PAGE}&page=1`;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { value, link } = await this.#ask(
        'GET',
        this.#pathOf(`${place}?${next.replace(/^&/, '')}`),
      );
      const items = z.array(schema).nullish().parse(list(value));
      found.push(...(items ?? []));
      // A host may give fewer items than the request names.
      const isFull = (items?.length ?? 0) >= PAGE;
      next =
        link === null
          ? isFull
            ? next.replace(/page=\d+$/, `page=${page + 1}`)
            : undefined
          : /<[^>?]*\?([^>]*)>; *rel="?next"?/.exec(link)?.[1];
      if (next === undefined) return found;
    }
    throw new HostError(`GET ${path} has more than ${MAX_PAGES} pages`);
  }

  /** @param isRepeatable whether it may be sent again when it is not known if it was carried out */
  async send(method: string, path: string, body?: object, isRepeatable = true): Promise<unknown> {
    return (await this.#ask(method, this.#pathOf(path), body, isRepeatable)).value;
  }

  #pathOf(path: string): string {
    return `${this.#settings.repository}${path}`;
  }

  async #ask(
    method: string,
    path: string,
    body?: object,
    isRepeatable = true,
  ): Promise<{ value: unknown; link: string | null }> {
    for (let tries = 1; ; tries += 1) {
      const wait = this.#settings.waitSeconds * 2 ** (tries - 1);
      this.calls += 1;
      let answer: Awaited<ReturnType<typeof fetchOnce>>;
      try {
        answer = await fetchOnce(this.#settings, method, path, body);
      } catch (cause) {
        const problem = cause instanceof Error ? cause.message : String(cause);
        if (!isRepeatable || tries >= MAX_TRIES) throw this.#failed(method, path, problem, cause);
        await sleep(wait * 1000);
        continue;
      }
      const { status, text, headers } = answer;
      if (status >= 200 && status < 300) {
        try {
          const value = text === '' ? undefined : (JSON.parse(text) as unknown);
          return { value, link: headers.get('link') };
        } catch (cause) {
          // What changes something was carried out, and nobody reads the answer.
          if (method !== 'GET') return { value: undefined, link: null };
          const problem = 'the answer is not JSON, or half of it';
          if (tries >= MAX_TRIES) throw this.#failed(method, path, problem, cause);
          await sleep(wait * 1000);
          continue;
        }
      }
      const asked = secondsToWait(status, headers);
      const isBusy = asked !== undefined || status === 429 || status === 503;
      const isAgain = isBusy || (status >= 500 && isRepeatable);
      if (!isAgain || tries >= MAX_TRIES || (asked ?? 0) > MAX_WAIT_SECONDS) {
        const remedy =
          asked === undefined
            ? (REMEDIES[status] ?? 'its own text follows, where it has one')
            : `it asks to wait ${asked} seconds: run the workflow again then`;
        throw this.#failed(method, path, `${status}: ${remedy}${quoted(text)}`, undefined, status);
      }
      await sleep((asked ?? wait) * 1000);
    }
  }

  #failed(
    method: string,
    path: string,
    problem: string,
    cause: unknown,
    status?: number,
  ): HostError {
    const { token } = this.#settings;
    const answered = status === undefined ? 'failed: ' : 'was answered with ';
    const text = `${method} ${path} ${answered}${problem}`;
    return new HostError(token === undefined ? text : text.replaceAll(token, '***'), status, cause);
  }
}

async function fetchOnce(
  { api, token, header }: Settings,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${api}${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    headers: {
      accept: 'application/json',
      'user-agent': 'stackyard-gate',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : Object.fromEntries([header(token)])),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** `undefined` where the host does not ask to wait. */
function secondsToWait(status: number, headers: Headers): number | undefined {
  if (status !== 403 && status !== 429 && status !== 503) return undefined;
  const after = headers.get('retry-after');
  if (after !== null && /^\d{1,6}$/.test(after)) return Number(after);
  if (after !== null && !Number.isNaN(Date.parse(after))) return secondsUntil(Date.parse(after));
  const isSpent =
    (headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')) === '0';
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  return isSpent && reset !== null ? secondsUntil(Number(reset) * 1000) : undefined;
}

function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

/** What the host states about an error, as one line. */
function quoted(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const stated = typeof message === 'object' ? JSON.stringify(message) : (message ?? error);
    return typeof stated === 'string' ? ` (${JSON.stringify(stated.slice(0, MAX_QUOTED))})` : '';
  } catch {
    return '';
  }
}
