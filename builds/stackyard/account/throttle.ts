// Slows down the guessing of passwords, in the memory of one process: 100 attempts a minute for each address; for each
// account and address 10 failures, then a wait that doubles.

import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

export interface Attempt {
  readonly address: string;
  /** Of the account, whether it exists or not. A registration has none. */
  readonly email?: string;
}

/** An attempt counts as a failure from the moment it is admitted, so that many at once do not slip through. */
export interface Throttle {
  /** Counts the attempt and returns 0, or returns the seconds to wait. */
  admit(attempt: Attempt): number | Promise<number>;
  /** The password was right: forgets the failures. */
  succeed(attempt: Attempt): void | Promise<void>;
  /** The attempt was neither right nor wrong, as when the database failed: takes its count back. */
  withdraw(attempt: Attempt): void | Promise<void>;
}

export const noThrottle: Throttle = { admit: () => 0, succeed: () => {}, withdraw: () => {} };

const [ATTEMPTS, FREE_FAILURES, MAX_WAIT_SECONDS, MAX_ENTRIES] = [100, 10, 900, 100_000];

export function createThrottle(): Throttle {
  const entries = new Map<string, { count: number; since: number; until: number }>();

  // Moves the entry to the end, so that the first one is that which was unused for the longest time.
  function entryOf(key: string, periodMs: number) {
    const known = entries.get(key);
    const now = Date.now();
    const entry = known && now - known.since < periodMs ? known : { count: 0, since: now, until: 0 };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.size > MAX_ENTRIES ? entries.keys() : [];
    if (oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  // Digests, since a stranger chooses the length of the e-mail.
  const failuresOf = ({ address, email = '' }: Attempt) =>
    entryOf(createHash('sha256').update(`${address}\n${email}`).digest('base64'), 86_400_000);

  return {
    admit(attempt) {
      const now = Date.now();
      const minute = entryOf(attempt.address, 60_000);
      const failures = failuresOf(attempt);
      const until = minute.count < ATTEMPTS ? failures.until : minute.since + 60_000;
      if (until > now) return Math.ceil((until - now) / 1000);
      minute.count++;
      if (attempt.email === undefined) return 0;
      const exponent = ++failures.count - FREE_FAILURES;
      failures.since = now;
      failures.until = exponent < 0 ? 0 : now + 1000 * Math.min(2 ** exponent, MAX_WAIT_SECONDS);
      return 0;
    },
    succeed: (attempt) => void Object.assign(failuresOf(attempt), { count: 0, until: 0 }),
    // A wait that has begun stays: it may be that of another attempt.
    withdraw: (attempt) => void failuresOf(attempt).count--,
  };
}

/** An IPv6 address without its last 64 bits, which a client commonly chooses itself. */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  return address.replace('::', ':0:0:0:0:').split(':', 4).join(':');
}
