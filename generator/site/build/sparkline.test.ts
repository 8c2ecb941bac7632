import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

const months = (count: number, downloads: number) =>
  Array.from({ length: count }, (_, at) => ({ month: `${2000 + at}-01`, downloads }));

test('sparkline() needs two months, and shows the last 24', () => {
  expect(sparkline(months(1, 5))).toBeUndefined();
  const text = String(sparkline(months(30, 5)));
  expect(text).toContain('aria-label="Downloads by month. 2006-01: 5,');
  expect(text.match(/polyline points="([^"]*)"/)?.[1]?.split(' ')).toHaveLength(24);
});

test('sparkline() stays inside of its box', () => {
  for (const downloads of [0, 1, Number.MAX_SAFE_INTEGER]) {
    const [, points = ''] =
      /polyline points="([^"]*)"/.exec(String(sparkline(months(3, downloads)))) ?? [];
    for (const point of points.split(' ')) {
      const [x = -1, y = -1] = point.split(',').map(Number);
      expect(x >= 0 && x <= 240 && y >= 0 && y <= 48).toBe(true);
    }
  }
});
