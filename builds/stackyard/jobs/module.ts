// The module of an application: its settings, the worker that runs between start and stop, and the functions that others call.

import { createSql, type PgPool, type SqliteDatabase } from '../sql/index.js';
import {
  addDefinition, encodeData, findDefinition, type JobHandler, type JobOptions, JobsError, type StandardSchema,
} from './define.js';
import { createOperatorRoute, type OperatorRoute, type Operators } from './operators.js';
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
 * Defines a job, whose handler runs in every process that loads this file and has started the module. Data is checked by the schema
 * when it is queued and when it is run. Throws `JobsError`: `ERR_JOB_DEFINED` where the name is in use, `ERR_JOB_OPTION`.
 */
export function defineJob<Input, Output>(name: string, schema: StandardSchema<Input, Output>, handler: JobHandler<Output>, options?: JobOptions): Job<Input>;
export function defineJob<Data = void>(name: string, handler: JobHandler<Data>, options?: JobOptions): Job<Data>;
export function defineJob(name: string, first: StandardSchema | JobHandler<never>, second?: JobHandler<never> | JobOptions, third?: JobOptions): Job<unknown> {
  // Schemas of some libraries are functions.
  if ('~standard' in first) addDefinition(name, first, second as JobHandler<never>, third);
  else addDefinition(name, undefined, first, second as JobOptions | undefined);
  return { name, enqueue: (data, options) => enqueue(name, data, options) };
}

export interface JobsModuleOptions extends WorkerOptions {
  /** `database` of the build that provides the database. */
  readonly database: () => SqliteDatabase | PgPool;
  /** Jobs by name, as `defineJob(name, handler)`. */
  readonly handlers?: Readonly<Record<string, JobHandler<never>>>;
  /** Which users may see jobs at /ops/jobs. Default: only the bearer of JOBS_TOKEN. */
  readonly operators?: Operators;
  /** Whether this process runs jobs; false for one that only queues them. Default: true. */
  readonly runsJobs?: boolean;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A `Module` of src/module.ts in a foundation. */
export interface JobsModule {
  readonly name: 'jobs';
  readonly migrations: readonly unknown[];
  checkSettings(env: Environment): readonly { readonly name: string; readonly message: string }[];
  start(host: { readonly env: Environment; readonly log: JobsLog }): void;
  stop(): Promise<void>;
  readonly checks: { readonly jobs: () => void };
  readonly routes: readonly [OperatorRoute];
  /** Jobs, the newest first: `list({ status: 'dead' })` are those that failed for good. */
  list(options?: ListOptions): Promise<StoredJob[]>;
  /** Queues a dead job again. Resolves with whether there is one of this id. */
  retry(id: string): Promise<boolean>;
}

const MIN_TOKEN = 32;

let current: { readonly store: JobStore; readonly wake: () => void } | undefined;

/**
 * Queues a job: with `on` it is part of the transaction there. Resolves with the id, or `undefined` where one with this `singletonKey`
 * is queued or running. Throws `JobsError` at once: `ERR_JOB_UNKNOWN`, `ERR_JOB_DATA`, or `ERR_JOBS_NOT_STARTED`.
 */
export function enqueue(name: string, data?: unknown, options: EnqueueOptions = {}): Promise<string | undefined> {
  findDefinition(name);
  const { store, wake } = current ?? notStarted();
  return store.add(name, encodeData(name, data), options).then((id) => {
    // Of a transaction that is still open the next look finds it.
    wake();
    return id;
  });
}

/** The module, of which an application has one. */
export function createJobsModule(options: JobsModuleOptions): JobsModule {
  const { handlers = {}, operators, runsJobs = true, now = Date.now } = options;
  for (const [name, handler] of Object.entries(handlers)) addDefinition(name, undefined, handler);
  const store = new JobStore(createSql(options.database), now);
  let worker: Worker | undefined;
  let token = '';
  const wake = () => worker?.wake();
  const own = { store, wake };

  return {
    name: 'jobs',
    migrations: [jobsMigrations],
    checkSettings({ JOBS_TOKEN: text = '' }) {
      const isUsable = text === '' || (text.length >= MIN_TOKEN && /^[\x21-\x7e]+$/.test(text));
      return isUsable ? [] : [{ name: 'JOBS_TOKEN', message: `Expected at least ${MIN_TOKEN} characters without spaces, such as the output of: openssl rand -hex 32` }];
    },
    start({ env, log }) {
      token = env['JOBS_TOKEN'] ?? '';
      current = own;
      if (!runsJobs) return;
      worker = new Worker({ ...options, store, log, now });
      worker.start();
    },
    async stop() {
      await worker?.stop();
      worker = undefined;
      if (current === own) current = undefined;
    },
    checks: {
      jobs() {
        if (current !== own) notStarted();
        worker?.check();
      },
    },
    routes: [createOperatorRoute({ store, operators, token: () => token, wake })],
    list: (given) => store.list(given),
    async retry(id) {
      const isQueued = await store.retry(id);
      wake();
      return isQueued;
    },
  };
}

function notStarted(): never {
  throw new JobsError('ERR_JOBS_NOT_STARTED', 'Cannot use jobs: the module of jobs is not started. Add "jobsModule" to the modules of the application');
}
