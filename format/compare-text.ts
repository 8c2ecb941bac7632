/** The order of texts that does not depend on the machine or the locale. */

/**
 * Compares by code unit: negative, zero or positive, as `sort` expects.
 * @example
 * ['b', 'a', 'B'].sort(compareText); // ['B', 'a', 'b']
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
