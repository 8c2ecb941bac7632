// Runs the jobs that are due, a few at a time, and queues those that are scheduled.

import { definitions, encodeData, type JobDefinition, readData, schedules } from './define.js';
import type { ClaimedJob, JobStore } from './store.js';

export interface WorkerOptions {
  /** Jobs that this process runs at once. Default: 10. */
  readonly concurrency?: number;
  /** How often the table is looked at for jobs of other processes, in milliseconds. Default: 1000. */
  readonly pollMs?: number;
  /** After how long another process takes over the jobs of one that was killed, in milliseconds. Default: 30,000. */
  readonly leaseMs?: number;
  /** How long `stop` waits for the jobs that are running, in milliseconds. Default: 1500. */
  readonly stopTimeoutMs?: number;
  /** How long jobs that are done are kept, without their data, in days. Default: 1. */
  readonly keepDoneDays?: number;
  /** How long dead jobs are kept, in days. Default: 30. */
  readonly keepDeadDays?: number;
}

/** The part of the log of a foundation that is used here. */
export interface JobsLog {
  info(message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WorkerParts extends WorkerOptions {
  readonly store: JobStore;
  readonly log: JobsLog;
  readonly now: () => number;
}

interface Run {
  readonly job: ClaimedJob;
  readonly controller: AbortController;
  /** Whether its data stay when it is done. */
  keepsData: boolean;
  /** Why `controller` was aborted, where it was not by the time of the job. */
  reason?: 'stop' | 'lost';
  done: Promise<void>;
}

const DAY_MS = 86_400_000;
const PRUNE_MS = 3_600_000;
const RECORD_PAUSE_MS = 1000;
const ABORT_GRACE_MS = 500;

export class Worker {
  readonly #parts: WorkerParts;
  readonly #running = new Map<string, Run>();
  #isStopping = false;
  #loop: Promise<void> | undefined;
  #wake = (): void => {};
  #isWoken = false;
  #prunedAt = 0;
  #failure: unknown;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks at the table at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** For readiness: throws while the table cannot be read, or nothing looks at it. */
  check(): void {
    if (this.#loop === undefined || this.#isStopping) throw new Error('The worker of jobs is not running');
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Claims nothing more, and lets the running jobs end. Those that take too long are told by their signal, and queued
   * again.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
    const ended = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    await withTimeout(ended(), this.#parts.stopTimeoutMs ?? 1500);
    for (const run of this.#running.values()) {
      run.reason = 'stop';
      run.controller.abort();
    }
    await withTimeout(ended(), ABORT_GRACE_MS);
  }

  async #run(): Promise<void> {
    const { pollMs = 1000, leaseMs = 30_000, log } = this.#parts;
    const renewing = setInterval(() => void this.#renew(leaseMs), leaseMs / 3);
    renewing.unref();
    while (!this.#isStopping) {
      this.#isWoken = false;
      try {
        await this.#queueScheduled();
        await this.#claim(leaseMs);
        await this.#prune();
        if (this.#failure !== undefined) log.info('The table of jobs is available again');
        this.#failure = undefined;
      } catch (error) {
        if (this.#failure === undefined) log.error({ err: error }, 'Cannot read the table of jobs; trying again');
        this.#failure = error;
      }
      await this.#sleep(pollMs);
    }
    clearInterval(renewing);
  }

  async #claim(leaseMs: number): Promise<void> {
    const { store, concurrency = 10 } = this.#parts;
    if (this.#running.size >= concurrency) return;
    await store.requeueExpired();
    // A job of another version of the application is left to it.
    for (const name of await store.findDueNames([...definitions.keys()])) {
      const definition = definitions.get(name);
      const slots = concurrency - this.#running.size;
      if (!definition || slots <= 0 || this.#isStopping) continue;
      for (const job of await store.claim(name, slots, definition.concurrency, leaseMs)) this.#begin(job, definition);
    }
  }

  #begin(job: ClaimedJob, definition: JobDefinition): void {
    // Its lease has run out while the table could not be written: it is this process that still works on it.
    if (this.#running.has(job.id)) return;
    const run: Run = { job, controller: new AbortController(), keepsData: false, done: Promise.resolve() };
    this.#running.set(job.id, run);
    run.done = this.#work(run, definition).finally(() => {
      this.#running.delete(job.id);
      this.wake();
    });
  }

  async #work(run: Run, definition: JobDefinition): Promise<void> {
    const { store, log } = this.#parts;
    const { id, name, attempts } = run.job;
    try {
      // The process that ran it last did not live to say what happened: a job that kills processes is not run for ever.
      if (attempts > definition.attempts) throw permanent('The process ended during each of its attempts');
      await this.#handle(run, definition);
      return await this.#record(() => store.markDone(id, run.keepsData));
    } catch (error) {
      if (run.reason === 'lost') {
        return log.warn({ job: name, id }, 'Another process has taken the job over: the lease of this one has run out');
      }
      if (run.reason === 'stop') return await this.#record(() => store.release(id));
      const isLast = (error as { permanent?: unknown } | null)?.permanent === true || attempts >= definition.attempts;
      const pauseMs = Math.min(definition.firstPauseMs * 2 ** Math.min(attempts - 1, 30), definition.maxPauseMs);
      // From half to the whole of it, so that what failed together is not tried again together.
      const delayMs = isLast ? undefined : Math.ceil(pauseMs * (0.5 + Math.random() / 2));
      const fields = { job: name, id, attempts, err: error };
      if (delayMs === undefined) log.error(fields, 'A job failed, and is dead now');
      else log.warn(fields, `A job failed; the next attempt is in ${Math.ceil(delayMs / 1000)} s`);
      return await this.#record(() => store.markFailed(id, textOf(error), delayMs));
    }
  }

  async #handle(run: Run, definition: JobDefinition): Promise<void> {
    const { job, controller } = run;
    let data: unknown;
    try {
      data = readData(definition, job.data);
    } catch (error) {
      // Stored by another version of the application: another attempt would not change it.
      throw permanent(textOf(error));
    }
    const { id, attempts: attempt, scheduledFor } = job;
    const { signal } = controller;
    const due = scheduledFor === null ? {} : { scheduledFor: new Date(scheduledFor) };
    const context = { id, attempt, signal, keepData: () => void (run.keepsData = true), ...due };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`The job has not ended within ${definition.timeoutMs} ms`));
        controller.abort();
      }, definition.timeoutMs);
      signal.addEventListener('abort', () => reject(new Error('The job was ended')), { once: true });
    });
    try {
      await Promise.race([(async () => definition.handler(data as never, context))(), ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  // What was done must not be done again because the disk is full: it stays claimed here until that is written down.
  async #record(write: () => Promise<unknown>): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        await write();
        return;
      } catch (error) {
        if (isFirst) this.#parts.log.error({ err: error }, 'Cannot write what became of a job; trying again');
        this.#failure ??= error;
        if (this.#isStopping && !isFirst) return;
      }
      await new Promise((resolve) => setTimeout(resolve, RECORD_PAUSE_MS).unref());
    }
  }

  async #renew(leaseMs: number): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    // A failure shows in the next look at the table.
    const held = await this.#parts.store.renew(ids, leaseMs).catch(() => undefined);
    for (const id of ids) {
      const run = this.#running.get(id);
      if (!held || held.has(id) || !run || run.controller.signal.aborted) continue;
      run.reason = 'lost';
      run.controller.abort();
    }
  }

  // Each schedule has one next time, which the process that moves it on runs. Several that have passed are one run.
  async #queueScheduled(): Promise<void> {
    if (schedules.size === 0) return;
    const { store, now } = this.#parts;
    const stored = await store.readSchedules();
    const at = now();
    for (const schedule of schedules.values()) {
      const { key, job: name, cron, zone, times } = schedule;
      const [next = Infinity, afterNext = Infinity] = times.nextRuns(2, new Date(at)).map((time) => time.getTime());
      const { nextAt: dueAt, ...known } = stored.get(key) ?? { cron: '', zone: '', nextAt: 0 };
      // Later than the time after the next: the clock was far ahead when it was stored.
      if (known.cron !== cron || known.zone !== zone || dueAt > afterNext) {
        await store.setSchedule(key, cron, zone, next);
      } else if (dueAt <= at) {
        // The last one up to this minute; croner counts a time in the second of the reference as before it.
        const [last] = times.previousRuns(1, new Date(at - (at % 60_000) + 1000));
        const [scheduledFor, data] = [last?.getTime() ?? dueAt, encodeData(name, schedule.data)];
        await store.runSchedule({ key, name, data, dueAt, nextAt: next, scheduledFor });
      }
    }
  }

  async #prune(): Promise<void> {
    const { store, now, keepDoneDays = 1, keepDeadDays = 30 } = this.#parts;
    if (Math.abs(now() - this.#prunedAt) < PRUNE_MS) return;
    this.#prunedAt = now();
    await store.prune(now() - keepDoneDays * DAY_MS, now() - keepDeadDays * DAY_MS);
  }

  async #sleep(milliseconds: number): Promise<void> {
    // Statements of SQLite do not wait for anything: requests come in between here.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isWoken || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      // The server keeps the process alive, not the worker.
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function permanent(message: string): Error {
  return Object.assign(new Error(message), { permanent: true });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function withTimeout(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
