/**
 * Code hosts for tests, in memory: they answer as the published descriptions of the APIs of GitHub and Gitea say. The same
 * contract runs over them and over a real Gitea (`contract.ts`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CodeHostKind } from '../../format/registry/registry-config.ts';
import { openCodeHost } from '../../generator/host/code-host.ts';
import type { GitHubHost } from '../../generator/host/github-host.ts';
import type { World } from './contract.ts';

const HEAD = 'a'.repeat(40);
const GATE = { login: 'gate', id: 9 };
const AUTHOR = { login: 'bob', id: 7 };
const STRANGER = { login: 'mallory', id: 8 };
export const TOKEN = 'token-0123456789';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends in the middle of the answer. */
  readonly isCut?: boolean;
}

interface Thread {
  readonly number: number;
  readonly isPull: boolean;
  readonly title: string;
  readonly comments: { id: number; body: string; by: typeof GATE }[];
  labels: string[];
  isOpen: boolean;
  closedBy?: typeof GATE;
}

export class FakeHost implements World {
  readonly kind: CodeHostKind;
  readonly labels = new Map<string, number>();
  readonly threads: Thread[] = [];
  readonly started: { workflow: string; inputs: Record<string, string> }[] = [];
  readonly statuses: { context: string; state: string; description: string; at: number }[] = [];
  /** Answers instead of those of the API, one for each request. */
  readonly faults: Answer[] = [];
  asked: string[] = [];
  pageSize = 2;
  readonly pull = { number: 1, head: HEAD, author: AUTHOR };
  readonly server = createServer((request, response) => void this.#answer(request, response));
  #next = 100;

  private constructor(kind: CodeHostKind) {
    this.kind = kind;
    this.#open(true, 'web');
  }

  static async start(kind: CodeHostKind): Promise<FakeHost> {
    const fake = new FakeHost(kind);
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void fake.server.close());
    return fake;
  }

  host(token = TOKEN, more: Readonly<Record<string, string>> = {}): GitHubHost {
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return openCodeHost({
      CODE_HOST: this.kind,
      CODE_HOST_WAIT_SECONDS: '0',
      GITHUB_TOKEN: token,
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: 'o/r',
      ...more,
    });
  }

  async comments(): Promise<string[]> {
    return this.threads[0]!.comments.map(({ body }) => body);
  }

  async commentAsStranger(body: string): Promise<void> {
    this.threads[0]!.comments.push({ id: (this.#next += 1), body, by: STRANGER });
  }

  async closeAs(who: 'author' | 'stranger'): Promise<void> {
    const thread = this.threads[0]!;
    [thread.isOpen, thread.closedBy] = [false, who === 'author' ? AUTHOR : STRANGER];
  }

  async openIssues(): Promise<string[]> {
    return this.threads.filter(({ isPull, isOpen }) => !isPull && isOpen).map(({ title }) => title);
  }

  #open(isPull: boolean, title: string): Thread {
    const number = this.threads.length + 1;
    const thread = { number, isPull, title, comments: [], labels: [], isOpen: true };
    this.threads.push(thread);
    return thread;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '', 'http://host');
    const path = url.pathname.replace(/^\/repos\/o\/r/, '');
    this.asked.push(`${request.method} ${path}`);
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, any>);
    const fault = this.faults.shift();
    const answer =
      fault ??
      (isKnown ? this.#api(request.method ?? '', path, body, url.searchParams) : { status: 401 });
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      ...answer.headers,
    };
    let { body: value } = answer;
    const list = this.#listIn(value, path);
    if (list !== undefined && request.method === 'GET') {
      const page = Number(url.searchParams.get('page') ?? '1');
      if (page * this.pageSize < list.length) {
        url.searchParams.set('page', String(page + 1));
        headers['link'] =
          `<http://other.example${url.pathname}${url.search}>; rel="next", <http://x/?page=9>; rel="last"`;
      }
      const part = list.slice((page - 1) * this.pageSize, page * this.pageSize);
      value = Array.isArray(value) ? part : { statuses: part };
    }
    const sent = value === undefined ? '' : JSON.stringify(value);
    if (answer.isCut === true) {
      response.writeHead(answer.status, { ...headers, 'content-length': String(sent.length) });
      response.write(sent.slice(0, sent.length / 2), () => response.destroy());
      return;
    }
    response.writeHead(answer.status, headers).end(sent);
  }

  #listIn(value: unknown, path: string): unknown[] | undefined {
    if (Array.isArray(value)) return value;
    return path.endsWith('/status')
      ? ((value as { statuses: unknown[] | null }).statuses ?? undefined)
      : undefined;
  }

  #api(method: string, path: string, body: Record<string, any>, query: URLSearchParams): Answer {
    if (path === '/user') return { status: 200, body: GATE };
    const answer = this.#github(`${method} ${path}`, body, query);
    return answer ?? { status: 404, body: { message: 'Not Found' } };
  }

  #newest(): FakeHost['statuses'] {
    return [...new Map(this.statuses.map((status) => [status.context, status])).values()];
  }

  #labelled(thread: Thread): object[] {
    return thread.labels.map((name) => ({ id: this.labels.get(name), name }));
  }

  /** GitHub creates a label when it is set; Gitea leaves it out. */
  #setLabels(thread: Thread, names: readonly string[]): void {
    for (const name of names) {
      if (this.kind !== 'gitea' && !this.labels.has(name)) this.labels.set(name, (this.#next += 1));
      if (this.labels.has(name) && !thread.labels.includes(name)) thread.labels.push(name);
    }
  }

  #github(call: string, body: Record<string, any>, query: URLSearchParams): Answer | undefined {
    const isGitea = this.kind === 'gitea';
    const [, , number = '', rest = ''] = /^\w+ \/(pulls|issues)\/(\d+)(.*)$/.exec(call) ?? [];
    const thread = this.threads[Number(number) - 1];
    const wanted = query.get('labels') ?? '';
    const row = (one: Thread): object => ({
      number: one.number,
      state: one.isOpen ? 'open' : 'closed',
      title: one.title,
      user: AUTHOR,
      labels: this.#labelled(one),
      ...(isGitea
        ? { pull_request: one.isPull ? {} : null }
        : one.isPull
          ? { pull_request: {} }
          : {}),
      ...(isGitea ? {} : { closed_by: one.closedBy ?? null }),
    });
    const pull = { draft: false, head: { sha: HEAD }, base: { ref: 'main' } };
    if (thread !== undefined) {
      if (call === `GET /pulls/${number}`)
        return { status: 200, body: { ...row(thread), ...pull } };
      if (call === `GET /issues/${number}`) return { status: 200, body: row(thread) };
      if (call.startsWith('PATCH')) {
        [thread.isOpen, thread.closedBy] = [false, GATE];
        return { status: 200, body: {} };
      }
      if (rest === '/comments' && call.startsWith('POST')) {
        thread.comments.push({ id: (this.#next += 1), body: body['body'], by: GATE });
        return { status: 201, body: {} };
      }
      if (rest === '/comments') {
        return {
          status: 200,
          body: thread.comments.map(({ by, ...one }) => ({ ...one, user: by })),
        };
      }
      if (rest === '/labels' && call.startsWith('POST')) this.#setLabels(thread, body['labels']);
      const [, gone] = /^\/labels\/(.+)$/.exec(rest) ?? [];
      if (gone !== undefined) {
        const key = decodeURIComponent(gone);
        thread.labels = thread.labels.filter(
          (name) => (isGitea ? String(this.labels.get(name)) : name) !== key,
        );
        return { status: isGitea ? 204 : 200 };
      }
      if (rest === '/labels') return { status: 200, body: this.#labelled(thread) };
      if (rest === '/timeline' && isGitea) {
        return {
          status: 200,
          body: thread.isOpen
            ? []
            : [
                { type: 'comment', user: STRANGER },
                { type: 'close', user: thread.closedBy },
              ],
        };
      }
    }
    const [, comment] = /^PATCH \/issues\/comments\/(\d+)$/.exec(call) ?? [];
    if (comment !== undefined) return this.#editComment(Number(comment), body['body']);
    if (call === 'GET /issues' || call === 'GET /pulls') {
      const state = query.get('state');
      // Gitea leaves out of its filter what is no label.
      const isFilter = wanted !== '' && (!isGitea || this.labels.has(wanted));
      const rows = this.threads.filter((one) => {
        return (
          (state === 'all' || one.isOpen) &&
          (!isFilter || one.labels.includes(wanted)) &&
          (call !== 'GET /pulls' || one.isPull)
        );
      });
      return {
        status: 200,
        body: rows.map((one) => ({ ...row(one), ...(one.isPull ? pull : {}) })),
      };
    }
    if (call === 'POST /issues') {
      if (isGitea && body['labels'] !== undefined) return { status: 422 };
      const made = this.#open(false, body['title']);
      this.#setLabels(made, body['labels'] ?? []);
      return { status: 201, body: row(made) };
    }
    if (call === `GET /commits/${HEAD}/pulls` && !isGitea) {
      return {
        status: 200,
        body: this.threads.filter(({ isPull, isOpen }) => isPull && isOpen).map(row),
      };
    }
    if (call === `GET /commits/${HEAD}/status`) {
      const rows = this.#newest().map(({ context, state, description, at }) => {
        const about = { context, description, created_at: new Date(at).toISOString() };
        return isGitea ? { ...about, status: state } : { ...about, state };
      });
      return { status: 200, body: { statuses: isGitea && rows.length === 0 ? null : rows } };
    }
    if (call === `POST /statuses/${HEAD}`) {
      this.statuses.push({
        context: body['context'],
        state: body['state'],
        description: body['description'],
        at: Date.now(),
      });
      return { status: 201, body: {} };
    }
    const [, workflow] = /^POST \/actions\/workflows\/(\w+)\.yml\/dispatches$/.exec(call) ?? [];
    if (workflow !== undefined) {
      this.started.push({ workflow, inputs: body['inputs'] });
      return { status: 204 };
    }
    if (call === (isGitea ? 'GET /git/commits/main' : 'GET /commits/main')) {
      return {
        status: 200,
        body: { sha: HEAD, commit: { committer: { date: '2026-01-02T03:04:05Z' } } },
      };
    }
    return this.#repositoryLabels(call, body);
  }

  #editComment(id: number, text: string): Answer {
    const found = this.threads.flatMap(({ comments }) => comments).find((one) => one.id === id);
    if (found === undefined) return { status: 404 };
    found.body = text;
    return { status: 200, body: {} };
  }

  #repositoryLabels(call: string, body: Record<string, any>): Answer | undefined {
    if (call === 'GET /labels') {
      return { status: 200, body: [...this.labels].map(([name, id]) => ({ id, name })) };
    }
    if (call !== 'POST /labels') return undefined;
    if (this.labels.has(body['name'])) return { status: 409 };
    this.labels.set(body['name'], (this.#next += 1));
    return { status: 201, body: {} };
  }
}
