/** The pauses between requests. */

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
