/** Shows how long ago dates were. The date itself, with the time of day, is their title. */
import { relativeTime } from './relative-time.ts';

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
