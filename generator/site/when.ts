/** Times on pages: the date in UTC, in words that do not depend on the machine. */
import { html } from './html.ts';
import type { Html } from './html.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-01-02T03:04:05.000Z` as `2 Jan 2026`. */
export function dateText(time: string): string {
  const [year = '', month = '', day = ''] = time.slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}

/** The date; the browser module shows how long ago it is instead, and keeps the date as its title. */
export function when(time: string): Html {
  return html`<time datetime="${time}" data-relative>${dateText(time)}</time>`;
}
