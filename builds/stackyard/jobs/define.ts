// What the jobs of an application are: a name, what data they take, what runs them and how often. Modules define theirs
// where they are loaded; the module of jobs runs them all.
//
//   export const thumbnail = defineJob('thumbnail', z.object({ file: z.string() }), ({ file }) => makeThumbnail(file));
//   schedule('0 3 * * *', cleanUp, { zone: 'Europe/Berlin' });

import { Cron } from 'croner';

/** A schema of zod 3.24, valibot, arktype or any other library that follows standardschema.dev. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: SchemaPath | undefined }[] };

type SchemaPath = readonly (PropertyKey | { readonly key: PropertyKey })[];

/** What a handler knows of its run. */
export interface JobContext {
  readonly id: string;
  /** 1 for the first one. */
  readonly attempt: number;
  /** Aborted when the time of the job is over, the server stops, or another process has taken the job over. */
  readonly signal: AbortSignal;
  /** Of a scheduled job: the time that was due. */
  readonly scheduledFor?: Date;
  /** Leaves the data in the table when the job is done, until its row is deleted. */
  readonly keepData: () => void;
}

/** Resolves when the job is done. An error starts the next attempt; one with `permanent: true` ends them. */
export type JobHandler<Data> = (data: Data, context: JobContext) => unknown;

export interface JobOptions {
  /** Default: 5. */
  readonly attempts?: number;
  /** The pause after the first attempt, doubled by each further one, in milliseconds. Default: 1000. */
  readonly firstPauseMs?: number;
  /** The longest pause, in milliseconds. Default: one hour. */
  readonly maxPauseMs?: number;
  /**
   * How long an attempt may take, in milliseconds: `signal` is aborted then, and the attempt has failed. Default: five
   * minutes.
   */
  readonly timeoutMs?: number;
  /** Runs at once, in all processes together. Default: as many as the processes take. */
  readonly concurrency?: number;
}

export interface JobDefinition extends Required<Omit<JobOptions, 'concurrency'>> {
  readonly name: string;
  readonly schema: StandardSchema | undefined;
  readonly handler: JobHandler<never>;
  readonly concurrency: number | undefined;
}

export interface Schedule {
  /** Unique. */
  readonly key: string;
  readonly job: string;
  readonly cron: string;
  readonly zone: string;
  readonly data: unknown;
  readonly times: Cron;
}

/** A mistake of the caller. `code` is stable. */
export class JobsError extends Error {
  override readonly name = 'JobsError';
  readonly code:
    | 'ERR_JOB_DATA'
    | 'ERR_JOB_DEFINED'
    | 'ERR_JOB_UNKNOWN'
    | 'ERR_JOB_OPTION'
    | 'ERR_JOB_SCHEDULE'
    | 'ERR_JOBS_NOT_STARTED';

  constructor(code: JobsError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The jobs and schedules that were defined so far. */
export const definitions = new Map<string, JobDefinition>();
export const schedules = new Map<string, Schedule>();

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const MAX_DATA = 2_000_000;

/** Adds a job. Throws `JobsError`: `ERR_JOB_DEFINED` where the name is in use, `ERR_JOB_OPTION`. */
export function addDefinition(
  name: string,
  schema: StandardSchema | undefined,
  handler: JobHandler<never>,
  options: JobOptions = {},
): void {
  const refuse = (fault: string, code: JobsError['code'] = 'ERR_JOB_OPTION') =>
    new JobsError(code, `Cannot define job "${name}": ${fault}`);
  if (!NAME.test(name)) throw refuse('use 1 to 100 of the characters A-Z a-z 0-9 . _ : -');
  if (definitions.has(name)) throw refuse('there is one of this name. Use another name', 'ERR_JOB_DEFINED');
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= 0x7fffffff)) continue;
    throw refuse(`option "${option}" is "${value}". Use a whole number from 1`);
  }
  const { attempts = 5, firstPauseMs = 1000, maxPauseMs = 3_600_000, timeoutMs = 300_000, concurrency } = options;
  definitions.set(name, { name, schema, handler, attempts, firstPauseMs, maxPauseMs, timeoutMs, concurrency });
}

export interface ScheduleOptions {
  /** A time zone such as `Europe/Berlin`. Default: `UTC`. */
  readonly zone?: string;
  /** Default: none. */
  readonly data?: unknown;
  /** Tells several schedules of one job apart. Default: the name of the job. */
  readonly key?: string;
}

/** Runs a job at times such as `0 3 * * *`, five fields. Throws `JobsError`: `ERR_JOB_SCHEDULE`, `ERR_JOB_UNKNOWN`. */
export function schedule(
  cron: string,
  job: string | { readonly name: string },
  { zone = 'UTC', data, key }: ScheduleOptions = {},
): void {
  const name = typeof job === 'string' ? job : job.name;
  findDefinition(name);
  const unique = key ?? name;
  const refuse = (fault: string) => new JobsError('ERR_JOB_SCHEDULE', `Cannot schedule job "${name}": ${fault}`);
  if (schedules.has(unique)) throw refuse(`there is a schedule "${unique}". Use another "key"`);
  let times: Cron;
  try {
    times = new Cron(cron, { timezone: zone, mode: '5-part' });
    if (times.nextRun(new Date(0)) === null) throw new Error('it has no times');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refuse(`"${cron}" in zone "${zone}" is not five fields of cron in a known time zone: ${reason}`);
  }
  encodeData(name, data);
  schedules.set(unique, { key: unique, job: name, cron, zone, data, times });
}

/** Throws `JobsError`, code `ERR_JOB_UNKNOWN`. */
export function findDefinition(name: string): JobDefinition {
  const found = definitions.get(name);
  if (found) return found;
  const message = `There is no job "${name}": define it with "defineJob" in a file that this process loads`;
  throw new JobsError('ERR_JOB_UNKNOWN', message);
}

/** The data as JSON, which fits the schema of the job. Throws `JobsError`, code `ERR_JOB_DATA`. */
export function encodeData(name: string, data: unknown): string {
  const text = data === undefined ? 'null' : JSON.stringify(data);
  if (text === undefined || text.length > MAX_DATA) {
    const fault = `it is not JSON of at most ${MAX_DATA} characters`;
    throw new JobsError('ERR_JOB_DATA', `Cannot use the data of job "${name}": ${fault}`);
  }
  // As the run will read it: a date is a text then.
  readData(findDefinition(name), JSON.parse(text));
  return text;
}

/**
 * The data as the handler gets it. Throws `JobsError`, code `ERR_JOB_DATA`, which names the fields and not their
 * values.
 */
export function readData({ name, schema }: JobDefinition, data: unknown): unknown {
  if (!schema) return data ?? undefined;
  const result = schema['~standard'].validate(data ?? undefined);
  const refuse = (fault: string) => new JobsError('ERR_JOB_DATA', `Cannot use the data of job "${name}": ${fault}`);
  if (result instanceof Promise) {
    result.catch(() => {});
    throw refuse('its schema is asynchronous. Check in the handler what needs to wait');
  }
  // Not by `!result.issues` alone: without `strict` the compiler does not tell the two apart by it.
  if (!result.issues && 'value' in result) return result.value;
  const texts = (result.issues ?? []).map(({ path = [], message }) => {
    const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  throw refuse(texts.join('; '));
}
