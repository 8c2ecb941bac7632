/** GitHub, and Gitea and Forgejo, whose API is that of GitHub except for what `GiteaHost` has. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { EVENT_LOGIN } from '../../format/registry/account.ts';
import {
  HostError,
  type CodeHost,
  type HostRequests,
  type Issue,
  type IssueEvent,
  type Label,
  type PullRequest,
  type Status,
  type StatusText,
  type Thread,
} from './host-requests.ts';

const Sha = z.string().regex(/^[0-9a-f]{40}$/);
const Account = z.object({ id: z.int() }).nullish();
const LabelRow = z.object({ id: z.int().optional(), name: z.string() });
const Labels = z.array(LabelRow).nullish();
const Numbered = z.object({ number: z.int().positive() });
const Pull = Numbered.extend({
  state: z.string(),
  draft: z.boolean().default(false),
  user: z.object({ login: z.string().regex(EVENT_LOGIN), id: z.int().positive() }),
  head: z.object({ sha: Sha }),
  base: z.object({ ref: z.string() }),
  labels: Labels,
});
const Comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ id: z.int().optional(), type: z.string().optional() }).nullish(),
});
const StatusRow = z.object({
  context: z.string(),
  /** Gitea calls it `status`. */
  state: z.string().optional(),
  status: z.string().optional(),
  description: z.string().nullish(),
  created_at: z.string(),
});
const Commit = z.object({
  sha: Sha,
  commit: z.object({ committer: z.object({ date: z.string() }) }),
});
const IssueRow = z.object({
  state: z.string().default('open'),
  user: Account,
  closed_by: Account,
  labels: Labels,
});
const Listed = Numbered.extend({ labels: Labels, pull_request: z.unknown().optional() });
const Event = z.object({
  action: z.string(),
  issue: Listed.extend({
    state: z.string(),
    title: z.string().default(''),
    body: z.string().nullish(),
    user: Account,
    updated_at: z.iso.datetime({ offset: true }),
  }),
  sender: z.object({ id: z.int() }),
});

export class GitHubHost implements CodeHost {
  protected readonly requests: HostRequests;

  constructor(requests: HostRequests) {
    this.requests = requests;
  }

  get calls(): number {
    return this.requests.calls;
  }

  async pull(number: number): Promise<PullRequest> {
    return pullOf(await this.requests.get(Pull, `/pulls/${number}`));
  }

  pullRef(number: number): string {
    return `refs/pull/${number}/head`;
  }

  async pullsWith(
    label: string,
    state: 'open' | 'all',
  ): Promise<{ number: number; labels: string[] }[]> {
    const query = `state=${state}&labels=${encodeURIComponent(label)}&sort=created&direction=asc`;
    const listed = await this.requests.all(Listed, `/issues?${query}`);
    // Gitea leaves a name out of the filter that is no label of the repository, and lists the newest first.
    return listed
      .filter(({ pull_request: pull }) => pull !== undefined && pull !== null)
      .map(({ number, labels }) => ({ number, labels: namesOf(labels) }))
      .filter(({ labels }) => labels.includes(label))
      .sort((a, b) => a.number - b.number);
  }

  async pullsOf(sha: string): Promise<number[]> {
    const listed = await this.requests.all(Numbered, `/commits/${sha}/pulls`);
    return listed.map(({ number }) => number);
  }

  async landed(_number: number, _commit: string): Promise<void> {}

  async issue({ number }: Thread): Promise<Issue> {
    const row = await this.requests.get(IssueRow, `/issues/${number}`);
    return {
      isOpen: row.state === 'open',
      author: row.user?.id,
      closedBy: row.closed_by?.id,
      labels: namesOf(row.labels),
    };
  }

  async close({ number }: Thread): Promise<void> {
    await this.requests.send('PATCH', `/issues/${number}`, { state: 'closed' });
  }

  async comment({ number }: Thread, marker: string, text: string): Promise<void> {
    const body = `${marker}\n${text}`;
    const path = `/issues/${number}/comments`;
    const comments = await this.requests.all(Comment, path);
    for (const comment of comments) {
      // Anyone can write the marker; only comments of programs, or of this account, are overwritten.
      if (comment.body?.startsWith(marker) !== true || !(await this.#isOwn(comment.user))) continue;
      if (comment.body !== body)
        await this.requests.send('PATCH', `/issues/comments/${comment.id}`, { body });
      return;
    }
    await this.requests.send('POST', path, { body }, false);
  }

  async label(
    thread: Thread,
    wanted: readonly string[],
    prefix?: string,
    present?: readonly string[],
  ): Promise<void> {
    const path = `/issues/${thread.number}/labels`;
    const names = present ?? namesOf(await this.requests.all(LabelRow, path));
    for (const name of names) {
      if (prefix === undefined || wanted.includes(name) || !name.startsWith(prefix)) continue;
      await this.removeLabel(path, name);
    }
    const missing = wanted.filter((name) => !names.includes(name));
    if (missing.length > 0) await this.addLabels(path, missing);
  }

  async createLabels(labels: readonly Label[]): Promise<string[]> {
    const present = namesOf(await this.requests.all(LabelRow, '/labels'));
    const missing = labels.filter(({ name }) => !present.includes(name));
    for (const { name, color, description } of missing) {
      await this.requests.send('POST', '/labels', { name, color, description });
    }
    return missing.map(({ name }) => name);
  }

  async statuses(sha: string): Promise<Status[]> {
    const list = (page: unknown): unknown => (page as { statuses?: unknown } | undefined)?.statuses;
    const rows = await this.requests.all(StatusRow, `/commits/${sha}/status`, list);
    return rows.flatMap(({ context, created_at: at, ...row }) => {
      const [state, time] = [stateOf(row.state ?? row.status), Date.parse(at)];
      if (state === undefined || Number.isNaN(time)) return [];
      return [{ context, state, description: row.description ?? '', time }];
    });
  }

  async setStatus(sha: string, context: string, status: StatusText): Promise<void> {
    const { state, description } = status;
    await this.requests.send('POST', `/statuses/${sha}`, { context, state, description });
  }

  async dispatch(
    workflow: string,
    branch: string,
    inputs: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const path = `/actions/workflows/${workflow}.yml/dispatches`;
    await this.requests.send('POST', path, { ref: branch, inputs });
  }

  async newestCommit(branch: string): Promise<{ sha: string; time: number }> {
    const { sha, commit } = await this.requests.get(Commit, this.commitPath(branch));
    return { sha, time: Date.parse(commit.committer.date) };
  }

  async alarm(label: string, title: string, body: string): Promise<void> {
    const query = `/issues?state=open&labels=${encodeURIComponent(label)}`;
    const open = await this.requests.all(Listed, query);
    if (open.some(({ labels }) => namesOf(labels).includes(label))) return;
    const issue = { title, body, ...this.labelsOfNew([label]) };
    await this.labelNew(await this.requests.send('POST', '/issues', issue, false), [label]);
  }

  issueEvent(bytes: Uint8Array): IssueEvent {
    const { action, issue, sender } = parseDocument(Event, bytes, 'the event');
    const { number, state, title, body, user, labels, updated_at: at } = issue;
    return {
      number,
      isOpen: state === 'open',
      isPull: issue.pull_request !== undefined && issue.pull_request !== null,
      isEdit: action === 'edited',
      title,
      body: body ?? '',
      labels: namesOf(labels),
      author: user?.id,
      sender: sender.id,
      at: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    };
  }

  protected async removeLabel(path: string, name: string): Promise<void> {
    await this.requests.send('DELETE', `${path}/${encodeURIComponent(name)}`);
  }

  protected commitPath(branch: string): string {
    return `/commits/${branch}`;
  }

  /** GitHub creates a label that the repository does not have. */
  protected async addLabels(path: string, labels: readonly string[]): Promise<void> {
    await this.requests.send('POST', path, { labels });
  }

  protected labelsOfNew(labels: readonly string[]): object {
    return { labels };
  }

  protected async labelNew(_made: unknown, _labels: readonly string[]): Promise<void> {}

  async #isOwn(user: z.infer<typeof Comment>['user']): Promise<boolean> {
    // Gitea's account of workflows has the id -2.
    if (user?.type === 'Bot' || user?.id === -2) return true;
    const own = await this.requests.whoAmI();
    return own !== undefined && own === user?.id;
  }
}

const UNKNOWN_LABEL_COLOR = 'ededed';

function pullOf(row: z.infer<typeof Pull>): PullRequest {
  return {
    number: row.number,
    isOpen: row.state === 'open',
    isDraft: row.draft,
    author: { login: row.user.login, id: row.user.id },
    head: row.head.sha,
    base: row.base.ref,
    labels: namesOf(row.labels),
  };
}

export class GiteaHost extends GitHubHost {
  readonly #event: string | undefined;

  /** @param event the file with the event that started the run */
  constructor(requests: HostRequests, event?: string) {
    super(requests);
    this.#event = event;
  }

  /** In a private repository the token of a run for a fork reads code alone: the event has the pull request. */
  override async pull(number: number): Promise<PullRequest> {
    try {
      return await super.pull(number);
    } catch (error) {
      const isHidden = error instanceof HostError && error.status === 404;
      if (!isHidden || this.#event === undefined) throw error;
      const Started = z.object({ pull_request: Pull.optional() });
      const { pull_request: row } = parseDocument(Started, readFileSync(this.#event), 'the event');
      if (row?.number !== number) throw error;
      return pullOf(row);
    }
  }

  override async pullsOf(sha: string): Promise<number[]> {
    const open = await this.requests.all(
      Numbered.extend({ head: z.object({ sha: z.string() }) }),
      '/pulls?state=open',
    );
    return open.filter(({ head }) => head.sha === sha).map(({ number }) => number);
  }

  /** Gitea looks for a merge by push only where the repository is set to. */
  override async landed(number: number, commit: string): Promise<void> {
    if (!(await this.pull(number)).isOpen) return;
    const merge = { Do: 'manually-merged', MergeCommitID: commit };
    try {
      await this.requests.send('POST', `/pulls/${number}/merge`, merge, false);
    } catch (error) {
      // The repository does not allow merges by hand: then it is only closed.
      if (!(error instanceof HostError) || error.status === undefined) throw error;
      await this.close({ kind: 'pull', number });
    }
  }

  override async issue(thread: Thread): Promise<Issue> {
    const issue = await super.issue(thread);
    if (issue.isOpen) return issue;
    const Entry = z.object({ type: z.string(), user: Account });
    const entries = await this.requests.all(Entry, `/issues/${thread.number}/timeline`);
    const closing = entries.findLast(({ type }) => type === 'close');
    return { ...issue, closedBy: closing?.user?.id };
  }

  /** It knows labels by their ids. */
  protected override async removeLabel(path: string, name: string): Promise<void> {
    const rows = await this.requests.all(LabelRow, path);
    const id = rows.find((row) => row.name === name)?.id;
    if (id !== undefined) await this.requests.send('DELETE', `${path}/${id}`);
  }

  protected override commitPath(branch: string): string {
    return `/git/commits/${branch}`;
  }

  /** Gitea leaves out a label that the repository does not have. */
  protected override async addLabels(path: string, labels: readonly string[]): Promise<void> {
    const set = namesOf(Labels.parse(await this.requests.send('POST', path, { labels })));
    const missing = labels.filter((name) => !set.includes(name));
    if (missing.length === 0) return;
    const description = '';
    await this.createLabels(
      missing.map((name) => ({ name, color: UNKNOWN_LABEL_COLOR, description })),
    );
    await this.requests.send('POST', path, { labels: missing });
  }

  /** It takes ids only. */
  protected override labelsOfNew(): object {
    return {};
  }

  protected override async labelNew(made: unknown, labels: readonly string[]): Promise<void> {
    const { number } = Numbered.parse(made);
    await this.addLabels(`/issues/${number}/labels`, labels);
  }
}

function namesOf(labels: z.infer<typeof Labels>): string[] {
  return (labels ?? []).map(({ name }) => name);
}

function stateOf(state: string | undefined): Status['state'] | undefined {
  return (['success', 'pending', 'failure'] as const).find((known) => known === state);
}
