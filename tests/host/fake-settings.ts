/** The settings of a repository at a code host, in memory, as the published descriptions of the APIs of GitHub, Gitea and GitLab have them. */
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HostKind } from '../../format/registry/registry-config.ts';
import type { HostPlan } from '../../generator/setup/host-settings.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';

export const OPERATOR = 'operator-0123456789';
export const GATE = 'gate-0123456789';
const SHA = 'a'.repeat(40);

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
type Body = Record<string, any>;
type Item = Body & { readonly id: number };

/** Lists of the API by path; `key` is what names an item in the path, `list` the field that has the items. */
const LISTS: Record<
  'github' | 'gitea' | 'gitlab',
  Record<string, { key?: string; list?: string }>
> = {
  github: {
    '/labels': {},
    '/pulls': {},
    '/keys': {},
    '/rulesets': {},
    '/actions/variables': { key: 'name', list: 'variables' },
    '/actions/secrets': { key: 'name', list: 'secrets' },
    '/actions/workflows/deploy.yml/runs': { list: 'workflow_runs' },
    '/environments/github-pages/deployment-branch-policies': { list: 'branch_policies' },
  },
  gitea: {
    '/labels': {},
    '/branch_protections': { key: 'rule_name' },
    '/actions/variables': { key: 'name' },
    '/actions/secrets': { key: 'name' },
    // Of all workflows: those of one have no list.
    '/actions/runs': { list: 'workflow_runs' },
    '/collaborators': { key: 'login' },
  },
  gitlab: {
    '/labels': {},
    '/variables': { key: 'key' },
    '/access_tokens': {},
    '/triggers': {},
    '/hooks': {},
    '/pipeline_schedules': {},
    '/protected_branches': { key: 'name' },
    '/pipelines': {},
  },
};

export class FakeSettings {
  readonly kind: HostKind;
  /** Path of a list to its items. */
  readonly lists = new Map<string, Item[]>();
  /** What is there once: Pages, the environment, the repository. */
  readonly single = new Map<string, Body>();
  /** Each request that changes something. */
  changes: string[] = [];
  /** Each path that is read. */
  readonly asked: string[] = [];
  /** Path to the answer instead of that of the API. @example 'POST /keys' */
  readonly faults = new Map<string, Answer>();
  url = '';
  #next = 0;

  private constructor(kind: HostKind) {
    this.kind = kind;
    for (const path of Object.keys(this.#described)) this.lists.set(path, []);
    if (kind === 'gitlab') {
      const levels = { push_access_levels: [{ access_level: 40 }], allow_force_push: true };
      this.add('/protected_branches', { name: 'main', ...levels });
    }
  }

  get #described(): Record<string, { key?: string; list?: string }> {
    return LISTS[this.kind === 'github' || this.kind === 'gitlab' ? this.kind : 'gitea'];
  }

  static async start(kind: HostKind): Promise<FakeSettings> {
    const fake = new FakeSettings(kind);
    const server = createServer((request, response) => void fake.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return fake;
  }

  /** Of a registry that signs its log. */
  plan(more: Partial<HostPlan> = {}): HostPlan {
    const isGitHub = this.kind === 'github';
    return {
      kind: this.kind,
      server: isGitHub ? 'https://github.com' : this.url,
      api: this.url,
      repository: 'o/r',
      token: OPERATOR,
      waitSeconds: 0,
      isShared: false,
      pushToken: this.kind === 'gitea' ? GATE : undefined,
      variables: { BASE_URL: 'https://registry.example' },
      secrets: { STACKYARD_LOG_KEY: 'PRIVATE+KEY+x' },
      ...more,
    };
  }

  add(path: string, body: Body): Item {
    const item = { ...body, id: (this.#next += 1) };
    this.lists.get(path)!.push(item);
    return item;
  }

  /** A program `gh` that seals nothing and gives the secret to this host. @returns the folder of it */
  gh(exit = 0): string {
    const folder = temporaryFolder();
    const file = join(folder, 'gh');
    writeFileSync(
      file,
      `#!${process.execPath}
const [, , what, , name] = process.argv;
if (what === '--version') process.exit(0);
const text = require('node:fs').readFileSync(0, 'utf8');
if (${exit}) { console.error('HTTP 403 with ' + process.env.GH_TOKEN + ' and ' + text); process.exit(${exit}); }
const headers = { authorization: 'Bearer ' + process.env.GH_TOKEN };
fetch('${this.url}/repos/o/r/actions/secrets/' + name, { method: 'PUT', headers, body: JSON.stringify({ data: text }) });
`,
    );
    chmodSync(file, 0o755);
    return folder;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { pathname } = new URL(request.url ?? '', 'http://host');
    const path = pathname.replace(/^\/(?:repos\/o\/r|projects\/o%2Fr)/, '');
    const { authorization, 'private-token': token } = request.headers;
    const given = this.kind === 'gitlab' ? token : authorization?.slice(7);
    const call = `${request.method} ${path}`;
    const body = text === '' ? {} : (JSON.parse(text) as Body);
    let answer: Answer | undefined;
    if (given === GATE && path === '/user') answer = { status: 200, body: { login: 'gate' } };
    else if (given !== OPERATOR)
      answer = { status: 401, body: { message: `Bad ${String(given)}` } };
    else {
      answer = this.faults.get(call);
      if (answer === undefined) {
        if (request.method === 'GET') this.asked.push(path);
        else this.changes.push(call);
        answer = this.#once(call, body) ?? this.#listed(request.method ?? '', path, body);
      }
    }
    const {
      status,
      headers,
      body: value,
    } = answer ?? { status: 404, body: { message: 'Not Found' } };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(value === undefined ? '' : JSON.stringify(value));
  }

  #once(call: string, body: Body): Answer | undefined {
    const commit = { sha: SHA, commit: { committer: { date: '2026-01-02T03:04:05Z' } } };
    if (/^GET \/(?:git\/)?commits\/main$/.test(call)) return { status: 200, body: commit };
    if (call === 'GET /repository/commits/main') {
      return { status: 200, body: { id: SHA, committed_date: '2026-01-02T03:04:05Z' } };
    }
    if (call === 'POST /actions/workflows/deploy.yml/dispatches') {
      const isGitHub = this.kind === 'github';
      const list = isGitHub ? '/actions/workflows/deploy.yml/runs' : '/actions/runs';
      this.add(list, { status: 'queued', path: 'deploy.yml@refs/heads/main' });
      return { status: 204 };
    }
    if (call === 'GET /collaborators/gate/permission') {
      const isThere = this.lists.get('/collaborators')!.length > 0;
      return { status: 200, body: { permission: isThere ? 'write' : 'read' } };
    }
    if (call === 'PUT /collaborators/gate') {
      this.add('/collaborators', { login: 'gate' });
      return { status: 204 };
    }
    if (call === 'POST /pipeline') {
      return { status: 201, body: this.add('/pipelines', body) };
    }
    const [method = '', path = ''] = call.split(' ');
    if (!['', '/pages', '/environments/github-pages'].includes(path)) return undefined;
    const now = this.single.get(path) ?? (path === '' ? {} : undefined);
    if (method === 'GET') return now && { status: 200, body: now };
    if (path === '/pages' && (method === 'POST') === (now !== undefined)) return { status: 409 };
    this.single.set(path, { ...now, ...body });
    return { status: 200, body: {} };
  }

  #listed(method: string, path: string, body: Body): Answer | undefined {
    const [, place = '', last] =
      [...this.lists.keys()]
        .map((list) =>
          path === list
            ? ['', list]
            : path.startsWith(`${list}/`)
              ? ['', list, path.slice(list.length + 1)]
              : [],
        )
        .find((found) => found.length > 0) ?? [];
    const items = this.lists.get(place);
    if (items === undefined) return undefined;
    const { key = 'id', list } = this.#described[place]!;
    if (last === undefined) {
      if (method === 'GET') {
        const rows = items.map((item) => shown(place, item));
        return {
          status: 200,
          body: list === undefined ? rows : { total_count: rows.length, [list]: rows },
        };
      }
      if (items.some((item) => key !== 'id' && item[key] === body[key])) return { status: 409 };
      if (
        place === '/rulesets' &&
        body['bypass_actors'].some((actor: Body) => actor['actor_id'] !== null)
      )
        return { status: 422 };
      const levels =
        body['push_access_level'] === undefined
          ? {}
          : { push_access_levels: [{ access_level: body['push_access_level'] }] };
      const secret =
        place === '/triggers' || place === '/access_tokens' ? { token: `made-${place}` } : {};
      const active = place === '/pipeline_schedules' ? { active: true } : {};
      return { status: 201, body: this.add(place, { ...body, ...levels, ...secret, ...active }) };
    }
    const found = items.find((item) => String(item[key]) === last);
    if (method === 'POST' && place === '/pipeline_schedules') return { status: 201, body };
    // Gitea names new variables and secrets in the path, and GitHub new secrets.
    const isNamed =
      key === 'name' && (method === 'PUT' || this.kind !== 'github') && this.kind !== 'gitlab';
    if (found === undefined && isNamed && method !== 'GET' && method !== 'DELETE') {
      this.add(place, { name: last, ...body, data: body['value'] ?? body['data'] });
      return { status: 201 };
    }
    if (found === undefined) return undefined;
    if (method === 'GET') return { status: 200, body: found };
    if (method === 'DELETE') {
      this.lists.set(
        place,
        items.filter((item) => item !== found),
      );
      return { status: 204 };
    }
    Object.assign(
      found,
      body,
      key === 'name' && this.kind === 'gitea' ? { data: body['value'] ?? body['data'] } : {},
    );
    return { status: 200, body: found };
  }
}

/** Lists of rulesets have no rules, and those of secrets no values. */
function shown(place: string, item: Item): Body {
  if (place === '/rulesets' || place === '/actions/secrets')
    return { id: item.id, name: item['name'] };
  return item;
}
