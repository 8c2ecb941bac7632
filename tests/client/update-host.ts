/** A project's repository at a code host for tests: git over HTTP, and the part of each host's API that pull requests of updates need. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { answerGit } from '../publish/code-host.ts';
import { readProject, serveAnswers, serveRegistry, stackyard } from './registry-fixture.ts';

export const KINDS = ['github', 'gitea', 'gitlab'] as const;
export type Kind = (typeof KINDS)[number];
const TOKEN = 'update-0123456789';

interface Made {
  number: number;
  branch: string;
  base: string;
  title: string;
  body: string;
  state: 'open' | 'closed' | 'merged';
  isDraft: boolean;
  labels: Set<string>;
  comments: string[];
}

export class UpdateHostFixture {
  readonly kind: Kind;
  readonly requests: Made[] = [];
  /** Statuses before the answers of the API. */
  readonly faults: { status: number; headers: Record<string, string> }[] = [];
  /** Method and path of what changes something. */
  readonly changes: string[] = [];
  readonly bare: string;
  readonly #labels = new Map<string, number>();
  #url = '';

  private constructor(kind: Kind, root: string) {
    this.kind = kind;
    this.bare = join(root, 'team', 'shop.git');
  }

  static async start(kind: Kind, project: GitFixture): Promise<UpdateHostFixture> {
    const root = temporaryFolder();
    const host = new UpdateHostFixture(kind, root);
    mkdirSync(host.bare, { recursive: true });
    project.git('init', '-q', '--bare', '-b', 'main', host.bare);
    appendFileSync(join(host.bare, 'config'), '[http]\n\treceivepack = true\n');
    project.git('push', '-q', host.bare, 'HEAD:refs/heads/main');
    const secret = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
    host.#url = await serveAnswers((request, response) => {
      const url = new URL(request.url ?? '/', 'http://host');
      if (!url.pathname.startsWith('/api/')) {
        if (request.headers.authorization === secret) answerGit(root, request, response);
        else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return;
      }
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const fault = host.faults.shift();
        const isTrusted = request.headers.authorization === `Bearer ${TOKEN}`;
        const body: unknown = text === '' ? {} : JSON.parse(text);
        const method = request.method ?? '';
        const answer = isTrusted ? host.#api(method, url, body) : undefined;
        const status = fault?.status ?? (isTrusted ? (answer === undefined ? 404 : 200) : 401);
        response.writeHead(status, { 'content-type': 'application/json', ...fault?.headers });
        response.end(JSON.stringify(fault === undefined ? (answer ?? {}) : {}));
      });
    });
    project.git('remote', 'add', 'origin', `${host.#url}/team/shop.git`);
    return host;
  }

  get variables(): Record<string, string> {
    const isGitLab = this.kind === 'gitlab';
    return {
      CODE_HOST: this.kind,
      GITHUB_REF_NAME: '',
      ...(isGitLab
        ? {
            GITLAB_TOKEN: TOKEN,
            CI_SERVER_URL: this.#url,
            CI_API_V4_URL: `${this.#url}/api`,
            CI_PROJECT_ID: '7',
          }
        : {
            GITHUB_TOKEN: TOKEN,
            GITHUB_SERVER_URL: this.#url,
            GITHUB_API_URL: `${this.#url}/api`,
          }),
    };
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.bare, encoding: 'utf8' }).trim();
  }

  branches(): string[] {
    const form = '--format=%(refname:short)';
    return this.git('for-each-ref', form, 'refs/heads').split('\n').sort();
  }

  of(branch: string): Made[] {
    return this.requests.filter((one) => one.branch.endsWith(`/${branch}`));
  }

  #api(method: string, url: URL, body: any): unknown {
    const path = url.pathname.replace(/^\/api\/(?:repos\/team\/shop|projects\/7)/, '');
    // A request that ends with a fault was not carried out.
    if (this.faults.length > 0) return {};
    if (method !== 'GET') this.changes.push(`${method} ${path}`);
    return this.kind === 'gitlab'
      ? this.#gitlab(method, path, url, body)
      : this.#pulls(method, path, url, body);
  }

  #pulls(method: string, path: string, { searchParams }: URL, body: any): unknown {
    const shown = (one: Made): object => ({
      number: one.number,
      state: one.state === 'open' ? 'open' : 'closed',
      merged_at: one.state === 'merged' ? '2026-01-01T00:00:00Z' : null,
      html_url: `http://host/pull/${one.number}`,
      body: one.body,
      head: { ref: one.branch },
    });
    if (path === '/pulls' && method === 'GET') {
      const head = searchParams.get('head')?.replace('team:', '');
      if (Number(searchParams.get('page') ?? 1) > 1) return [];
      const isKnown = this.kind === 'github';
      return this.requests.filter(({ branch }) => !isKnown || branch === head).map(shown);
    }
    if (path === '/pulls') {
      return shown(
        this.#add(
          body.head,
          body.base,
          body.title,
          body.body,
          body.draft === true || String(body.title).startsWith('WIP: '),
        ),
      );
    }
    if (path === '/labels' && method === 'GET') {
      return [...this.#labels].map(([name, id]) => ({ id, name }));
    }
    if (path === '/labels') {
      this.#labels.set(body.name, this.#labels.size + 1);
      return { id: this.#labels.size, name: body.name };
    }
    const [, number, what] = /^\/(?:pulls|issues)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? [];
    const known = this.requests.find((one) => one.number === Number(number));
    if (known === undefined) return undefined;
    if (what === 'comments') known.comments.push(body.body);
    else if (what === 'labels') {
      const named = new Map([...this.#labels].map(([name, id]) => [id, name]));
      for (const label of body.labels) known.labels.add(named.get(label) ?? label);
    } else Object.assign(known, body);
    return shown(known);
  }

  #gitlab(method: string, path: string, { searchParams }: URL, body: any): unknown {
    const shown = (one: Made): object => ({
      iid: one.number,
      state: one.state === 'open' ? 'opened' : one.state,
      web_url: `http://host/mr/${one.number}`,
      description: one.body,
    });
    if (path === '/merge_requests' && method === 'GET') {
      const branch = searchParams.get('source_branch');
      return this.requests.filter((one) => one.branch === branch).map(shown);
    }
    if (path === '/merge_requests') {
      const { source_branch: branch, target_branch: base, title, description } = body;
      const made = this.#add(branch, base, title, description, String(title).startsWith('Draft: '));
      for (const label of body.labels.split(',')) made.labels.add(label);
      return shown(made);
    }
    const [, number, notes] = /^\/merge_requests\/(\d+)(\/notes)?$/.exec(path) ?? [];
    const known = this.requests.find((one) => one.number === Number(number));
    if (known === undefined) return undefined;
    if (notes !== undefined) known.comments.push(body.body);
    else if (body.state_event === 'close') known.state = 'closed';
    else Object.assign(known, { title: body.title, body: body.description });
    return shown(known);
  }

  #add(branch: string, base: string, title: string, body: string, isDraft: boolean): Made {
    const number = this.requests.length + 1;
    const rest = { state: 'open' as const, labels: new Set<string>(), comments: [] };
    const made: Made = { number, branch, base, title, body, isDraft, ...rest };
    this.requests.push(made);
    return made;
  }
}

export const STORE = ['export const a = 1;', '', '', '', 'export const z = 1;', ''];
export const CHANGELOG =
  '# Changes\n\n## 1.1.0\n\n- Closes the hole, @everyone `````\n\n## 1.0.0\n\n- First\n';

export function store(
  version: string,
  lines: readonly string[] = STORE,
  more: Record<string, string> = {},
) {
  return build(
    'bob/store',
    version,
    { base: 'src/store', files: ['index.ts'] },
    { 'index.ts': lines.join('\n'), ...more },
  );
}

export function web(version: string) {
  const files = { 'index.ts': `export const version = '${version}';\n` };
  return build('alice/web', version, { base: 'src/web', files: ['index.ts'] }, files);
}

interface Data {
  requests: { name: string; state: string; branch: string; url?: string; why?: string }[];
}

/** A project with two builds at a code host, and its registry. */
export class Team {
  readonly registry: GitFixture;
  readonly project: GitFixture;
  readonly host: UpdateHostFixture;
  readonly cache = join(temporaryFolder(), 'cache');
  url: string;

  private constructor(
    registry: GitFixture,
    project: GitFixture,
    host: UpdateHostFixture,
    url: string,
  ) {
    [this.registry, this.project, this.host, this.url] = [registry, project, host, url];
  }

  static async open(kind: Kind, settings?: object): Promise<Team> {
    const registry = new GitFixture();
    registry.commit({ ...store('1.0.0'), ...web('1.0.0') });
    const { url } = await serveRegistry(registry);
    const project = new GitFixture();
    project.write({ 'package.json': '{\n  "name": "shop"\n}\n', '.gitignore': 'node_modules/\n' });
    if (settings !== undefined)
      project.write({ 'stackyard.updates.json': JSON.stringify(settings) });
    const team = new Team(registry, project, undefined as never, url);
    const added = await team.stackyard('add', 'bob/store', 'alice/web', '--no-install');
    if (added.status !== 0) throw new Error(added.stderr);
    project.commit({}, 'Install builds');
    return new Team(registry, project, await UpdateHostFixture.start(kind, project), url);
  }

  stackyard(...args: string[]) {
    const variables = {
      ...this.host?.variables,
      STACKYARD_CACHE: this.cache,
      STACKYARD_REGISTRY: this.url,
    };
    return stackyard([...args, '-C', this.project.folder], variables);
  }

  async publish(files: ReturnType<typeof store>): Promise<void> {
    this.registry.commit(files);
    this.url = (await serveRegistry(this.registry)).url;
  }

  /** Name to state of what a run did; the checkout is as before. */
  async update(...args: string[]) {
    const before = readProject(this.project.folder);
    const ended = await this.stackyard(
      'update',
      '--pull-request',
      '--no-install',
      '--json',
      ...args,
    );
    const { data } = JSON.parse(ended.stdout) as { data: Data };
    const withoutGit = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('.git/')));
    const after = withoutGit(readProject(this.project.folder));
    const states = Object.fromEntries(
      (data.requests ?? []).map(({ name, state }) => [name, state]),
    );
    return { ...ended, states, data, isRestored: isDeepStrictEqual(after, withoutGit(before)) };
  }

  /** Commits to main, here and at the host. */
  commit(files: Record<string, string>, message = 'Edit'): void {
    this.project.commit(files, message);
    this.project.git('push', '-q', this.host.bare, 'HEAD:refs/heads/main');
  }

  /** The files that `stackyard update` by hand gives. */
  async byHand(id: string): Promise<Record<string, string>> {
    const copy = new GitFixture(undefined, this.project);
    const variables = { STACKYARD_CACHE: this.cache, STACKYARD_REGISTRY: this.url };
    await stackyard(
      ['update', id, '--conflict', 'markers', '--no-install', '-C', copy.folder],
      variables,
    );
    return readTracked(copy.folder);
  }

  /** The files of a branch at the host. */
  branch(name: string): Record<string, string> {
    const folder = temporaryFolder();
    this.project.git('clone', '-q', '--branch', `stackyard/update/${name}`, this.host.bare, folder);
    return readTracked(folder);
  }
}

function readTracked(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readProject(folder)).filter(([path]) => !/^\.(?:git|stackyard)\//.test(path)),
  );
}
