/**
 * The addresses of one registry, tried in order. If one fails, the next is tried; after a round in which
 * all failed there is a pause and another round.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../errors.ts';
import type { NetworkLimits } from './network-limits.ts';
import { Pool } from './pool.ts';
import { backoff } from './retry-after.ts';
import type { Answer, SourceRequest, Source } from './source.ts';

/** Gets the progress of requests, for a progress bar. */
export interface TransferListener {
  readonly begin: () => void;
  readonly bytes: (count: number) => void;
  readonly end: () => void;
}

export interface MirrorRequest<Result> {
  readonly path: string;
  /** Whether requests that are under way wait for it: it is not one of the parallel ones. */
  readonly isAwaited?: boolean | undefined;
  /** The request for a source, which may depend on the cache. */
  readonly requestFor: (source: Source) => Promise<Omit<SourceRequest, 'onBytes'>>;
  /**
   * Converts the answer of `source`, or throws a `ClientError` when it is unusable: then the next address is
   * tried.
   */
  readonly take: (answer: Taken, source: Source) => Promise<Result>;
}

/** An answer that is not a failure. */
export type Taken = Exclude<Answer, { kind: 'failed' }>;

export class Mirrors {
  readonly sources: readonly Source[];
  readonly #limits: NetworkLimits;
  readonly #closing = new AbortController();
  /** Aborted by the caller or by `close`. */
  readonly #signal: AbortSignal;
  readonly #listener: TransferListener | undefined;
  readonly #pool: Pool;
  readonly #awaited: Pool;
  /** Sources that did not answer are tried last from then on. */
  readonly #down = new Set<Source>();

  constructor(
    sources: readonly Source[],
    limits: NetworkLimits,
    signal: AbortSignal,
    listener: TransferListener | undefined,
  ) {
    this.sources = sources;
    this.#limits = limits;
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
    this.#listener = listener;
    this.#pool = new Pool(limits.parallel);
    this.#awaited = new Pool(limits.parallel);
  }

  /** @throws {ClientError} what `take` threw, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
  async ask<Result>(request: MirrorRequest<Result>): Promise<Result> {
    this.#listener?.begin();
    try {
      const pool = request.isAwaited === true ? this.#awaited : this.#pool;
      return await pool.run(() => this.#rounds(request));
    } finally {
      this.#listener?.end();
    }
  }

  /** Aborts requests that wait for their turn or for another round: nobody uses their answers. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.sources.map((source) => source.close()));
  }

  async #rounds<Result>(request: MirrorRequest<Result>): Promise<Result> {
    this.#signal.throwIfAborted();
    const errors = new Map<Source, ClientError>();
    let pending = this.#inOrder();
    for (let attempt = 1; ; attempt += 1) {
      let pauseMs = backoff(this.#limits.backoffMs, attempt, Math.random());
      const again: Source[] = [];
      for (const source of pending) {
        const outcome = await this.#one(source, request);
        if ('result' in outcome) return outcome.result;
        this.#signal.throwIfAborted();
        errors.set(source, outcome.error);
        if (outcome.isFinal) continue;
        again.push(source);
        pauseMs = Math.max(pauseMs, outcome.retryAfterMs ?? 0);
      }
      if (again.length === 0 || attempt >= this.#limits.tries) throw worst(errors, this.sources);
      await sleep(pauseMs, undefined, { signal: this.#signal });
      pending = again;
    }
  }

  async #one<Result>(
    source: Source,
    { path, requestFor, take }: MirrorRequest<Result>,
  ): Promise<{ result: Result } | Extract<Answer, { kind: 'failed' }>> {
    const onBytes = this.#listener?.bytes;
    const answer = await source.get(path, { ...(await requestFor(source)), onBytes });
    if (answer.kind === 'failed') {
      if (!answer.isFinal) this.#down.add(source);
      return answer;
    }
    this.#down.delete(source);
    try {
      return { result: await take(answer, source) };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return { kind: 'failed', error, isFinal: true };
    }
  }

  #inOrder(): Source[] {
    const rank = (source: Source): number => Number(this.#down.has(source));
    return [...this.sources].sort((a, b) => rank(a) - rank(b));
  }
}

const ALARMS: ReadonlySet<string> = new Set(['ERR_LOG', 'ERR_INTEGRITY', 'ERR_ROLLBACK']);

/** The error to report: one about altered bytes, otherwise that of the first address. */
function worst(errors: ReadonlyMap<Source, ClientError>, sources: readonly Source[]): ClientError {
  const all = sources.flatMap((source) => errors.get(source) ?? []);
  const first = all.find(({ code }) => ALARMS.has(code)) ?? all[0]!;
  if (all.length === 1) return first;
  const others = all.filter((error) => error !== first).map(({ message }) => message);
  return new ClientError(first.code, [first.message, ...others].join('; '), {
    cause: first,
    hint: first.hint,
  });
}
