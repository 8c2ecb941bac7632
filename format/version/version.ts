/** What is a version: semver 2.0.0 in its only spelling. Without a parser of ranges, so that pages load it alone. */

/** Longer texts are refused before any parser sees them. */
export const MAX_VERSION_LENGTH = 128;

/** The regular expression that semver.org suggests (its FAQ), for JSON Schema and editors. */
export const VERSION_PATTERN: RegExp =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/** Whether `text` is one semver version in its only spelling. */
export function isVersion(text: string): boolean {
  if (text.length > MAX_VERSION_LENGTH) return false;
  const [, ...numbers] = VERSION_PATTERN.exec(text)?.slice(0, 4) ?? [];
  // Resolvers refuse numbers that are too large for a number.
  return numbers.length > 0 && numbers.every((one) => Number(one) <= Number.MAX_SAFE_INTEGER);
}

/** With interface 1, `<version>.capabilities.json` and `<version>.provenance.json` were documents of their own. */
export const FORMER_ENDINGS = ['.capabilities', '.provenance'] as const;

/** Whether a version has such an ending. */
export function hasReservedEnding(version: string): boolean {
  return FORMER_ENDINGS.some((ending) => version.endsWith(ending));
}
