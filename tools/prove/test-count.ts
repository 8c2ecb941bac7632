/** How many tests a test program reports as passed. */

const FORMS: readonly RegExp[] = [
  // vitest and jest count files as well, in lines of their own.
  /^\s*Tests:?\s+(?:\d+ skipped, )?(\d+) passed/m,
  /^\s*(\d+) passing/m,
  /\b(\d+) passed/,
];

/**
 * The number in the output of vitest, jest, mocha, pytest or `deno test`; `undefined` where none is found, as when no
 * test ran.
 */
export function countPassedTests(output: string): number | undefined {
  for (const form of FORMS) {
    const count = form.exec(output)?.[1];
    if (count !== undefined) return Number(count);
  }
  return undefined;
}
