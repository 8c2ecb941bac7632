/**
 * The addresses of one registry, tried in order. If one fails, the next is tried; after a round in which
 * all failed there is a pause and another round.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../errors.ts';

/** Gets the progress of requests, for a progress bar. */
interface TransferListener {
  readonly begin: () => void;
  readonly bytes: (count: number) => void;
  readonly end: () => void;
}

interface MirrorRequest<Result> {
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

/** Runs a limited number of tasks at once; the next starts as soon as one ends. */
export class Pool {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** A progress bar on standard error for interactive terminals; cleared when no request is pending. */
const WIDTH = 24;
const INTERVAL_MS = 100;
/** Shorter transfers show no bar. */
const DELAY_MS = 300;
const CLEAR_LINE = '\r\u{1B}[K';

interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** Whether to show a bar: only on a terminal that can erase a line, and not in CI. */
export function isProgressWanted(
  screen: Screen,
  env: Readonly<Record<string, string | undefined>>,
  isQuiet: boolean,
): boolean {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return screen.isTTY === true && !isQuiet && !isCi && env['TERM'] !== 'dumb';
}

export class ProgressBar implements TransferListener {
  readonly #screen: Screen;
  #begun = 0;
  #ended = 0;
  #bytes = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  readonly begin = (): void => {
    this.#begun += 1;
    if (this.#timer !== undefined) return;
    this.#since = Date.now();
    this.#timer = setInterval(() => this.#show(), INTERVAL_MS).unref();
  };

  readonly bytes = (count: number): void => {
    this.#bytes += count;
  };

  readonly end = (): void => {
    this.#ended += 1;
    if (this.#ended < this.#begun) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#isShown) this.#screen.write(CLEAR_LINE);
    this.#isShown = false;
  };

  #show(): void {
    if (!this.#isShown && Date.now() - this.#since < DELAY_MS) return;
    this.#isShown = true;
    this.#screen.write(`${CLEAR_LINE}${formatProgress(this.#ended, this.#begun, this.#bytes)}`);
  }
}

/** One line: `[======>         ] 3 of 7, 1.2 MB`, without colour. */
export function formatProgress(done: number, all: number, bytes: number): string {
  const filled = all === 0 ? 0 : Math.round((done / all) * WIDTH);
  const bar = `${'='.repeat(filled)}${filled < WIDTH ? '>' : ''}`.padEnd(WIDTH);
  return `[${bar}] ${done} of ${all}, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Time limits and retries of requests; every answer of a registry is untrusted. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two parts of an answer. */
  readonly idleMs: number;
  /** Every transfer may take this long, plus the time for its bytes at `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** Rounds over the addresses of the registry. */
  readonly tries: number;
  /** Before the second round; doubled before each further one, with random variation. */
  readonly backoffMs: number;
  /** Longer pauses that a registry demands are not waited for. */
  readonly maxRetryAfterMs: number;
  /** Parallel requests. */
  readonly parallel: number;
  /** Before the third reading of what contradicts the log: a deployment may be in progress. */
  readonly deploymentMs: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  graceMs: 30_000,
  minBytesPerSecond: 8192,
  tries: 3,
  backoffMs: 250,
  maxRetryAfterMs: 30_000,
  parallel: 8,
  deploymentMs: 1000,
};

/** The validators of a document, to ask later whether it is still current. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface SourceRequest {
  readonly maxBytes: number;
  /** Whether an encoded answer may be read unchanged: its known digest detects a wrong one. */
  readonly isDigested: boolean;
  /** Whether the host itself must answer, and no cache on the way. */
  readonly isFresh?: boolean | undefined;
  /** The validators of the cached bytes. */
  readonly validators?: Validators | undefined;
  /** Called for every part that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The cached bytes are still current. */
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      /** A retry would give the same answer. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether its files are on this machine: the cache keeps none of them. */
  readonly isFolder: boolean;
  /** The secret header, by which cached documents are kept apart; empty without one. */
  readonly secret: string;
  /** The full address of a path, for messages. */
  readonly url: (path: string) => string;
  readonly get: (path: string, request: SourceRequest) => Promise<Answer>;
  readonly close: () => Promise<void>;
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
 * The pause before round `attempt` + 1: doubled each time and varied at random, so that clients that failed
 * together do not retry together.
 * @param chance a random number from 0 to 1
 */
export function backoff(baseMs: number, attempt: number, chance: number): number {
  return baseMs * 2 ** (attempt - 1) * (0.5 + chance);
}
