/** Dates as how long ago they were: `3 days ago`. */

/** Shows how long ago dates were. The date itself, with the time of day, is their title. */
export function addRelativeTimes(): void {
  const now = Date.now();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    showRelative(time, now);
  }
}

/** Leaves a date as it is that is not a time. The style sheet keeps room for either text, so that nothing moves. */
export function showRelative(time: HTMLTimeElement, now: number): void {
  const words = relativeTime(time.dateTime, now);
  if (words === undefined) return;
  time.title = `${time.textContent}, ${time.dateTime.slice(11, 16)} UTC`;
  time.textContent = words;
}

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
