import { expect, test } from 'vitest';
import { keyInConfig } from './log-files.ts';

const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

test('keyInConfig() is the key of the log', () => {
  expect(keyInConfig(encode({ log: { key: KEY } }))).toBe(KEY);
});

test.each([{}, { log: {} }, { log: { key: 'x' } }, { log: { key: KEY }, unknown: 1 }, 'text'])(
  'keyInConfig() of %j is undefined',
  (config) => {
    expect(keyInConfig(encode(config))).toBeUndefined();
  },
);

test('keyInConfig() of what is no JSON is undefined', () => {
  expect(keyInConfig(new TextEncoder().encode('{'))).toBeUndefined();
});
