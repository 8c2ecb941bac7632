import { expect, it } from 'vitest';
import { dateText, when } from './when.ts';

it('dateText() is the date in UTC, the same on every machine', () => {
  expect(dateText('2026-01-02T23:59:59.000Z')).toBe('2 Jan 2026');
  expect(dateText('2026-12-31T00:00:00.000Z')).toBe('31 Dec 2026');
});

it('when() keeps the exact time for programs', () => {
  expect(String(when('2026-01-02T03:04:05.000Z'))).toBe(
    '<time datetime="2026-01-02T03:04:05.000Z" data-relative>2 Jan 2026</time>',
  );
});
