/** Adds to dates how long ago they were. */
import { relativeTime } from './relative-time.ts';

export function addRelativeTimes(): void {
  const now = Date.now();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const words = relativeTime(time.dateTime, now);
    if (words === undefined) continue;
    if (time.dataset['relative'] === 'title') time.title = words;
    else time.append(` (${words})`);
  }
}
