/** The requests to a code host: waits, pages, errors. Responses are validated before use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

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
  { api, token }: Settings,
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
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
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
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  const reset = headers.get('x-ratelimit-reset');
  return isSpent && reset !== null ? secondsUntil(Number(reset) * 1000) : undefined;
}

function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

/** What the host states about an error, as one line. */
function quoted(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? ` (${JSON.stringify(message.slice(0, MAX_QUOTED))})` : '';
  } catch {
    return '';
  }
}
