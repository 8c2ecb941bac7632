// Slows down the guessing of passwords: the interface, and an implementation in the memory of one process.

import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

export interface Throttle {
  /** Counts an attempt, which is a failure until it succeeds, and returns 0; or returns the seconds to wait. */
  admit(address: string, email?: string): number | Promise<number>;
  succeed(address: string, email: string): void | Promise<void>;
}

/** An address has 100 attempts a minute; an account and address 10 failures a day, then waits of 1, 2, 4 ... 900 s. */
export function createThrottle(): Throttle {
  const entries = new Map<string, { count: number; readonly since: number; until: number }>();
  function count(key: string, free: number, periodMs: number): number {
    const [now, known] = [Date.now(), entries.get(key)];
    const entry = known && now - known.since < periodMs ? known : { count: 0, since: now, until: 0 };
    // Moved to the end. The first one is that which was unused for the longest time.
    entries.delete(key);
    const [oldest] = entries.size < 100_000 ? [] : entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(key, entry);
    if (entry.until > now) return Math.ceil((entry.until - now) / 1000);
    if (++entry.count >= free) entry.until = now + 1000 * Math.min(2 ** (entry.count - free), 900);
    return 0;
  }
  // A digest, since a stranger chooses the length of the e-mail.
  const keyOf = (address: string, email: string) => createHash('sha256').update(`${address} ${email}`).digest('hex');
  return {
    admit: (address, email) =>
      count(address, 100, 60_000) || (email === undefined ? 0 : count(keyOf(address, email), 10, 86_400_000)),
    succeed: (address, email) => void entries.delete(keyOf(address, email)),
  };
}

/** An IPv6 address without its last 64 bits, which a client commonly chooses itself. */
export function toNetwork(address: string): string {
  const isShort = !isIPv6(address) || address.includes('.');
  return isShort ? address : address.replace('::', ':0:0:0:0:').split(':', 4).join(':');
}
