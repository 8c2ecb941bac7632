/** How long ago a time was, in words: `3 days ago`. */

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** @param time ISO 8601; `undefined` for what is no time */
export function relativeTime(time: string, now: number): string | undefined {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60];
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return words.format(Math.trunc(seconds / length), unit);
}
