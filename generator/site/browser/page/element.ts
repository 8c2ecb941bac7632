/** Makes an element. Strings become text, never HTML. */
import type { SearchHits, SearchQuery } from './search-builds.ts';

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** Gives a screen reader a message. */
export function announce(text: string): void {
  const place = document.getElementById('announce');
  if (place === null) return;
  // The same text again is announced only when it changes.
  place.textContent = '';
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** The address of a path, without a leading `/`. */
export function siteAddress(path: string): string {
  const root = document.documentElement.dataset['root'] ?? './';
  return new URL(root + path, location.href).href;
}

/** Choices of a visitor that last, where the browser allows it. */
export function keptChoice(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param value `null` forgets the choice */
export function keepChoice(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** How the parts of the search find builds. */

/** Rejects when the search data cannot be read. */
export type Find = (query: SearchQuery) => Promise<SearchHits>;

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
