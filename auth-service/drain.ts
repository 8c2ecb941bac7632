// Ends a server without a broken request: every answer from now on makes its client leave, listening ends, and connections
// close after their last answer. What takes too long is cut off.
//
// HTTP has no way to tell an idle client before it sends its next request. So an idle connection stays open for a while: a
// client that is writing to it gets an answer, and with it `Connection: close`.

import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_MS = 50;

/** When no connection has come for this time, listening ends: the system resets connections that wait to be accepted then. */
const QUIET_MS = 10;
const MAX_QUIET_CHECKS = 20;

export interface DrainTimes {
  /** How long new connections are still taken, so that a load balancer that reads `/ready` sends them elsewhere first. */
  readonly delayMs: number;
  /** How long running requests may take then. */
  readonly timeoutMs: number;
  /** How long idle connections stay open then. */
  readonly idleMs: number;
}

interface Connection {
  /** To its newest request. */
  answer?: ServerResponse;
  /** How much had come when the connection was looked at first in its present state, and the time of that. */
  bytesRead: number;
  since: number;
}

export class Drain {
  readonly #connections = new Map<Socket, Connection>();
  #isDraining = false;
  /** Requests that wait until listening has ended: clients that have no answer make no new connections. */
  #held: (() => void)[] | undefined;
  #accepted = 0;

  /** Answers requests of the server by `handle`. */
  listener(handle: RequestListener): RequestListener {
    return (req, res) => {
      const connection = this.#connections.get(req.socket);
      if (connection !== undefined) connection.answer = res;
      // Node.js writes `Connection: close` then.
      if (this.#isDraining) res.shouldKeepAlive = false;
      if (this.#held === undefined) handle(req, res);
      else this.#held.push(() => handle(req, res));
    };
  }

  /** Call it before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#accepted += 1;
      this.#connections.set(socket, { bytesRead: 0, since: 0 });
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** Resolves when all connections are closed, to whether none had to be cut off. */
  async end(server: Server, { delayMs, timeoutMs, idleMs }: DrainTimes): Promise<boolean> {
    this.#isDraining = true;
    for (const { answer } of this.#connections.values()) if (answer) answer.shouldKeepAlive = false;
    if (delayMs > 0) await sleep(delayMs);
    const closed = new Promise((resolve) => server.once('close', resolve));
    await this.#endListening(server);
    let isClean = true;
    const idle = setInterval(() => this.#closeIdle(idleMs), CHECK_MS);
    const deadline = setTimeout(() => {
      isClean = false;
      server.closeAllConnections();
    }, timeoutMs);
    await closed;
    clearInterval(idle);
    clearTimeout(deadline);
    return isClean;
  }

  async #endListening(server: Server): Promise<void> {
    const held: (() => void)[] = [];
    this.#held = held;
    for (
      let checks = 0, seen = -1;
      seen !== this.#accepted && checks < MAX_QUIET_CHECKS;
      checks++
    ) {
      seen = this.#accepted;
      await sleep(QUIET_MS);
    }
    // Not that of the HTTP server, which closes idle connections at once.
    NetServer.prototype.close.call(server);
    this.#held = undefined;
    for (const answer of held) answer();
  }

  #closeIdle(idleMs: number): void {
    for (const [socket, connection] of this.#connections) {
      const { answer, bytesRead, since } = connection;
      const isBusy = answer !== undefined && !answer.writableFinished && !answer.destroyed;
      if (isBusy || since === 0 || bytesRead !== socket.bytesRead) {
        Object.assign(connection, { bytesRead: socket.bytesRead, since: performance.now() });
      } else if (performance.now() - since >= idleMs) {
        socket.destroy();
      }
    }
  }
}
