// What the recovery routes work with, and the defaults of what the host need not give.

import { type AccountDependencies, type AccountRouterOptions, createDependencies } from './dependencies.js';
import { createMemoryThrottle } from './memory-throttle.js';
import type { RecoveryPurpose, RecoveryStore } from './recoveries.js';
import { linkBelow, type RecoveryLink, type RecoveryMail } from './recovery-mail.js';
import { noThrottle, type Throttle } from './throttle.js';

/** Sends a mail, and rejects when it could not be sent. `signal` is aborted after `mailTimeoutMs`. */
export type SendMail = (mail: RecoveryMail, signal: AbortSignal) => void | Promise<void>;

export interface RecoveryOptions {
  readonly sendMail: SendMail;
  /**
   * Makes the link of a mail; or the URL of the application, whose pages `reset-password` and `verify-email` get the token
   * as the query `?token=...`. It must not come from a request: a stranger would choose where the token goes.
   */
  readonly link: string | RecoveryLink;
  /** How long a password reset can be used, in seconds. Default: 1800. */
  readonly resetTtlSeconds?: number;
  /** How long the verification of an address can be used, in seconds. Default: 86400. */
  readonly verificationTtlSeconds?: number;
  /** How long `sendMail` may take before it counts as failed, in milliseconds. Default: 30000. */
  readonly mailTimeoutMs?: number;
  /**
   * Limits the mails by address of the client and by account; it must not be the throttle of the logins. Default: none
   * where the logins have none; else in memory, 20 a minute and client, and for each account 3, then with waits of 1, 2,
   * 4 ... 900 seconds, then after 10 a day one in 15 minutes.
   */
  readonly mailThrottle?: Throttle;
}

/** All options of the recovery routes, for a storage of the host's own. */
export interface RecoveryRouterOptions extends AccountRouterOptions, RecoveryOptions {
  readonly recoveries: RecoveryStore;
}

export interface RecoveryDependencies extends AccountDependencies {
  readonly recoveries: RecoveryStore;
  readonly sendMail: SendMail;
  readonly makeLink: RecoveryLink;
  readonly ttlSeconds: Readonly<Record<RecoveryPurpose, number>>;
  readonly mailTimeoutMs: number;
  readonly mailThrottle: Throttle;
  /** The mails that were requested and are not finished. */
  readonly pending: Set<Promise<void>>;
}

const MAX_SECONDS = 31_536_000;
const MAX_MS = 0x7fffffff;

/** The options of the host with the defaults filled in. Throws `RangeError` for a link or a time that cannot be used. */
export function createRecoveryDependencies(options: RecoveryRouterOptions): RecoveryDependencies {
  const { link, resetTtlSeconds = 1800, verificationTtlSeconds = 86_400, mailTimeoutMs = 30_000 } = options;
  checkWhole('resetTtlSeconds', resetTtlSeconds, MAX_SECONDS);
  checkWhole('verificationTtlSeconds', verificationTtlSeconds, MAX_SECONDS);
  checkWhole('mailTimeoutMs', mailTimeoutMs, MAX_MS);
  const account = createDependencies(options);
  return {
    ...account,
    recoveries: options.recoveries,
    sendMail: options.sendMail,
    makeLink: typeof link === 'string' ? linkBelow(link) : link,
    ttlSeconds: { password_reset: resetTtlSeconds, email_verification: verificationTtlSeconds },
    mailTimeoutMs,
    mailThrottle: options.mailThrottle ?? defaultThrottle(account),
    pending: new Set(),
  };
}

function defaultThrottle({ throttle, now }: AccountDependencies): Throttle {
  if (throttle === noThrottle) return noThrottle;
  return createMemoryThrottle({ attemptsPerMinute: 20, freeFailures: 3, accountFailures: 10, now });
}

function checkWhole(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new RangeError(`Option "${name}" is "${value}": use a whole number from 1 to ${max}`);
}
