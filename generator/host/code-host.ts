/** The environment of a job of a workflow, and the code host that it names. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { EVENT_LOGIN } from '../../format/registry/account.ts';
import { OBJECT_ID } from '../gate/gate-verdict.ts';
import { CODE_HOSTS, type CodeHostKind } from '../../format/registry/registry-config.ts';
import { escapeCommandData } from '../gate/verdict-text.ts';
import { GitHubHost } from './github-host.ts';
import { GiteaHost } from './gitea-host.ts';
import { HostRequests } from './host-requests.ts';

/** The environment variables that a workflow passes to a script, each checked before use. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FORMS = {
  APPROVED_BY: EVENT_LOGIN,
  APPROVED_BY_ID: /^[1-9]\d{0,14}$/,
  APPROVED_HEAD: OBJECT_ID,
  BASE_BRANCH: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  BASE_URL: /^https?:\/\/[^\s?#]{1,500}$/,
  BUCKET: /^(?:s3:\/\/[\w./-]{1,300}|file:\/[^\0\n]{1,500})$/,
  BUCKET_ENDPOINT: /^https?:\/\/[^\s?#@]{1,500}$/,
  CODE_HOST: new RegExp(`^(?:${CODE_HOSTS.join('|')})$`),
  CODE_HOST_WAIT_SECONDS: /^\d{1,2}(?:\.\d{1,3})?$/,
  FORM: /^[A-Za-z0-9+/=]{1,130000}$/,
  FORM_FILE: /^[^\0\n]{1,500}$/,
  FRESH_WITHIN_SECONDS: /^\d{1,5}$/,
  GITHUB_API_URL: /^https?:\/\/[^\s?#]{1,200}$/,
  GITHUB_EVENT_PATH: /^[^\0\n]{1,500}$/,
  GITHUB_OUTPUT: /^[^\0\n]{1,500}$/,
  GITHUB_REPOSITORY: /^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/,
  GITHUB_SERVER_URL: /^https?:\/\/[^\s?#]{1,200}$/,
  GITHUB_SHA: OBJECT_ID,
  GITHUB_TOKEN: /^[\x21-\x7e]{1,1000}$/,
  INDEX_FOLDER: /^[^\0\n]{1,500}$/,
  MATRIX_FOLDER: /^[^\0\n]{1,500}$/,
  POLL_SECONDS: /^\d{1,3}$/,
  PUSH_HOST_KEY: /^[a-z0-9@.-]{3,60} [A-Za-z0-9+/=]{40,1000}$/,
  PUSH_KEY:
    /^-----BEGIN OPENSSH PRIVATE KEY-----[A-Za-z0-9+/=\s]{1,8000}-----END OPENSSH PRIVATE KEY-----\s*$/,
  PULL_NUMBER: /^[1-9]\d{0,8}$/,
  REGISTRY_FOLDER: /^[^\0\n]{1,500}$/,
  STATE_FILE: /^[^\0\n]{1,500}$/,
  TRIGGERED_BY: EVENT_LOGIN,
  VERDICT: /^[A-Za-z0-9+/=]{1,130000}$/,
  VERDICT_FILE: /^[^\0\n]{1,500}$/,
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

/** `CODE_HOST`, or whose variables the runner sets. */
function hostKind(env: Environment): CodeHostKind {
  const named = CODE_HOSTS.find((kind) => kind === optional(env, 'CODE_HOST'));
  if (named !== undefined) return named;
  if (env['FORGEJO_ACTIONS'] === 'true') return 'forgejo';
  return env['GITEA_ACTIONS'] === 'true' ? 'gitea' : 'github';
}

/** What one job of a workflow hands to the next: a file, or an output of the step, which no text of it can leave. */
export function handOver(env: Environment, name: 'verdict' | 'form', value: object): void {
  const text = JSON.stringify(value, null, 2);
  const file = optional(env, FILES[name]);
  if (file !== undefined) writeFileSync(file, `${text}\n`);
  const output = optional(env, 'GITHUB_OUTPUT');
  const packed = gzipSync(text).toString('base64');
  if (output !== undefined) appendFileSync(output, `${name}=${packed}\n`);
}

/** @throws {Error} for what does not fit `schema` */
export function takeOver<T>(env: Environment, name: 'verdict' | 'form', schema: z.ZodType<T>): T {
  const file = optional(env, FILES[name]);
  if (file !== undefined) return parseDocument(schema, readFileSync(file), `"${file}"`);
  const packed = Buffer.from(required(env, PACKED[name]), 'base64');
  const bytes = gunzipSync(packed, { maxOutputLength: MAX_HANDED_BYTES });
  return parseDocument(schema, bytes, `the ${name} of the job before`);
}

const FILES = { verdict: 'VERDICT_FILE', form: 'FORM_FILE' } as const;
const PACKED = { verdict: 'VERDICT', form: 'FORM' } as const;
const MAX_HANDED_BYTES = 20_000_000;

/** Those of the job that was started last in this process, whose requests are counted. */
let opened: GitHubHost[] = [];

/** The code host of the repository in which a workflow runs. */
export function openCodeHost(env: Environment): GitHubHost {
  const kind = hostKind(env);
  const waitSeconds = Number(optional(env, 'CODE_HOST_WAIT_SECONDS') ?? '1');
  const token = optional(env, 'GITHUB_TOKEN');
  const [api, repository] = [required(env, 'GITHUB_API_URL'), required(env, 'GITHUB_REPOSITORY')];
  const requests = requestsTo({ api, repository, token, waitSeconds });
  const event = optional(env, 'GITHUB_EVENT_PATH');
  const host = kind === 'github' ? new GitHubHost(requests) : new GiteaHost(requests, event);
  opened.push(host);
  return host;
}

interface Place {
  readonly api: string;
  /** "owner/name"; empty for what belongs to no repository. */
  readonly repository: string;
  readonly token: string | undefined;
  readonly waitSeconds: number;
}

export function requestsTo({ repository, ...place }: Place): HostRequests {
  return new HostRequests({ ...place, repository: repository && `/repos/${repository}` });
}

/** After a push: one with the token of a workflow starts none at GitHub, and any other starts it itself. */
export async function startDeployment(env: Environment, host: GitHubHost): Promise<void> {
  const isSilent = hostKind(env) === 'github' && optional(env, 'PUSH_KEY') === undefined;
  if (isSilent) await host.dispatch('deploy', required(env, 'BASE_BRANCH'));
}

/**
 * Runs a job. An error becomes one annotation, and exit status 1.
 * @returns the exit status
 */
export async function runJob(
  job: (env: Environment, folder: string) => number | Promise<number>,
  env: Environment,
): Promise<number> {
  opened = [];
  try {
    return await job(env, resolve(optional(env, 'REGISTRY_FOLDER') ?? '.'));
  } catch (error) {
    // The text may quote what a publisher wrote: it must not become a command of the log.
    const message = error instanceof Error ? error.message : String(error);
    console.log(`::error::${escapeCommandData(message)}`);
    return 1;
  } finally {
    for (const { calls } of opened) console.error(`requests to the code host: ${calls}`);
  }
}
