// WORKERS: several processes of the service behind one port (node:cluster), which share the database. The first process answers no
// requests: it starts the others, starts them again when they end by themselves, forwards the stop, and serves the metrics of all.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AuthServiceError } from './answer.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** A worker that ran for so long did not fail because of its start. */
const STEADY_MS = 30_000;

// What the first process and a worker tell each other. Workers take no signals: a terminal sends them to all processes. All end
// listening together, when all let new requests wait: otherwise the connections that one no longer takes would break.

/** To a worker. */
export const STOP = 'stop';
export const CLOSE = 'close';
/** Of a worker: new requests wait until `CLOSE`. */
export const WAITING = 'waiting';
/** Of a worker, when it listens. */
interface Listening {
  readonly port: number;
}

/** How long connections arrive that were made before all workers let requests wait. */
const SETTLE_MS = 50;

export interface Workers {
  readonly port: number;
  /** Resolves to whether all of them ended in order. */
  stop(): Promise<boolean>;
  /** Ends them at once. */
  kill(): void;
}

/** Starts `count` workers; rejects when one of them ends before it listens. */
export async function startWorkers(count: number, log: Logger): Promise<Workers> {
  let isStopping = false;
  const pauses = new Set<NodeJS.Timeout>();

  function start(pauseMs: number): Worker {
    const worker = cluster.fork();
    const startedAt = performance.now();
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      const isSteady = performance.now() - startedAt >= STEADY_MS;
      const restartMs = isSteady ? FIRST_PAUSE_MS : pauseMs;
      log.error(
        { worker: worker.id, code, signal, restartMs },
        'A worker ended by itself and is started again',
      );
      const pause = setTimeout(() => {
        pauses.delete(pause);
        start(Math.min(restartMs * 2, MAX_PAUSE_MS));
      }, restartMs);
      pauses.add(pause);
    });
    return worker;
  }

  const running = () =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const kill = (): void => {
    isStopping = true;
    for (const pause of pauses) clearTimeout(pause);
    for (const worker of running()) worker.process.kill('SIGKILL');
  };
  const first = Array.from({ length: count }, () => start(FIRST_PAUSE_MS));
  const ports = first.map(async (worker) => {
    const ended = once(worker, 'exit').then(() => {
      throw new AuthServiceError(
        'ERR_WORKER',
        'Cannot start: a worker has ended, for the reason above',
      );
    });
    const isListening = (message: unknown) => Object.hasOwn(Object(message) as object, 'port');
    return ((await Promise.race([awaitMessage(worker, isListening), ended])) as Listening).port;
  });
  try {
    const [port = 0] = await Promise.all(ports);
    return {
      port,
      kill,
      async stop() {
        isStopping = true;
        for (const pause of pauses) clearTimeout(pause);
        const workers = running();
        const exits = workers.map((worker) => once(worker, 'exit') as Promise<[number | null]>);
        const waiting = workers.map((worker, at) => {
          worker.send(STOP);
          return Promise.race([awaitMessage(worker, (message) => message === WAITING), exits[at]]);
        });
        await Promise.all(waiting);
        await sleep(SETTLE_MS);
        for (const worker of workers) if (worker.isConnected()) worker.send(CLOSE);
        return (await Promise.all(exits)).every(([status]) => status === 0);
      },
    };
  } catch (error) {
    kill();
    throw error;
  }
}

/** The first message of a worker that is meant: those about metrics come in between. */
function awaitMessage(worker: Worker, isMeant: (message: unknown) => boolean): Promise<unknown> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => void (isMeant(message) && resolve(message)));
  });
}
