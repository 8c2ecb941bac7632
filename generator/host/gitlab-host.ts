/** GitLab: merge requests have their own numbers, comments are notes, and a pipeline with variables is what a workflow is elsewhere. */
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
const Row = z.object({ iid: z.int().positive(), state: z.string(), labels: z.array(z.string()) });
const MergeRequest = Row.extend({
  draft: z.boolean().default(false),
  author: z.object({ username: z.string().regex(EVENT_LOGIN), id: z.int().positive() }),
  sha: Sha,
  target_branch: z.string(),
});
const ThreadRow = Row.extend({ author: Account, closed_by: Account });
const Note = z.object({ id: z.int(), body: z.string(), author: Account });
const StatusRow = z.object({
  name: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  created_at: z.string(),
});
const Commit = z.object({ id: Sha, committed_date: z.string() });
/** Of a webhook that starts a pipeline. */
const Event = z.object({
  user: z.object({ id: z.int() }),
  object_attributes: z.object({
    iid: z.int().positive(),
    state: z.string(),
    action: z.string().optional(),
    title: z.string(),
    description: z.string().nullish(),
    author_id: z.int(),
    updated_at: z.string(),
  }),
  labels: z.array(z.object({ title: z.string() })).default([]),
});

/** Ours to those of GitLab. */
const STATES = { success: 'success', pending: 'pending', failure: 'failed' } as const;

export class GitLabHost implements CodeHost {
  readonly #requests: HostRequests;

  constructor(requests: HostRequests) {
    this.#requests = requests;
  }

  get calls(): number {
    return this.#requests.calls;
  }

  async pull(number: number): Promise<PullRequest> {
    const row = await this.#requests.get(MergeRequest, `/merge_requests/${number}`);
    const { username: login, id } = row.author;
    const about = {
      number,
      isOpen: row.state === 'opened',
      isDraft: row.draft,
      labels: row.labels,
    };
    return { ...about, author: { login, id }, head: row.sha, base: row.target_branch };
  }

  pullRef(number: number): string {
    return `refs/merge-requests/${number}/head`;
  }

  async pullsWith(
    label: string,
    state: 'open' | 'all',
  ): Promise<{ number: number; labels: string[] }[]> {
    const which = state === 'open' ? 'opened' : 'all';
    const query = `labels=${encodeURIComponent(label)}&state=${which}&order_by=created_at&sort=asc`;
    const rows = await this.#requests.all(Row, `/merge_requests?${query}`);
    return rows.map(({ iid, labels }) => ({ number: iid, labels }));
  }

  async pullsOf(sha: string): Promise<number[]> {
    const rows = await this.#requests.all(Row, `/repository/commits/${sha}/merge_requests`);
    return rows.filter(({ state }) => state === 'opened').map(({ iid }) => iid);
  }

  /** GitLab sees a merge by push itself. */
  async landed(): Promise<void> {}

  async issue(thread: Thread): Promise<Issue> {
    const row = await this.#requests.get(ThreadRow, pathOf(thread));
    return {
      isOpen: row.state === 'opened',
      author: row.author?.id,
      closedBy: row.closed_by?.id,
      labels: row.labels,
    };
  }

  async close(thread: Thread): Promise<void> {
    await this.#requests.send('PUT', pathOf(thread), { state_event: 'close' });
  }

  async comment(thread: Thread, marker: string, text: string): Promise<void> {
    const body = `${marker}\n${text}`;
    const path = `${pathOf(thread)}/notes`;
    const notes = await this.#requests.all(Note, `${path}?sort=asc`);
    for (const note of notes) {
      // Anyone can write the marker.
      if (!note.body.startsWith(marker) || note.author?.id !== (await this.#requests.whoAmI()))
        continue;
      if (note.body !== body) await this.#requests.send('PUT', `${path}/${note.id}`, { body });
      return;
    }
    await this.#requests.send('POST', path, { body }, false);
  }

  /** GitLab creates a label that the project does not have. */
  async label(
    thread: Thread,
    wanted: readonly string[],
    prefix?: string,
    present?: readonly string[],
  ): Promise<void> {
    const labels = present ?? (await this.issue(thread)).labels;
    const gone = labels.filter(
      (name) => prefix !== undefined && name.startsWith(prefix) && !wanted.includes(name),
    );
    const missing = wanted.filter((name) => !labels.includes(name));
    if (gone.length + missing.length === 0) return;
    const change = { add_labels: missing.join(','), remove_labels: gone.join(',') };
    await this.#requests.send('PUT', pathOf(thread), change);
  }

  async createLabels(labels: readonly Label[]): Promise<string[]> {
    const rows = await this.#requests.all(z.object({ name: z.string() }), '/labels');
    const missing = labels.filter(({ name }) => !rows.some((row) => row.name === name));
    for (const { name, color, description } of missing) {
      await this.#requests.send('POST', '/labels', { name, color: `#${color}`, description });
    }
    return missing.map(({ name }) => name);
  }

  async statuses(sha: string): Promise<Status[]> {
    const rows = await this.#requests.all(StatusRow, `/repository/commits/${sha}/statuses`);
    return rows.flatMap(({ name, status, description, created_at: at }) => {
      const states = Object.keys(STATES) as (keyof typeof STATES)[];
      const state = states.find((one) => STATES[one] === status);
      const time = Date.parse(at);
      if (state === undefined || Number.isNaN(time)) return [];
      return [{ context: name, state, description: description ?? '', time }];
    });
  }

  async setStatus(sha: string, context: string, status: StatusText): Promise<void> {
    const path = `/statuses/${sha}`;
    const about = { name: context, state: STATES[status.state], description: status.description };
    try {
      await this.#requests.send('POST', path, about);
    } catch (error) {
      // One that is pending cannot become pending, and would keep its time: another one follows the one that ends.
      if (!(error instanceof HostError) || error.status !== 400) throw error;
      await this.#requests.send('POST', path, { name: context, state: 'canceled' });
      await this.#requests.send('POST', path, about);
    }
  }

  async dispatch(
    workflow: string,
    branch: string,
    inputs: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const given = Object.entries({ stackyard_workflow: workflow, ...inputs });
    const variables = given.map(([key, value]) => ({ key: key.toUpperCase(), value }));
    await this.#requests.send('POST', '/pipeline', { ref: branch, variables });
  }

  async newestCommit(branch: string): Promise<{ sha: string; time: number }> {
    const commit = await this.#requests.get(Commit, `/repository/commits/${branch}`);
    return { sha: commit.id, time: Date.parse(commit.committed_date) };
  }

  async alarm(label: string, title: string, description: string): Promise<void> {
    const open = await this.#requests.all(
      Row,
      `/issues?state=opened&labels=${encodeURIComponent(label)}`,
    );
    if (open.length > 0) return;
    await this.#requests.send('POST', '/issues', { title, description, labels: label }, false);
  }

  issueEvent(bytes: Uint8Array): IssueEvent {
    const event = parseDocument(Event, bytes, 'the event');
    const { iid: number, state, action, title, description, ...issue } = event.object_attributes;
    return {
      number,
      isOpen: state === 'opened',
      isPull: false,
      isEdit: action === 'update',
      title,
      body: description ?? '',
      labels: event.labels.map((label) => label.title),
      author: issue.author_id,
      sender: event.user.id,
      at: new Date(issue.updated_at).toISOString().replace(/\.\d+Z$/, 'Z'),
    };
  }
}

function pathOf({ kind, number }: Thread): string {
  return `/${kind === 'pull' ? 'merge_requests' : 'issues'}/${number}`;
}
