/** The environment variables that a workflow passes to a script, each checked before use. */
import { resolve } from 'node:path';
import { escapeCommandData } from '../gate/escape.ts';

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
