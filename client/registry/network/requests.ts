/** Requests to one address: a few at once, repeated after a pause where the address may answer later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from './pool.ts';
import type { Answer, NetworkLimits, Source, SourceRequest } from './source.ts';

/** Gets the progress of requests, for a progress bar. */
export interface TransferListener {
  readonly begin: () => void;
  readonly bytes: (count: number) => void;
  readonly end: () => void;
}

/** An answer that is not a failure. */
export type Taken = Exclude<Answer, { kind: 'failed' }>;

export class Requests {
  readonly #source: Source;
  readonly #limits: NetworkLimits;
  readonly #closing = new AbortController();
  /** Aborted by the caller or by `close`. */
  readonly #signal: AbortSignal;
  readonly #listener: TransferListener | undefined;
  readonly #pool: Pool;

  constructor(
    source: Source,
    limits: NetworkLimits,
    signal: AbortSignal,
    listener: TransferListener | undefined,
  ) {
    this.#source = source;
    this.#limits = limits;
    this.#signal = AbortSignal.any([signal, this.#closing.signal]);
    this.#listener = listener;
    this.#pool = new Pool(limits.parallel);
  }

  /** @throws {ClientError} `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
  async send(path: string, request: Omit<SourceRequest, 'onBytes'>): Promise<Taken> {
    this.#listener?.begin();
    try {
      return await this.#pool.run(() => this.#attempts(path, request));
    } finally {
      this.#listener?.end();
    }
  }

  /** Aborts requests that wait for their turn or for another attempt: nobody uses their answers. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#source.close();
  }

  async #attempts(path: string, request: SourceRequest): Promise<Taken> {
    const onBytes = this.#listener?.bytes;
    for (let attempt = 1; ; attempt += 1) {
      this.#signal.throwIfAborted();
      const answer = await this.#source.get(path, { ...request, onBytes });
      if (answer.kind !== 'failed') return answer;
      this.#signal.throwIfAborted();
      if (answer.isFinal || attempt >= this.#limits.tries) throw answer.error;
      const pauseMs = backoff(this.#limits.backoffMs, attempt, Math.random());
      await sleep(Math.max(pauseMs, answer.retryAfterMs ?? 0), undefined, { signal: this.#signal });
    }
  }
}

/**
 * Milliseconds of a `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date.
 * @param now milliseconds since 1970; a date in the past means no pause
 */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) {
    return undefined;
  }
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

/**
 * The pause after an attempt: doubled each time and varied at random, so that clients that failed together do
 * not retry together.
 * @param chance a random number from 0 to 1
 */
export function backoff(baseMs: number, attempt: number, chance: number): number {
  return baseMs * 2 ** (attempt - 1) * (0.5 + chance);
}
