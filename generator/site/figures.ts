/** Numbers, sizes and dates (in UTC) in words that do not depend on the machine. */
import { html, type Html } from './html.ts';

/** `12345` as `12,345`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 build`, `2 builds`. */
export function countOf(value: number, noun: string, plural: string = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Bytes: `512 B`, `1.5 kB`, `2.0 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1_000] : ['MB', bytes / 1_000_000];
  return `${size.toFixed(1)} ${unit}`;
}

/** A share from 0 to 1: `0.4385` as `44 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-01-02T03:04:05.000Z` as `2 Jan 2026`. */
export function dateText(time: string): string {
  const [year = '', month = '', day = ''] = time.slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}

/** The date, with the exact time for programs. */
export function when(time: string): Html {
  return html`<time datetime="${time}">${dateText(time)}</time>`;
}
