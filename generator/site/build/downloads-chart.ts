/** Downloads per month as bars with axes. Its text has the numbers. */
import type { MonthDownloads } from './build-view.ts';
import { count } from '../figures.ts';
import { html, type Html } from '../html.ts';

const WIDTH = 720;

const HEIGHT = 200;

/** Room for the numbers on the left, for the months below, and above for the highest number. */
const [LEFT, BELOW, ABOVE] = [56, 24, 10];

/** Months that the chart has at most. */
const MAX_MONTHS = 24;

/** Nothing where nothing was downloaded. */
export function downloadsChart(all: readonly MonthDownloads[]): Html | undefined {
  const months = all.slice(-MAX_MONTHS);
  if (months.every(({ downloads }) => downloads === 0)) return undefined;
  const top = roundUp(Math.max(...months.map((m) => m.downloads)));
  const height = HEIGHT - BELOW - ABOVE;
  const step = (WIDTH - LEFT) / months.length;
  const y = (value: number): number => round(ABOVE + height * (1 - value / top));
  const lines = [0, top / 2, top]
    .filter(Number.isInteger)
    .map(
      (value) =>
        html`<path d="M${LEFT} ${y(value)}H${WIDTH}"/><text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${count(value)}</text>`,
    );
  // At most a dozen names fit.
  const every = Math.ceil(months.length / 12);
  const bars = months.map(({ month, downloads }, at) => {
    const x = LEFT + at * step;
    const name =
      at % every === 0
        ? html`<text x="${round(x + step / 2)}" y="${HEIGHT - 6}" text-anchor="middle">${month}</text>`
        : '';
    return html`<rect x="${round(x + step * 0.15)}" y="${y(downloads)}" width="${round(step * 0.7)}" height="${round(ABOVE + height - y(downloads))}"><title>${month}: ${count(downloads)}</title></rect>${name}`;
  });
  const words = months.map((m) => `${m.month}: ${m.downloads}`).join(', ');
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Downloads by month. ${words}">${lines}${bars}</svg>`;
}

/** The next number of the form 1, 2, 4, 6 or 8 times a power of ten, so that its half is a whole one from 2 on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const first = [1, 2, 4, 6, 8, 10].find((digit) => digit * power >= value) ?? 10;
  return first * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
