/** A code host for tests: a bare repository, and a server with the API of a code host. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Person } from '../../format/registry/account.ts';
import { runProcess, runResident } from '../run/script-process.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';

/** Issues and pull requests are numbered together. */
const FIRST_FORM = 1001;
const MAIN = join(import.meta.dirname, '../../generator/main.ts');
/** Jobs that no worker thread helps, and that leave nothing in the process. */
const RESIDENT = ['check-freshness', 'file-form', 'gate', 'read-form', 'settle', 'wake-waiting'];

/** What an issue and a pull request have in common. */
export interface Thread {
  readonly number: number;
  readonly user: Person;
  readonly comments: { id: number; body: string; user: { type: string } }[];
  labels: string[];
  state: 'open' | 'closed';
  /** Who closed it; `null` while it is open, or when that account is gone. */
  closed_by?: Person | null;
}

export interface Pull extends Thread {
  readonly branch: string;
  draft: boolean;
  base: string;
}

interface RequestBody {
  readonly context: string;
  readonly description: string;
  readonly body: string;
  readonly labels: string[];
  readonly title: string;
  readonly inputs: Record<string, string>;
  readonly state: string;
}

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly verdict: string;
  /** How many requests it sent to the code host, as it prints. */
  readonly calls: number;
}

export class CodeHostFixture {
  /** Where publishers work; `host` is what they push to. */
  readonly git: GitFixture = new GitFixture();
  readonly host: string = join(temporaryFolder(), 'host.git');
  readonly pulls: Pull[] = [];
  readonly dispatched: { file: string; inputs: Record<string, string> }[] = [];
  /** Opened with a form. */
  readonly forms: Thread[] = [];
  readonly issues: { title: string; labels: string[] }[] = [];
  /** The statuses of commits, the newest last. */
  readonly statuses: (RequestBody & { sha: string; created_at: string })[] = [];
  /** Each script has a process of its own, as in a workflow; otherwise one process runs most of them. */
  hasOwnProcesses = false;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #comments = 0;

  /** The base branch begins with `files`. */
  static async open(files: Files): Promise<CodeHostFixture> {
    const fixture = new CodeHostFixture();
    fixture.git.commit(files);
    fixture.git.gitAll(
      ['clone', '-q', '--bare', fixture.git.folder, fixture.host],
      ['remote', 'add', 'origin', fixture.host],
    );
    await new Promise<void>((resolve) => fixture.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void fixture.#server.close());
    return fixture;
  }

  /** Opens a pull request of `user`: one commit with `files` on what the base branch is now. */
  pull(user: Person, files: Files, more?: (git: GitFixture) => void): Pull {
    const number = this.pulls.length + 1;
    const branch = `pull-${number}`;
    this.git.gitAll(
      ['fetch', '-q', 'origin', 'main'],
      ['checkout', '-q', '-f', '-b', branch, 'FETCH_HEAD'],
      ['clean', '-q', '-f', '-d'],
    );
    more?.(this.git);
    this.git.commit(files);
    this.push(branch, number);
    const pull: Pull = {
      number,
      user,
      branch,
      comments: [],
      labels: [],
      state: 'open',
      draft: false,
      base: 'main',
    };
    this.pulls.push(pull);
    return pull;
  }

  /** Opens a pull request of `user` from the very commit that another one has. */
  pullAgain(user: Person, { branch }: Pull): Pull {
    const number = this.pulls.length + 1;
    this.push(branch, number);
    const pull: Pull = { ...this.pulls[0]!, number, user, branch, comments: [], labels: [] };
    this.pulls.push(Object.assign(pull, { state: 'open', draft: false, closed_by: null }));
    return pull;
  }

  /** Opens an issue of `user` with a form, which sets the label. */
  form(user: Person, label: string): Thread {
    const number = FIRST_FORM + this.forms.length;
    const form: Thread = { number, user, comments: [], labels: [label], state: 'open' };
    this.forms.push(form);
    return form;
  }

  push(branch: string, number: number): void {
    this.git.git('push', '-q', '-f', 'origin', `${branch}:refs/pull/${number}/head`);
  }

  headOf(number: number): string {
    return this.git.git('-C', this.host, 'rev-parse', `refs/pull/${number}/head`);
  }

  get main(): string {
    return this.git.git('-C', this.host, 'rev-parse', 'refs/heads/main');
  }

  /** A clone of the base branch, as a workflow checks it out. */
  checkout(): string {
    const folder = join(temporaryFolder(), 'work');
    // A local clone would copy every object of the host, those of pull requests too.
    this.git.git('clone', '-q', '--no-local', this.host, folder);
    return folder;
  }

  /** Runs both jobs of publish.yml one after the other, as that file does. */
  async publish(pull: Pull, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const judged = await this.gate(pull);
    if (judged.verdict === '') return judged;
    return this.settle(pull, judged.verdict, env);
  }

  async gate({ number }: Pull): Promise<Ran> {
    const file = join(temporaryFolder(), 'verdict.json');
    const env = { PULL_NUMBER: String(number), VERDICT_FILE: file, GITHUB_TOKEN: 'read' };
    const ran = await this.run('gate', env);
    return {
      ...ran,
      verdict: ran.stdout.includes('\nverdict: ') || ran.stdout.startsWith('verdict: ') ? file : '',
    };
  }

  async settle(
    { number }: Pull,
    file: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    const own = { PULL_NUMBER: String(number), VERDICT_FILE: file, GITHUB_TOKEN: 'write' };
    const { verdict } = JSON.parse(readFileSync(file, 'utf8')) as { verdict: string };
    return { ...(await this.run('settle', { ...own, ...env })), verdict };
  }

  /** Runs a job of `stackyard-registry host` in a fresh checkout. */
  async run(
    job: string,
    env: Readonly<Record<string, string>>,
    folder = this.checkout(),
  ): Promise<Ran> {
    const { port } = this.#server.address() as AddressInfo;
    const own = {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: temporaryFolder(),
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_REPOSITORY: 'registry/builds',
      BASE_BRANCH: 'main',
      CODE_HOST_WAIT_SECONDS: '0',
    };
    const isResident = RESIDENT.includes(job) && !this.hasOwnProcesses;
    const run = { file: MAIN, args: ['host', job], cwd: folder, env: { ...own, ...env } };
    const { status, stdout, stderr } = await (isResident ? runResident(run) : runProcess(run));
    const [line = '', calls = '0'] = /^requests to the code host: (\d+)\n/m.exec(stderr) ?? [];
    const printed = `${stdout}${stderr.replace(line, '')}`;
    return { status: status ?? 1, stdout: printed, calls: Number(calls), verdict: '' };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = (chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())) as never;
    const path = (request.url ?? '').replace('/repos/registry/builds', '').split('?')[0] ?? '';
    const query = new URL(request.url ?? '', 'http://host').searchParams;
    const mayWrite = request.headers.authorization === 'Bearer write';
    const isWrite = request.method !== 'GET';
    let answer: unknown;
    try {
      if (!isWrite || mayWrite) answer = this.#act(`${request.method} ${path}`, body, query);
    } catch {
      // A commit that the repository does not have.
    }
    response.statusCode = isWrite && !mayWrite ? 403 : answer === undefined ? 404 : 200;
    response.end(answer === undefined ? '' : JSON.stringify(answer));
  }

  #act(call: string, body: RequestBody, query: URLSearchParams): unknown {
    const label = query.get('labels');
    const [, number = '', rest = ''] = /^\w+ \/(?:pulls|issues)\/(\d+)(.*)$/.exec(call) ?? [];
    const pull = this.pulls[Number(number) - 1];
    const thread = pull ?? this.forms[Number(number) - FIRST_FORM];
    if (thread !== undefined && call === `GET /issues/${number}`) {
      const isPull = pull === undefined ? {} : { pull_request: {} };
      return { ...thread, labels: thread.labels.map((name) => ({ name })), ...isPull };
    }
    if (thread !== undefined && call === `PATCH /issues/${number}`) {
      thread.state = body.state === 'open' ? 'open' : 'closed';
      return {};
    }
    if (pull !== undefined && call === `GET /pulls/${number}`) {
      const { state, draft, user, base } = pull;
      const head = { sha: this.headOf(pull.number) };
      const labels = pull.labels.map((name) => ({ name }));
      return { number: pull.number, state, draft, user, head, base: { ref: base }, labels };
    }
    if (thread !== undefined && rest === '/comments') {
      if (call.startsWith('GET')) return thread.comments;
      thread.comments.push({ id: (this.#comments += 1), body: body.body, user: { type: 'Bot' } });
      return {};
    }
    if (thread !== undefined && rest.startsWith('/labels')) {
      const gone = decodeURIComponent(rest.slice('/labels/'.length));
      if (call.startsWith('POST')) thread.labels.push(...body.labels);
      if (call.startsWith('DELETE'))
        thread.labels = thread.labels.filter((label) => label !== gone);
      return thread.labels.map((name) => ({ name }));
    }
    const [, comment] = /^PATCH \/issues\/comments\/(\d+)$/.exec(call) ?? [];
    if (comment !== undefined) {
      const all = [...this.pulls, ...this.forms].flatMap(({ comments }) => comments);
      const found = all.find(({ id }) => id === Number(comment));
      if (found !== undefined) found.body = body.body;
      return {};
    }
    const [, file] = /^POST \/actions\/workflows\/([\w.-]+)\/dispatches$/.exec(call) ?? [];
    if (file !== undefined) {
      this.dispatched.push({ file, inputs: body.inputs });
      return {};
    }
    if (call === 'GET /commits/main') {
      const date = this.git.git('-C', this.host, 'log', '-1', '--format=%cI', 'main');
      return { sha: this.main, commit: { committer: { date } } };
    }
    const [, sha = ''] = /\/(?:commits|statuses)\/([0-9a-f]{40})/.exec(call) ?? [];
    if (call === `POST /statuses/${sha}`) {
      this.statuses.push({ ...body, sha, created_at: new Date().toISOString() });
      return {};
    }
    if (call === `GET /commits/${sha}/status`) {
      // The newest of each context, in pages.
      const all = this.statuses.filter((status) => status.sha === sha);
      const newest = [...new Map(all.map((status) => [status.context, status])).values()];
      const [size, page] = [Number(query.get('per_page')), Number(query.get('page') ?? '1')];
      return { statuses: newest.slice((page - 1) * size, page * size) };
    }
    if (call === `GET /commits/${sha}/pulls`) {
      // As the real one: open pull requests only.
      const args = ['for-each-ref', '--format=%(refname)', `--points-at=${sha}`, 'refs/pull'];
      const refs = this.git.git('-C', this.host, ...args).split('\n');
      return this.pulls
        .filter(
          ({ number, state }) => state === 'open' && refs.includes(`refs/pull/${number}/head`),
        )
        .map(({ number }) => ({ number }));
    }
    if (call === 'GET /issues') {
      const issues = this.issues.map(({ title, labels }, at) => {
        return { number: at + 1, title, labels: labels.map((name) => ({ name })) };
      });
      const wanted = query.get('state');
      const open = [...this.pulls, ...this.forms].filter(
        ({ state, labels }) =>
          (wanted === 'all' || state === wanted) && labels.includes(label ?? ''),
      );
      const threads = open.map(({ number, labels }) => ({
        number,
        title: '',
        labels: labels.map((name) => ({ name })),
        ...(number < FIRST_FORM ? { pull_request: {} } : {}),
      }));
      return [...issues, ...threads];
    }
    if (call === 'POST /issues') {
      this.issues.push({ title: body.title, labels: body.labels });
      return {};
    }
    return undefined;
  }
}
