// The module of an application: its settings, the worker that runs between start and stop, and the functions that
// others call.

import { createRoutes } from '../module-routes/index.js';
import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import {
  addDefinition, encodeData, findDefinition, type JobHandler, type JobOptions, JobsError, type StandardSchema,
} from './define.js';
import { operatorRoutes, type Operators } from './routes.js';
import { type EnqueueOptions, jobsMigrations, JobStore, type ListOptions, type StoredJob } from './store.js';
import { type JobsLog, Worker, type WorkerOptions } from './worker.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A job that was defined. */
export interface Job<Data> {
  readonly name: string;
  /** As `enqueue`, with data of the right type. */
  enqueue(data: Data, options?: EnqueueOptions): Promise<string | undefined>;
}

/**
 * Defines a job, whose handler runs in every process that loads this file and has started the module. Data is checked
 * by the schema when it is queued and when it is run. Throws `JobsError`: `ERR_JOB_DEFINED`, `ERR_JOB_OPTION`.
 */
export function defineJob<Input, Output>(
  name: string,
  schema: StandardSchema<Input, Output>,
  handler: JobHandler<Output>,
  options?: JobOptions,
): Job<Input>;
export function defineJob<Data = void>(name: string, handler: JobHandler<Data>, options?: JobOptions): Job<Data>;
export function defineJob(
  name: string,
  first: StandardSchema | JobHandler<never>,
  second?: JobHandler<never> | JobOptions,
  third?: JobOptions,
): Job<unknown> {
  // Schemas of some libraries are functions.
  if ('~standard' in first) addDefinition(name, first, second as JobHandler<never>, third);
  else addDefinition(name, undefined, first, second as JobOptions | undefined);
  return { name, enqueue: (data, options) => enqueue(name, data, options) };
}

export interface JobsModuleOptions extends WorkerOptions {
  /** `database` of the build that provides the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** Which users may see jobs at /ops/jobs. Default: only the bearer of JOBS_TOKEN. */
  readonly operators?: Operators;
  /** Whether this process runs jobs; false for one that only queues them. Default: true. */
  readonly runsJobs?: boolean;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A `Module` of src/module.ts in a foundation. */
export type JobsModule = ReturnType<typeof createJobsModule>;

const MIN_TOKEN = 32;

let current: { readonly store: JobStore; readonly wake: () => void } | undefined;

/**
 * Queues a job: with `on` it is part of the transaction there. Resolves with the id, or `undefined` where `id` or
 * `singletonKey` is in use. Throws `JobsError` at once: `ERR_JOB_UNKNOWN`, `ERR_JOB_DATA`, or `ERR_JOBS_NOT_STARTED`.
 */
export function enqueue(name: string, data?: unknown, options: EnqueueOptions = {}): Promise<string | undefined> {
  findDefinition(name);
  const { store, wake } = started();
  return store.add(name, encodeData(name, data), options).then((id) => {
    // Of a transaction that is still open the next look finds it.
    wake();
    return id;
  });
}

/** Jobs, the newest first: `listJobs({ status: 'dead' })` are those that failed for good. */
export async function listJobs(options?: ListOptions): Promise<StoredJob[]> {
  return started().store.list(options);
}

/** Queues a dead job again. Resolves with whether there is one of this id. */
export async function retryJob(id: string): Promise<boolean> {
  const { store, wake } = started();
  const isQueued = await store.retry(id);
  wake();
  return isQueued;
}

/** The module, of which an application has one. */
export function createJobsModule(options: JobsModuleOptions) {
  const { operators, runsJobs = true, now = Date.now } = options;
  const store = new JobStore(createSql(options.database), now);
  let worker: Worker | undefined;
  let token = '';
  const wake = () => worker?.wake();
  const own = { store, wake };
  const routes = createRoutes(operatorRoutes({ store, operators, token: () => token, wake }));

  return {
    name: 'jobs' as const,
    migrations: [jobsMigrations],
    checkSettings({ JOBS_TOKEN: text = '' }: Environment): { readonly name: string; readonly message: string }[] {
      if (text === '' || (text.length >= MIN_TOKEN && /^[\x21-\x7e]+$/.test(text))) return [];
      const message = `Expected at least ${MIN_TOKEN} characters without spaces: openssl rand -hex 32`;
      return [{ name: 'JOBS_TOKEN', message }];
    },
    start({ env, log }: { readonly env: Environment; readonly log: JobsLog }): void {
      token = env['JOBS_TOKEN'] ?? '';
      current = own;
      if (!runsJobs) return;
      worker = new Worker({ ...options, store, log, now });
      worker.start();
    },
    async stop(): Promise<void> {
      await worker?.stop();
      worker = undefined;
      if (current === own) current = undefined;
    },
    checks: {
      jobs(): void {
        started();
        worker?.check();
      },
    },
    routes: [{ prefix: '/ops/jobs', ...routes }],
  };
}

function started() {
  if (current) return current;
  const message = 'Cannot use jobs: the module is not started. Add "jobsModule" to the modules of the application';
  throw new JobsError('ERR_JOBS_NOT_STARTED', message);
}
