/** The part of the code host's API that the workflows need. Responses are validated before use. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { EVENT_LOGIN } from '../../format/registry/account.ts';
import { escapeCommandData } from '../gate/escape.ts';

const TIMEOUT_MS = 30_000;
const MAX_PAGES = 20;
const PAGE = 100;

const PullRequest = z.object({
  number: z.int().positive(),
  state: z.string(),
  draft: z.boolean().default(false),
  user: z.object({ login: z.string().regex(EVENT_LOGIN), id: z.int().positive() }),
  head: z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) }),
  base: z.object({ ref: z.string() }),
});
type PullRequest = z.infer<typeof PullRequest>;

const Comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ type: z.string().optional() }).nullish(),
});
type Comment = z.infer<typeof Comment>;

const Statuses = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.enum(['success', 'pending', 'failure', 'error']),
      description: z.string().nullish(),
      created_at: z.string(),
    }),
  ),
});
const Label = z.object({ name: z.string() });
const Commit = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  commit: z.object({ committer: z.object({ date: z.string() }) }),
});
const Issue = z.object({
  number: z.int(),
  state: z.string().default('open'),
  user: z.object({ id: z.int().positive() }).nullish(),
  closed_by: z.object({ id: z.int().positive() }).nullish(),
  labels: z.array(z.object({ name: z.string() })).default([]),
});
type Issue = z.infer<typeof Issue>;
const Listed = z.object({
  number: z.int().positive(),
  labels: z.array(Label),
  pull_request: z.unknown().optional(),
});

export interface StatusText {
  readonly state: 'success' | 'pending' | 'failure';
  /** At most 140 characters, the code host's limit. */
  readonly description: string;
}

/** A status that was set. */
export interface Status extends StatusText {
  readonly context: string;
  /** Milliseconds since 1970, by the code host's clock. */
  readonly time: number;
}

export class CodeHost {
  readonly #root: string;
  readonly #token: string | undefined;

  constructor(env: Environment) {
    const repository = required(env, 'GITHUB_REPOSITORY');
    this.#root = `${required(env, 'GITHUB_API_URL')}/repos/${repository}`;
    this.#token = optional(env, 'GITHUB_TOKEN');
  }

  async pull(number: number): Promise<PullRequest> {
    return PullRequest.parse(await this.#ask('GET', `/pulls/${number}`));
  }

  async issue(number: number): Promise<Issue> {
    return Issue.parse(await this.#ask('GET', `/issues/${number}`));
  }

  async close(number: number): Promise<void> {
    await this.#ask('PATCH', `/issues/${number}`, { state: 'closed' });
  }

  /** Pull requests with a label, the oldest first. */
  async pullsWith(
    label: string,
    state: 'open' | 'all',
  ): Promise<{ number: number; labels: string[] }[]> {
    const found: { number: number; labels: string[] }[] = [];
    const query = `?state=${state}&labels=${encodeURIComponent(label)}&sort=created&direction=asc`;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const path = `/issues${query}&per_page=${PAGE}&page=${page}`;
      const listed = z.array(Listed).parse(await this.#ask('GET', path));
      for (const { number, labels, pull_request: pull } of listed) {
        if (pull !== undefined) found.push({ number, labels: labels.map(({ name }) => name) });
      }
      if (listed.length < PAGE) break;
    }
    return found;
  }

  /** The open pull requests whose head is at a commit, or has it in its history. */
  async pullsOf(sha: string): Promise<number[]> {
    const path = `/commits/${sha}/pulls?per_page=${PAGE}`;
    const listed = z.array(z.object({ number: z.int().positive() }));
    return listed.parse(await this.#ask('GET', path)).map(({ number }) => number);
  }

  async labels(number: number): Promise<string[]> {
    const path = `/issues/${number}/labels?per_page=${PAGE}`;
    return z
      .array(Label)
      .parse(await this.#ask('GET', path))
      .map(({ name }) => name);
  }

  /** The newest status of a commit in each context. */
  async statuses(sha: string): Promise<Status[]> {
    const found: Status[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const path = `/commits/${sha}/status?per_page=${PAGE}&page=${page}`;
      const { statuses } = Statuses.parse(await this.#ask('GET', path));
      for (const { context, state, description, created_at: at } of statuses) {
        const time = Date.parse(at);
        if (state === 'error' || Number.isNaN(time)) continue;
        found.push({ context, state, description: description ?? '', time });
      }
      if (statuses.length < PAGE) return found;
    }
    throw new Error(`Commit ${sha} has more than ${MAX_PAGES * PAGE} statuses`);
  }

  async setStatus(sha: string, context: string, status: StatusText): Promise<void> {
    const { state, description } = status;
    await this.#ask('POST', `/statuses/${sha}`, { context, state, description });
  }

  /** Writes the comment that begins with `marker`, and replaces that of an earlier run. */
  async comment(number: number, marker: string, text: string): Promise<void> {
    const body = `${marker}\n${text}`;
    const own = await this.#findComment(number, marker);
    if (own === undefined) await this.#ask('POST', `/issues/${number}/comments`, { body });
    else if (own.body !== body) await this.#ask('PATCH', `/issues/comments/${own.id}`, { body });
  }

  /** Sets `wanted`, and with a `prefix` removes the others that begin with it. */
  async label(number: number, wanted: readonly string[], prefix?: string): Promise<void> {
    const path = `/issues/${number}/labels`;
    const present = await this.labels(number);
    for (const name of present) {
      if (prefix === undefined || wanted.includes(name) || !name.startsWith(prefix)) continue;
      await this.#ask('DELETE', `${path}/${encodeURIComponent(name)}`);
    }
    const missing = wanted.filter((name) => !present.includes(name));
    if (missing.length > 0) await this.#ask('POST', path, { labels: missing });
  }

  /** Starts a workflow on `branch`: pushes with the token of a workflow do not start one. */
  async dispatch(file: string, branch: string, inputs: Record<string, string> = {}): Promise<void> {
    await this.#ask('POST', `/actions/workflows/${file}/dispatches`, { ref: branch, inputs });
  }

  async newestCommit(branch: string): Promise<{ sha: string; time: number }> {
    const { sha, commit } = Commit.parse(await this.#ask('GET', `/commits/${branch}`));
    return { sha, time: Date.parse(commit.committer.date) };
  }

  /** Opens an issue, unless one with that label is open. */
  async alarm(label: string, title: string, body: string): Promise<void> {
    const query = `/issues?state=open&labels=${encodeURIComponent(label)}`;
    const open = z.array(Issue).parse(await this.#ask('GET', query));
    if (open.length === 0) await this.#ask('POST', '/issues', { title, body, labels: [label] });
  }

  async #findComment(number: number, marker: string): Promise<Comment | undefined> {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = `?per_page=${PAGE}&page=${page}`;
      const answer = await this.#ask('GET', `/issues/${number}/comments${query}`);
      const comments = z.array(Comment).parse(answer);
      // Anyone can write the marker; only comments of programs are overwritten.
      const own = comments.find(
        ({ body, user }) => user?.type === 'Bot' && body?.startsWith(marker) === true,
      );
      if (own !== undefined) return own;
      if (comments.length < PAGE) return undefined;
    }
    return undefined;
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const token = this.#token;
    const response = await fetch(`${this.#root}${path}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'stackyard-gate',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path} was answered with ${response.status}`);
    }
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

/** The environment variables that a workflow passes to a script, each checked before use. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FORMS = {
  GITHUB_API_URL: /^https?:\/\/[^\s?#]{1,200}$/,
  GITHUB_REPOSITORY: /^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/,
  GITHUB_SERVER_URL: /^https?:\/\/[^\s?#]{1,200}$/,
  GITHUB_TOKEN: /^[\x21-\x7e]{1,1000}$/,
  PULL_NUMBER: /^[1-9]\d{0,8}$/,
  BASE_BRANCH: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  VERDICT_FILE: /^[^\0\n]{1,500}$/,
  APPROVED_BY: /^[A-Za-z0-9-]{1,39}$/,
  APPROVED_BY_ID: /^[1-9]\d{0,14}$/,
  TRIGGERED_BY: /^[A-Za-z0-9-]{1,39}(?:\[bot\])?$/,
  APPROVED_HEAD: /^[0-9a-f]{40}$/,
  FORM_FILE: /^[^\0\n]{1,500}$/,
  MATRIX_FOLDER: /^[^\0\n]{1,500}$/,
  GITHUB_EVENT_NAME: /^[a-z_]{1,40}$/,
  GITHUB_OUTPUT: /^[^\0\n]{1,500}$/,
  GITHUB_EVENT_PATH: /^[^\0\n]{1,500}$/,
  BASE_URL: /^https?:\/\/[^\s?#]{1,500}$/,
  FRESH_WITHIN_SECONDS: /^\d{1,5}$/,
  POLL_SECONDS: /^\d{1,3}$/,
  INDEX_FOLDER: /^[^\0\n]{1,500}$/,
  REGISTRY_FOLDER: /^[^\0\n]{1,500}$/,
  BUCKET: /^s3:\/\/[\w./-]{1,300}$/,
  BUCKET_ENDPOINT: /^https?:\/\/[^\s?#@]{1,500}$/,
  STATE_FILE: /^[^\0\n]{1,500}$/,
} as const satisfies Record<string, RegExp>;

type Name = keyof typeof FORMS;

/** @throws {Error} naming the variable when it is missing or not of its form */
export function required(env: Environment, name: Name): string {
  const value = env[name];
  if (value !== undefined && FORMS[name].test(value)) return value;
  throw new Error(`Variable "${name}" is ${value === undefined ? 'missing' : 'not of its form'}`);
}

/** `undefined` for a variable that is missing or empty, because workflows pass missing values as empty. */
export function optional(env: Environment, name: Name): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : required(env, name);
}

/**
 * Runs a job. An error becomes one annotation, and exit status 1.
 * @returns the exit status
 */
export async function runJob(
  job: (env: Environment, folder: string) => number | Promise<number>,
  env: Environment,
): Promise<number> {
  try {
    // The repository of the registry: that of the software, or one beside it for registries that call our workflows.
    return await job(env, resolve(optional(env, 'REGISTRY_FOLDER') ?? '.'));
  } catch (error) {
    // The text may quote what a publisher wrote: it must not become a command of the log.
    const message = error instanceof Error ? error.message : String(error);
    console.log(`::error::${escapeCommandData(message)}`);
    return 1;
  }
}
