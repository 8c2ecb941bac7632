/** What the jobs of the workflows do at a code host, by the API of GitHub; `gitea-host.ts` has what differs elsewhere. */
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { EVENT_LOGIN, type Person } from '../../format/registry/account.ts';
import { OBJECT_ID } from '../gate/gate-verdict.ts';
import type { HostRequests } from './host-requests.ts';

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

const Sha = z.string().regex(OBJECT_ID);
export const Account = z.object({ id: z.int() }).nullish();
export const LabelRow = z.object({ id: z.int().optional(), name: z.string() });
export const Labels = z.array(LabelRow).nullish();
export const Numbered = z.object({ number: z.int().positive() });
export const Pull = Numbered.extend({
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

/** One repository at a code host, with one token. Every method throws `HostError`. */
export class GitHubHost {
  protected readonly requests: HostRequests;

  constructor(requests: HostRequests) {
    this.requests = requests;
  }

  /** How many requests it sent. */
  get calls(): number {
    return this.requests.calls;
  }

  async pull(number: number): Promise<PullRequest> {
    return pullOf(await this.requests.get(Pull, `/pulls/${number}`));
  }

  /** The ref of the repository that has the commits of a pull request. */
  pullRef(number: number): string {
    return `refs/pull/${number}/head`;
  }

  /** Pull requests with a label, the oldest first. */
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

  /** The open pull requests whose head is at a commit. */
  async pullsOf(sha: string): Promise<number[]> {
    const listed = await this.requests.all(Numbered, `/commits/${sha}/pulls`);
    return listed.map(({ number }) => number);
  }

  /** Reports to the host which commit of the base branch merged a pull request, where it does not see that itself. */
  async landed(_number: number, _commit: string): Promise<void> {}

  /** A pull request or an issue: they have one row of numbers. */
  async issue(number: number): Promise<Issue> {
    const row = await this.requests.get(IssueRow, `/issues/${number}`);
    return {
      isOpen: row.state === 'open',
      author: row.user?.id,
      closedBy: row.closed_by?.id,
      labels: namesOf(row.labels),
    };
  }

  async close(number: number): Promise<void> {
    await this.requests.send('PATCH', `/issues/${number}`, { state: 'closed' });
  }

  /** Writes the comment that begins with `marker`, and replaces that of an earlier run. */
  async comment(number: number, marker: string, text: string): Promise<void> {
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

  /**
   * Sets `wanted`, and with a `prefix` removes the others that begin with it. A label that the repository does not have is created.
   * @param present what the thread has; without it, the host is asked
   */
  async label(
    number: number,
    wanted: readonly string[],
    prefix?: string,
    present?: readonly string[],
  ): Promise<void> {
    const path = `/issues/${number}/labels`;
    const names = present ?? namesOf(await this.requests.all(LabelRow, path));
    for (const name of names) {
      if (prefix === undefined || wanted.includes(name) || !name.startsWith(prefix)) continue;
      await this.removeLabel(path, name);
    }
    const missing = wanted.filter((name) => !names.includes(name));
    if (missing.length > 0) await this.addLabels(path, missing);
  }

  /** Creates those that the repository does not have. @returns their names */
  async createLabels(labels: readonly Label[]): Promise<string[]> {
    const present = namesOf(await this.requests.all(LabelRow, '/labels'));
    const missing = labels.filter(({ name }) => !present.includes(name));
    for (const { name, color, description } of missing) {
      await this.requests.send('POST', '/labels', { name, color, description });
    }
    return missing.map(({ name }) => name);
  }

  /** The newest status of a commit in each context. */
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

  /** Starts a workflow on `branch`: pushes with the token of a workflow do not start one. @param workflow such as "publish" */
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

  /** Opens an issue, unless one with that label is open. */
  async alarm(label: string, title: string, body: string): Promise<void> {
    const query = `/issues?state=open&labels=${encodeURIComponent(label)}`;
    const open = await this.requests.all(Listed, query);
    if (open.some(({ labels }) => namesOf(labels).includes(label))) return;
    const issue = { title, body, ...this.labelsOfNew([label]) };
    await this.labelNew(await this.requests.send('POST', '/issues', issue, false), [label]);
  }

  /** @param bytes of the event that started the run */
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

export function pullOf(row: z.infer<typeof Pull>): PullRequest {
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

export function namesOf(labels: z.infer<typeof Labels>): string[] {
  return (labels ?? []).map(({ name }) => name);
}

function stateOf(state: string | undefined): Status['state'] | undefined {
  return (['success', 'pending', 'failure'] as const).find((known) => known === state);
}
