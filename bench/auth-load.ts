// Puts load on one server over persistent connections: each client waits for its response before the next request.

import { performance } from 'node:perf_hooks';
import { Client, type Dispatcher } from 'undici';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Load {
  /** Number of responses with a status of 2xx. */
  readonly answers: number;
  /** These responses per second. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other statuses and broken connections, with their numbers. */
  readonly failures: ReadonlyMap<string, number>;
}

/** A number of clients of one server. */
export class Clients {
  readonly #clients: readonly Client[];
  #stopping = false;

  constructor(origin: string, count: number) {
    const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 };
    this.#clients = Array.from({ length: count }, () => new Client(origin, options));
  }

  /**
   * Every client sends at least one request, and repeats it until `end()` is true or `stop` was called. The measured
   * time ends with the last response, so that no started request is left out.
   */
  async run(nextCall: () => Call, end: () => boolean): Promise<Load> {
    const times: number[] = [];
    const failures = new Map<string, number>();
    const start = performance.now();
    await Promise.all(
      this.#clients.map(async (client) => {
        do {
          const begun = performance.now();
          const result = await ask(client, nextCall()).catch(codeOf);
          if (typeof result === 'object' && result.status < 300) {
            times.push(performance.now() - begun);
          } else if (!this.#stopping) {
            const name = typeof result === 'object' ? String(result.status) : result;
            failures.set(name, (failures.get(name) ?? 0) + 1);
          }
        } while (!this.#stopping && !end());
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    times.sort((a, b) => a - b);
    return {
      answers: times.length,
      perSecond: times.length / seconds,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      failures,
    };
  }

  /** Ends `run` without waiting for responses, and closes the connections. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients.map((client) => client.destroy()));
  }
}

/** The argument `end` of `run`: true after the given number of seconds. */
export function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

/** Sends one request and reads its response. */
export async function askOnce(origin: string, call: Call): Promise<Answer> {
  const client = new Client(origin);
  try {
    return await ask(client, call);
  } finally {
    await client.close();
  }
}

// The lowest interface of undici: with few processors, the cost of the client slows the server.
function ask(client: Client, { method, path, headers = {}, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let answered: Answer['headers'] = {};
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode, responseHeaders) {
        status = statusCode;
        answered = responseHeaders;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        resolve({ status, headers: answered, text: Buffer.concat(chunks).toString() });
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    };
    client.dispatch({ method, path, headers, body: body ?? null }, handler);
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
