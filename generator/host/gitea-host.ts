/** Gitea and Forgejo: what differs from the API of GitHub. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import {
  Account,
  GitHubHost,
  LabelRow,
  Labels,
  Numbered,
  Pull,
  namesOf,
  pullOf,
  type Issue,
  type PullRequest,
} from './github-host.ts';
import { HostError, type HostRequests } from './host-requests.ts';

const UNKNOWN_LABEL_COLOR = 'ededed';

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
      await this.close(number);
    }
  }

  override async issue(number: number): Promise<Issue> {
    const issue = await super.issue(number);
    if (issue.isOpen) return issue;
    const Entry = z.object({ type: z.string(), user: Account });
    const entries = await this.requests.all(Entry, `/issues/${number}/timeline`);
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
