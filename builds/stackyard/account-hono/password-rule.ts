// Which passwords may be chosen. The password of a login is not checked by these rules.

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 200;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Which rule a new password breaks, as a message for people, or `undefined`. Nothing is trimmed or cut. */
export function findPasswordFault(password: string): string | undefined {
  // In UTF-8 all lone surrogates become the same three bytes, so different passwords would match.
  if (!isWellFormed(password)) return 'Password must be well-formed Unicode';
  // Code points, as NIST SP 800-63B-4 section 3.1.1.2 counts; versions of zod differ in this.
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) return `Password must be at least ${MIN_PASSWORD_LENGTH} characters`;
  if (length > MAX_PASSWORD_LENGTH) return `Password must be at most ${MAX_PASSWORD_LENGTH} characters`;
  return undefined;
}

/** Whether the text holds no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
