/**
 * The pull requests that `update --pull-request` keeps at the code host of a project: GitHub, Gitea and Forgejo, GitLab. What
 * jobs of a registry need of a host is another program with other rights (decision 82). Answers are validated before use.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';
import { askJson } from './ask-json.ts';
import type { GitAccess } from './git-program.ts';
import { credentialsFor, parseRepositoryAddress } from './repository-address.ts';

export interface UpdateRequest {
  readonly number: number;
  readonly state: 'open' | 'closed' | 'merged';
  readonly url: string;
  readonly body: string;
  readonly branch?: string | undefined;
}

interface RequestText {
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly labels: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Kind = 'github' | 'gitea' | 'gitlab';
type Place = { kind: Kind; base: string; token: string; owner: string; signal: AbortSignal };

const MAX_TRIES = 5;
const MAX_WAIT_SECONDS = 600;
/** Of 50 requests: older ones are not looked at. */
const MAX_PAGES = 20;
const LABEL_COLOR = '#1f6feb';

/** Of GitHub, Gitea and Forgejo. */
const Pull = z
  .object({
    number: z.int().positive(),
    state: z.string(),
    html_url: z.url(),
    body: z.string().nullish(),
    merged_at: z.string().nullish(),
    head: z.object({ ref: z.string() }).optional(),
  })
  .transform(({ number, state, html_url: url, body, merged_at: merged, head }): UpdateRequest => {
    const ended = (merged ?? '') === '' ? 'closed' : 'merged';
    const is = state === 'open' ? 'open' : ended;
    return { number, state: is, url, body: body ?? '', branch: head?.ref };
  });
const MergeRequest = z
  .object({
    iid: z.int().positive(),
    state: z.string(),
    web_url: z.url(),
    description: z.string().nullish(),
  })
  .transform(({ iid: number, state, web_url: url, description }): UpdateRequest => {
    const is = state === 'opened' ? 'open' : state === 'merged' ? 'merged' : 'closed';
    return { number, state: is, url, body: description ?? '' };
  });
const Label = z.object({ id: z.int(), name: z.string() });

/**
 * Where the branches of a project are pushed, and who may; without a token for the host there are no `requests`.
 * @param remote the address of its repository, as git has it
 * @param folder the base of a relative one
 * @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`
 */
export function openProjectHost(
  remote: string,
  folder: string,
  env: Environment,
  signal: AbortSignal,
): { url: string; access?: GitAccess | undefined; requests?: UpdateRequests } {
  // Runners put a token of the job into it.
  const address = parseRepositoryAddress(remote.replace(/^(https?:\/\/)[^/@]*@/, '$1'), folder);
  const kind = kindOf(env);
  const isGitLab = kind === 'gitlab';
  const credentials = credentialsFor(
    address,
    isGitLab
      ? {
          GITHUB_TOKEN: env['GITLAB_TOKEN'] ?? env['GITHUB_TOKEN'],
          GITHUB_SERVER_URL: env['CI_SERVER_URL'] ?? env['GITHUB_SERVER_URL'],
          GITHUB_API_URL: env['CI_API_V4_URL'] ?? env['GITHUB_API_URL'],
        }
      : env,
  );
  if (credentials === undefined) return { url: address.url };
  const { api, token, git } = credentials;
  const path = isGitLab
    ? `/projects/${encodeURIComponent(env['CI_PROJECT_ID'] ?? `${address.owner}/${address.name}`)}`
    : `/repos/${encodeURIComponent(address.owner)}/${encodeURIComponent(address.name)}`;
  const place = { kind, base: `${api}${path}`, token, owner: address.owner, signal };
  return { url: address.url, access: git, requests: new UpdateRequests(place) };
}

function kindOf(env: Environment): Kind {
  const named = env['CODE_HOST'];
  if (named === 'forgejo' || named === 'gitea') return 'gitea';
  if (named === 'github' || named === 'gitlab') return named;
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  return env['GITEA_ACTIONS'] === 'true' || env['FORGEJO_ACTIONS'] === 'true' ? 'gitea' : 'github';
}

/** The requests of one repository. Every method throws {ClientError} `ERR_CODE_HOST`, `ERR_NETWORK`. */
export class UpdateRequests {
  readonly #at: Place;
  #all: Promise<UpdateRequest[]> | undefined;

  /** @param at `base` is the address of the repository in the API */
  constructor(at: Place) {
    this.#at = at;
  }

  /** Those that a branch had, the newest first. */
  async of(branch: string): Promise<UpdateRequest[]> {
    const name = encodeURIComponent(branch);
    if (this.#at.kind === 'gitlab') {
      const query = `state=all&source_branch=${name}&order_by=created_at&sort=desc`;
      return this.#ask(z.array(MergeRequest), `/merge_requests?${query}`);
    }
    const rows =
      this.#at.kind === 'github'
        ? await this.#ask(z.array(Pull), `/pulls?state=all&head=${this.#at.owner}:${name}`)
        : // Gitea lists all of them only.
          (await (this.#all ??= this.#list())).filter((one) => one.branch === branch);
    return rows.sort((a, b) => b.number - a.number);
  }

  async open(branch: string, base: string, text: RequestText): Promise<UpdateRequest> {
    this.#all = undefined;
    if (this.#at.kind === 'gitlab') {
      const about = { source_branch: branch, target_branch: base, remove_source_branch: true };
      const more = { ...this.#textOf(text), labels: text.labels.join(',') };
      return this.#ask(MergeRequest, '/merge_requests', { ...about, ...more });
    }
    const about = { ...this.#textOf(text), head: branch, base };
    const ask = (more = {}): Promise<UpdateRequest> =>
      this.#ask(Pull, '/pulls', { ...about, ...more });
    // Not every plan of GitHub has drafts.
    const hasDraft = this.#at.kind === 'github' && text.isDraft;
    const made = await (hasDraft ? ask({ draft: true }).catch(() => ask()) : ask());
    await this.#label(made.number, text.labels);
    return made;
  }

  async update({ number }: UpdateRequest, text: RequestText): Promise<void> {
    if (this.#at.kind === 'gitlab') {
      return this.#change(number, { ...this.#textOf(text), add_labels: text.labels.join(',') });
    }
    await this.#change(number, this.#textOf(text));
    await this.#label(number, text.labels);
  }

  async close({ number }: UpdateRequest, why: string): Promise<void> {
    const isGitLab = this.#at.kind === 'gitlab';
    const thread = isGitLab ? `/merge_requests/${number}/notes` : `/issues/${number}/comments`;
    await this.#ask(z.unknown(), thread, { body: why });
    await this.#change(number, isGitLab ? { state_event: 'close' } : { state: 'closed' });
  }

  async #change(number: number, body: object): Promise<void> {
    await (this.#at.kind === 'gitlab'
      ? this.#ask(z.unknown(), `/merge_requests/${number}`, body, 'PUT')
      : this.#ask(z.unknown(), `/pulls/${number}`, body, 'PATCH'));
  }

  #textOf({ title, body, isDraft }: RequestText): object {
    const mark = { gitlab: 'Draft: ', gitea: 'WIP: ', github: '' }[this.#at.kind];
    const marked = isDraft ? `${mark}${title}` : title;
    return this.#at.kind === 'gitlab'
      ? { title: marked, description: body }
      : { title: marked, body };
  }

  async #list(): Promise<UpdateRequest[]> {
    const found: UpdateRequest[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = `state=all&sort=recentupdate&limit=50&page=${page}`;
      const rows = await this.#ask(z.array(Pull), `/pulls?${query}`);
      found.push(...rows);
      if (rows.length === 0) break;
    }
    return found;
  }

  async #label(number: number, names: readonly string[]): Promise<void> {
    const path = `/issues/${number}/labels`;
    if (names.length === 0) return;
    if (this.#at.kind === 'github') {
      await this.#ask(z.unknown(), path, { labels: names });
      return;
    }
    // Gitea knows labels by their ids, and creates none.
    const known = await this.#ask(z.array(Label), '/labels?limit=50');
    const labels: number[] = [];
    for (const name of names) {
      const label =
        known.find((one) => one.name === name) ??
        (await this.#ask(Label, '/labels', { name, color: LABEL_COLOR }));
      labels.push(label.id);
    }
    await this.#ask(z.unknown(), path, { labels });
  }

  /** One request; again after the pause that a busy host asks for. */
  async #ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body?: object,
    method?: 'PATCH' | 'PUT',
  ): Promise<z.infer<Schema>> {
    const { base, token, signal } = this.#at;
    const options = { token, signal, ...(body && { body }), ...(method && { method }) };
    for (let tries = 1; ; tries += 1) {
      const answer = await askJson('the code host', `${base}${path}`, options);
      const { status, value, waitSeconds } = answer;
      if (status >= 200 && status < 300) {
        const read = schema.safeParse(value);
        if (read.success) return read.data;
        throw new ClientError('ERR_CODE_HOST', 'The answer of the code host cannot be read', {
          hint: 'check GITHUB_API_URL or CI_API_V4_URL, and CODE_HOST: github, gitea, forgejo or gitlab',
        });
      }
      if (waitSeconds === undefined || waitSeconds > MAX_WAIT_SECONDS || tries >= MAX_TRIES) {
        const stated = z.object({ message: z.string() }).safeParse(value).data?.message ?? '';
        const why = stated === '' ? '' : `: ${oneLine(stated).slice(0, 200)}`;
        const what = `${method ?? (body === undefined ? 'GET' : 'POST')} ${path.split('?')[0]}`;
        throw new ClientError('ERR_CODE_HOST', `The code host answers ${status} to ${what}${why}`, {
          hint: 'the token needs write access to contents, pull requests and issues of the repository',
        });
      }
      await sleep(waitSeconds * 1000, undefined, { signal });
    }
  }
}
