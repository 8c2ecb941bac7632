/**
 * A code host for tests: repositories over git's real HTTP protocol (`git http-backend`), and an API that
 * responds as GitHub's does to the requests of the client.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serveAnswers } from '../client/registry-fixture.ts';
import type { GitFixture } from '../generate/git-fixture.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';

export const TOKEN = 'ghs_0123456789abcdefTOKEN';

const CONFIG = `[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
`;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: any;
}

interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly head: string;
  title: string;
  body: string;
}

export class CodeHostFixture {
  /** Whose token it is. */
  readonly user = { login: 'Alice', id: 4711 };
  readonly asked: Asked[] = [];
  readonly pulls: Pull[] = [];
  /** Responses that replace those of the API, by method and path. */
  readonly refusals = new Map<string, { status: number; body: object; headers?: object }>();
  /** Whether the token may push to the registry's repository itself. */
  mayPush = true;
  /** Authorization headers that git sent. */
  readonly gitSent = new Set<string>();
  readonly #root: string;
  #url = '';

  private constructor(root: string) {
    this.#root = root;
  }

  /** Hosts `source` as `org/registry`, bare. */
  static async start(source: GitFixture): Promise<CodeHostFixture> {
    const host = new CodeHostFixture(temporaryFolder());
    source.git('clone', '-q', '--bare', source.folder, host.bare('org/registry'));
    appendFileSync(join(host.bare('org/registry'), 'config'), CONFIG);
    host.#url = await serveAnswers((request, response) => void host.#answer(request, response));
    return host;
  }

  get repository(): string {
    return `${this.#url}/org/registry.git`;
  }

  /** The environment variables that direct the client to this server. */
  get variables(): Record<string, string> {
    return {
      GITHUB_TOKEN: TOKEN,
      GITHUB_SERVER_URL: this.#url,
      GITHUB_API_URL: `${this.#url}/api`,
      STACKYARD_REPOSITORY: this.repository,
    };
  }

  bare(name: string): string {
    return join(this.#root, `${name}.git`);
  }

  git(name: string, ...args: string[]): string {
    const options = { cwd: this.bare(name), encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', args, options).trim();
  }

  /** Files of a branch with their modes: `100644 path`. */
  files(name: string, branch: string): string[] {
    const lines = this.git(name, 'ls-tree', '-r', branch).split('\n');
    return lines.map((line) => line.replace(/ blob [0-9a-f]+\t/, ' '));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.#url);
    if (!url.pathname.startsWith('/api/')) {
      const { authorization } = request.headers;
      if (authorization !== undefined) this.gitSent.add(authorization);
      return answerGit(this.#root, request, response);
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [method, path] = [request.method ?? '', url.pathname.slice('/api'.length)];
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    this.asked.push({ method, path: path + url.search, body });
    const isTrusted = request.headers.authorization === `Bearer ${TOKEN}`;
    const refused = this.refusals.get(`${method} ${path}`);
    const {
      status,
      body: reply,
      headers = {},
    } = isTrusted
      ? (refused ?? this.#api(method, path, body, url.searchParams))
      : { status: 401, body: { message: 'Bad credentials' } };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(reply));
  }

  #api(
    method: string,
    path: string,
    body: any,
    query: URLSearchParams,
  ): { status: number; body: object; headers?: object } {
    const pulls = '/repos/org/registry/pulls';
    if (path === '/user') return { status: 200, body: this.user };
    if (path === '/users/alice') return { status: 200, body: this.user };
    if (path === '/users/acme') return { status: 200, body: { login: 'acme', id: 99 } };
    if (path === '/repos/org/registry') return { status: 200, body: this.#repository('org') };
    if (path === '/repos/org/registry/forks' && method === 'POST') {
      cpSync(this.bare('org/registry'), this.bare('Alice/registry'), { recursive: true });
      return { status: 202, body: this.#repository('Alice') };
    }
    if (path === '/repos/Alice/registry' && this.#hasFork()) {
      return { status: 200, body: this.#repository('Alice') };
    }
    if (path === pulls && method === 'POST') {
      if (this.pulls.some(({ head }) => head === body.head)) {
        const errors = [{ message: `A pull request already exists for ${body.head}.` }];
        return { status: 422, body: { message: 'Validation Failed', errors } };
      }
      const number = this.pulls.length + 1;
      const made = { number, html_url: `${this.#url}/org/registry/pull/${number}`, ...body };
      this.pulls.push(made);
      return { status: 201, body: made };
    }
    if (path === pulls) {
      return { status: 200, body: this.pulls.filter(({ head }) => head === query.get('head')) };
    }
    const known = this.pulls.find(({ number }) => path === `${pulls}/${number}`);
    if (known !== undefined && method === 'PATCH') {
      return { status: 200, body: Object.assign(known, body) };
    }
    return { status: 404, body: { message: 'Not Found' } };
  }

  #hasFork(): boolean {
    try {
      return this.git('Alice/registry', 'rev-parse', '--is-bare-repository') === 'true';
    } catch {
      return false;
    }
  }

  #repository(owner: string): object {
    const isFork = owner !== 'org';
    return {
      full_name: `${owner}/registry`,
      default_branch: 'main',
      clone_url: `${this.#url}/${owner}/registry.git`,
      fork: isFork,
      ...(isFork ? { parent: { full_name: 'org/registry' } } : {}),
      permissions: { push: isFork || this.mayPush },
    };
  }
}

/** Serves the repositories below `root` by git's own program of the HTTP protocol, as web servers run it (RFC 3875). */
function answerGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://host');
  const { authorization, 'content-type': type = '', 'content-encoding': coding } = request.headers;
  const isPush = url.href.includes('receive-pack');
  if (isPush && authorization === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: type,
      ...(coding === undefined ? {} : { HTTP_CONTENT_ENCODING: coding }),
      ...(isPush ? { REMOTE_USER: 'alice' } : {}),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    const headers = all.subarray(0, end).toString('latin1').split('\r\n');
    let status = 200;
    for (const header of headers) {
      const [name = '', ...rest] = header.split(': ');
      if (name === 'Status') status = Number.parseInt(rest.join(': '), 10);
      else if (name !== '') response.setHeader(name, rest.join(': '));
    }
    response.writeHead(status).end(all.subarray(end + 4));
  });
}
