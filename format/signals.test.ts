import { expect, test } from 'vitest';
import { Signals } from './signals.ts';

const AT = '2026-11-21T09:30:00.000Z';

test('Signals reads every field', () => {
  const value = {
    downloads: 3,
    agent_reports: { success: 2, failure: 1 },
    flags: 1,
    updated_at: AT,
  };
  expect(Signals.parse(value)).toEqual(value);
});

test('Signals counts nothing by default', () => {
  expect(Signals.parse({ updated_at: AT })).toEqual({
    downloads: 0,
    agent_reports: { success: 0, failure: 0 },
    flags: 0,
    updated_at: AT,
  });
});

test.each([
  {},
  { updated_at: 'today' },
  { updated_at: AT, downloads: -1 },
  { updated_at: AT, downloads: 0.5 },
  { updated_at: AT, flags: '1' },
  { updated_at: AT, agent_reports: { success: 1 } },
  { updated_at: AT, agent_reports: { success: 1, failure: 0, success_rate: 1 } },
  { updated_at: AT, extra: 1 },
])('Signals refuses %j', (value) => {
  expect(Signals.safeParse(value).success).toBe(false);
});
