// The normal form of an e-mail address, and the rule for a valid one. Addresses are normalised here and never in SQL:
// databases convert case by other rules.

/** Longest e-mail address in characters (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

// The rule of zod 3.23 to 4, written here so that the answer does not depend on the host's version of zod, and in addition
// internationalised top-level domains (`xn--p1ai`). ASCII only, no quoted names, no address literals.
const EMAIL =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/;

const NUL_OR_LONE_SURROGATE = /[\0\p{Surrogate}]/u;

/** Trimmed and in lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Which rule a normalised address breaks, as a message for people, or `undefined`. */
export function findEmailFault(email: string): string | undefined {
  // The length first, so that no long text reaches the expression.
  if (Array.from(email).length > MAX_EMAIL_LENGTH)
    return `Email must be at most ${MAX_EMAIL_LENGTH} characters`;
  return EMAIL.test(email) ? undefined : 'Email must be a valid email address';
}

/** Whether a database can hold the text at all. PostgreSQL fails on NUL; half a surrogate pair is no Unicode. */
export function isStorableText(text: string): boolean {
  return !NUL_OR_LONE_SURROGATE.test(text);
}
