// The configuration as an entry file reads it.

import { afterEach, expect, test, vi } from 'vitest';
import { readAccountConfig, readAccountConfigOrExit } from './index.js';

afterEach(() => vi.restoreAllMocks());

test('readAccountConfigOrExit() reads what readAccountConfig() reads', () => {
  const env = { NODE_ENV: 'test', JWT_TTL_SECONDS: '60' };
  expect(readAccountConfigOrExit(env)).toEqual(readAccountConfig(env));
});

test('readAccountConfigOrExit() prints the list of problems, without a stack, and ends the process', () => {
  const printed: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(text));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  expect(() => readAccountConfigOrExit({ JWT_TTL_SECONDS: '1h' })).toThrow('exit 1');
  expect(printed).toEqual([
    'Invalid environment variables:\n  JWT_TTL_SECONDS: use a whole number of seconds from 1 to 999999999, such as "604800"',
  ]);
});
