// Sends the mails of the outbox in the background: claims what is due, a few at a time, and decides what becomes of what failed.

import type { ClaimedMail, Outbox } from './outbox.js';
import { explainFailure, type Transport } from './smtp.js';

export interface SenderOptions {
  /** Mails on their way at once. Default: 5. */
  readonly concurrency?: number;
  /** How often the outbox is looked at for mails that other processes have put there, in milliseconds. Default: 1000. */
  readonly pollMs?: number;
  /** After how long another process takes over what this one had claimed when it was killed, in milliseconds. Default: 60,000. */
  readonly leaseMs?: number;
  /** Attempts before a mail becomes a dead letter. Default: 60, which takes about two days. */
  readonly maxAttempts?: number;
  /** The pause after the first attempt, doubled by each further one, in milliseconds. Default: 10,000. */
  readonly firstPauseMs?: number;
  /** The longest pause, in milliseconds. Default: one hour. */
  readonly maxPauseMs?: number;
  /** How long `stop` waits for the mails that are on their way, in milliseconds. Default: 1500. */
  readonly stopTimeoutMs?: number;
  /** How long sent mails are kept, without their text, in days. Default: 7. */
  readonly keepSentDays?: number;
  /** How long dead letters are kept, in days. Default: 30. */
  readonly keepDeadDays?: number;
}

/** The part of the log of a foundation that is used here. */
export interface MailLog {
  info(message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SenderParts extends SenderOptions {
  readonly outbox: Outbox;
  readonly transport: Transport;
  readonly log: MailLog;
  readonly now: () => number;
  /** Whether the text of sent mails stays, for the development inbox. */
  readonly keepsContent: boolean;
}

const DAY_MS = 86_400_000;
const PRUNE_MS = 3_600_000;
const MAX_SERVER_PAUSE_MS = 60_000;
const FIRST_SERVER_PAUSE_MS = 1000;
const RECORD_PAUSE_MS = 1000;
const ABORT_GRACE_MS = 500;

export class Sender {
  readonly #parts: SenderParts;
  /** The mails of this process by id, until the outbox knows what became of them. */
  readonly #inFlight = new Map<string, { readonly mail: ClaimedMail; readonly controller: AbortController; done: Promise<void> }>();
  #isStopping = false;
  #loop: Promise<void> | undefined;
  #wake = (): void => {};
  #isWoken = false;
  #serverFailures = 0;
  #pausedUntil = 0;
  #prunedAt = 0;
  #failure: unknown;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks at the outbox at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** For readiness: throws while the outbox cannot be read, or nothing looks at it. A server that is down does not matter here. */
  check(): void {
    if (this.#loop === undefined || this.#isStopping) throw new Error('The sender of mails is not running');
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Claims nothing more, and lets the mails on their way arrive. Those that take too long are cut off and stay queued. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
    const waiting = () => Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    await withTimeout(waiting(), this.#parts.stopTimeoutMs ?? 1500);
    for (const { controller } of this.#inFlight.values()) controller.abort();
    await withTimeout(waiting(), ABORT_GRACE_MS);
  }

  async #run(): Promise<void> {
    const { outbox, concurrency = 5, pollMs = 1000, leaseMs = 60_000, log, now } = this.#parts;
    const renewing = setInterval(() => void this.#renew(leaseMs), leaseMs / 3);
    renewing.unref();
    while (!this.#isStopping) {
      this.#isWoken = false;
      // While the server is down one mail at a time finds out whether it is back.
      const limit = (this.#serverFailures > 0 ? 1 : concurrency) - this.#inFlight.size;
      if (limit > 0 && now() >= this.#pausedUntil) {
        try {
          for (const mail of await outbox.claim(limit, leaseMs)) this.#begin(mail);
          await this.#prune();
          if (this.#failure !== undefined) log.info('The outbox of mails is available again');
          this.#failure = undefined;
        } catch (error) {
          if (this.#failure === undefined) log.error({ err: error }, 'Cannot read the outbox of mails; trying again');
          this.#failure = error;
        }
      }
      await this.#sleep(pollMs);
    }
    clearInterval(renewing);
  }

  #begin(mail: ClaimedMail): void {
    // Its lease has run out while the outbox could not be written: it is this process that still works on it.
    if (this.#inFlight.has(mail.id)) return;
    const entry = { mail, controller: new AbortController(), done: Promise.resolve() };
    this.#inFlight.set(mail.id, entry);
    entry.done = this.#send(mail, entry.controller.signal).finally(() => {
      this.#inFlight.delete(mail.id);
      this.wake();
    });
  }

  async #send(mail: ClaimedMail, signal: AbortSignal): Promise<void> {
    const { outbox, transport, keepsContent, log, now, maxAttempts = 60 } = this.#parts;
    const { id, attempts, expiresAt } = mail;
    const give = (message: string) => this.#record(() => outbox.markFailed(id, message, undefined), signal);
    if (expiresAt !== null && expiresAt <= now()) return give('It was not sent before it expired');
    if (attempts > maxAttempts) return give('The process ended during each of its attempts');
    try {
      await transport(mail, signal);
      this.#serverFailures = 0;
      return await this.#record(() => outbox.markSent(id, keepsContent), signal);
    } catch (error) {
      if (signal.aborted) return await this.#record(() => outbox.release(id), signal);
      const { kind, message } = explainFailure(error);
      if (kind === 'server') this.#pause();
      else this.#serverFailures = 0;
      const isLast = kind === 'refused' || attempts >= maxAttempts;
      const delayMs = isLast ? undefined : this.#pauseAfter(attempts);
      // Without the text of the server, which has the address.
      const { responseCode, code, response } = error as { responseCode?: unknown; code?: unknown; response?: unknown };
      const fields = { mail: id, attempts, code: responseCode ?? code, ...(kind === 'server' && response === undefined && { reason: message }) };
      if (isLast) log.error(fields, 'A mail was not sent, and is a dead letter now');
      else log.warn(fields, `A mail was not sent; the next attempt is in ${Math.ceil(delayMs! / 1000)} s`);
      return await this.#record(() => outbox.markFailed(id, message, delayMs), signal);
    }
  }

  // A mail that was sent must not be sent again because the disk is full: it stays claimed here until that is written down.
  async #record(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await write();
      } catch (error) {
        if (isFirst) this.#parts.log.error({ err: error }, 'Cannot write what became of a mail; trying again');
        this.#failure ??= error;
        if (signal.aborted) return;
      }
      await pause(RECORD_PAUSE_MS, signal);
    }
  }

  #pause(): void {
    const { now } = this.#parts;
    // Those that were on their way together failed together.
    if (now() < this.#pausedUntil) return;
    this.#pausedUntil = now() + jitter(Math.min(FIRST_SERVER_PAUSE_MS * 2 ** this.#serverFailures, MAX_SERVER_PAUSE_MS));
    this.#serverFailures = Math.min(this.#serverFailures + 1, 10);
  }

  #pauseAfter(attempts: number): number {
    const { firstPauseMs = 10_000, maxPauseMs = 3_600_000 } = this.#parts;
    return jitter(Math.min(firstPauseMs * 2 ** Math.min(attempts - 1, 30), maxPauseMs));
  }

  async #renew(leaseMs: number): Promise<void> {
    const ids = [...this.#inFlight.keys()];
    // A failure shows in the next look at the outbox.
    if (ids.length > 0) await this.#parts.outbox.renew(ids, leaseMs).catch(() => {});
  }

  async #prune(): Promise<void> {
    const { outbox, now, keepSentDays = 7, keepDeadDays = 30 } = this.#parts;
    if (Math.abs(now() - this.#prunedAt) < PRUNE_MS) return;
    this.#prunedAt = now();
    await outbox.prune(now() - keepSentDays * DAY_MS, now() - keepDeadDays * DAY_MS);
  }

  async #sleep(milliseconds: number): Promise<void> {
    // Statements of SQLite do not wait for anything: requests come in between here.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isWoken || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      // The server keeps the process alive, not the sender.
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

// From half to the whole of it, so that what failed together is not tried again together.
function jitter(milliseconds: number): number {
  return Math.ceil(milliseconds * (0.5 + Math.random() / 2));
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}

async function withTimeout(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
