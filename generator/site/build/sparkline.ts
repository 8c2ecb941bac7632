/** A small chart of downloads per month. Its text has the numbers. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { MonthDownloads } from './build-view.ts';

const WIDTH = 240;
const HEIGHT = 48;
/** Months that the chart has at most. */
const MAX_MONTHS = 24;

/** Nothing for fewer than two months. */
export function sparkline(all: readonly MonthDownloads[]): Html | undefined {
  const months = all.slice(-MAX_MONTHS);
  if (months.length < 2) return undefined;
  const highest = Math.max(1, ...months.map((m) => m.downloads));
  const points = months.map(({ downloads }, at) => {
    const x = (at / (months.length - 1)) * WIDTH;
    const y = HEIGHT - 3 - (downloads / highest) * (HEIGHT - 6);
    return `${round(x)},${round(y)}`;
  });
  const words = months.map((m) => `${m.month}: ${m.downloads}`).join(', ');
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Downloads by month. ${words}"><polygon points="0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}"/><polyline points="${points.join(' ')}"/></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
