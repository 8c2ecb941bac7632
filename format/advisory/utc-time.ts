/** The times of OSV entries: RFC 3339 in UTC. */

/** Milliseconds since 1970, or `undefined` for what is no such time. */
export function tryParseTime(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/.test(text)) return undefined;
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether time `a` is later than `b`; both are times. */
export function isLater(a: string, b: string): boolean {
  return (tryParseTime(a) ?? 0) > (tryParseTime(b) ?? 0);
}
