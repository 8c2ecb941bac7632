// Ends the process in order: no new connections, running requests finish, what takes too long is cut off.

import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from './config.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const IDLE_CHECK_MS = 50;

type Times = Pick<Config, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_TIMEOUT_MS'>;

/** Whether the process is about to end, and what makes it so. */
export class Shutdown {
  readonly #times: Times;
  readonly #logger: Logger;
  #server: Server | undefined;
  #isDraining = false;
  #status = 0;

  constructor(times: Times, logger: Logger) {
    this.#times = times;
    this.#logger = logger;
  }

  readonly isDraining = (): boolean => this.#isDraining;

  /**
   * Ends `server` and the process after a signal, with status 0, or after an error that nothing caught, with status 1.
   * A second signal ends the process at once.
   */
  watch(server: Server): void {
    this.#server = server;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    process.on('uncaughtException', (err) => this.#fail(err, 'uncaught exception'));
    process.on('unhandledRejection', (err) => this.#fail(err, 'unhandled rejection'));
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    for (const each of SIGNALS) process.off(each, this.#onSignal);
    this.#begin(`shutting down after ${signal}`, this.#times.SHUTDOWN_DELAY_MS);
  };

  /** The state of the process is unknown after such an error, so it takes no further requests. */
  #fail(err: unknown, message: string): void {
    this.#status = 1;
    this.#logger.fatal({ err }, message);
    this.#begin('shutting down after an error', 0);
  }

  #begin(message: string, delay: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#logger.info(message);
    if (delay === 0) this.#close();
    else setTimeout(() => this.#close(), delay);
  }

  #close(): void {
    const server = this.#server;
    server?.close(() => process.exit(this.#status));
    // Connections become idle as their requests finish, and would wait for the client to leave.
    setInterval(() => server?.closeIdleConnections(), IDLE_CHECK_MS);
    setTimeout(() => this.#cutOff(), this.#times.SHUTDOWN_TIMEOUT_MS);
  }

  #cutOff(): void {
    this.#server?.getConnections((_error, connections) => {
      this.#logger.warn({ connections }, `cutting off ${connections} connections`);
      this.#server?.closeAllConnections();
    });
  }
}
