// Ends the process in order: every answer tells its client to leave, no new connections, running requests finish,
// modules stop. What takes too long is cut off.

import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type Socket, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const CHECK_MS = 50;

/**
 * How long an idle connection stays open after the signal, at most half of SHUTDOWN_TIMEOUT_MS. A client may be writing
 * to it right now, and learns from the answer that the connection ends. HTTP has no way to tell an idle client before.
 */
const IDLE_GRACE_MS = 1000;

/** When no connection has come for this time, listening ends: the system resets those that wait to be accepted. */
const QUIET_MS = 10;
const MAX_QUIET_CHECKS = 20;

/** How long all modules together may take to stop. */
const STOP_MODULES_MS = 5000;

type Settings = Pick<Config, 'NODE_ENV' | 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_TIMEOUT_MS'>;

interface Connection {
  /** To its newest request. */
  answer?: ServerResponse;
  /** How much had come when the connection was looked at first in its present state, and the time of that. */
  bytesRead: number;
  since: number;
}

/** Whether the process is about to end, and what makes it so. */
export class Shutdown {
  readonly #settings: Settings;
  readonly #logger: Logger;
  readonly #connections = new Map<Socket, Connection>();
  #isDraining = false;
  #isListening = true;
  /** Requests that wait until listening has ended. */
  #held: (() => void)[] | undefined;
  #accepted = 0;
  #status = 0;

  constructor(settings: Settings, logger: Logger) {
    this.#settings = settings;
    this.#logger = logger;
  }

  readonly isDraining = (): boolean => this.#isDraining;

  /** What answers the requests of the server, by `handle`. */
  listener(handle: RequestListener): RequestListener {
    return (req, res) => {
      const connection = this.#connections.get(req.socket);
      if (connection !== undefined) connection.answer = res;
      // Node writes "Connection: close" then.
      if (this.#isDraining) res.shouldKeepAlive = false;
      if (this.#held === undefined) handle(req, res);
      else this.#held.push(() => handle(req, res));
    };
  }

  /**
   * Ends `server` and the process after a signal, with status 0, or after an error that nothing caught, with status 1.
   * A second signal ends the process at once.
   * @param stopModules runs after the last request
   */
  watch(server: Server, stopModules: () => Promise<void>): void {
    server.on('connection', (socket) => {
      this.#accepted++;
      this.#connections.set(socket, { bytesRead: 0, since: 0 });
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.once('close', () => void this.#exit(stopModules));
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const each of SIGNALS) process.off(each, onSignal);
      void this.#drain(server, `shutting down after ${signal}`, this.#settings.SHUTDOWN_DELAY_MS);
    };
    // The state of the process is unknown after an error that nothing caught, so it takes no further requests.
    const fail = (err: unknown, message: string): void => {
      this.#status = 1;
      this.#logger.fatal({ err }, message);
      void this.#drain(server, 'shutting down after an error', 0);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    process.on('uncaughtException', (err) => fail(err, 'uncaught exception'));
    process.on('unhandledRejection', (err) => fail(err, 'unhandled rejection'));
  }

  async #drain(server: Server, message: string, delay: number): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#logger.info(message);
    for (const { answer } of this.#connections.values()) if (answer) answer.shouldKeepAlive = false;
    setInterval(() => this.#closeIdle(), CHECK_MS);
    if (delay > 0) await sleep(delay);
    await this.#endListening(server);
    setTimeout(() => this.#cutOff(), this.#settings.SHUTDOWN_TIMEOUT_MS);
  }

  /** Clients that have no answer make no new connections: so none waits in the system when listening ends. */
  async #endListening(server: Server): Promise<void> {
    const held: (() => void)[] = [];
    this.#held = held;
    for (let checks = 0, seen = -1; seen !== this.#accepted && checks < MAX_QUIET_CHECKS; checks++) {
      seen = this.#accepted;
      await sleep(QUIET_MS);
    }
    // Not that of the HTTP server, which closes idle connections at once.
    NetServer.prototype.close.call(server);
    this.#isListening = false;
    this.#held = undefined;
    for (const answer of held) answer();
  }

  #closeIdle(): void {
    const { NODE_ENV, SHUTDOWN_TIMEOUT_MS } = this.#settings;
    // A developer waits for each restart.
    const grace = NODE_ENV === 'development' ? 0 : Math.min(IDLE_GRACE_MS, SHUTDOWN_TIMEOUT_MS / 2);
    for (const [socket, connection] of this.#connections) {
      const { answer, bytesRead, since } = connection;
      const isBusy = answer !== undefined && !answer.writableFinished && !answer.destroyed;
      if (isBusy || since === 0 || bytesRead !== socket.bytesRead) {
        Object.assign(connection, { bytesRead: socket.bytesRead, since: performance.now() });
      } else if (!this.#isListening && performance.now() - since >= grace) {
        socket.destroy();
      }
    }
  }

  #cutOff(): void {
    const connections = this.#connections.size;
    this.#logger.warn({ connections }, `cutting off ${connections} connections`);
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  async #exit(stopModules: () => Promise<void>): Promise<void> {
    setTimeout(() => {
      this.#logger.error(`modules did not stop in ${STOP_MODULES_MS} ms`);
      process.exit(1);
    }, STOP_MODULES_MS);
    await stopModules();
    process.exit(this.#status);
  }
}
