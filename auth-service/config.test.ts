// The environment variables of the service.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServiceConfig, VARIABLE_NAMES } from './config.ts';
import { ConfigError } from './errors.ts';

const LONG = 'x'.repeat(32);

function problemsOf(env: Record<string, string>): string[] {
  try {
    readServiceConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
  return [];
}

test('readServiceConfig() needs nothing in development', () => {
  expect(readServiceConfig({ NODE_ENV: 'development' })).toEqual({
    secret: expect.stringContaining('development only'),
    previousSecrets: [],
    ttlSeconds: 604_800,
    issuer: undefined,
    audience: undefined,
    host: '127.0.0.1',
    port: 4000,
    database: { kind: 'sqlite', file: 'data/auth.sqlite' },
    trustProxy: false,
    isRateLimited: false,
    refusesCommonPasswords: false,
    hashConcurrency: 2,
    logLevel: 'info',
    metricsToken: undefined,
    shutdown: { delayMs: 0, timeoutMs: 10_000, idleMs: 0 },
    warnings: [expect.stringContaining('JWT_SECRET is not set')],
  });
});

test('readServiceConfig() listens everywhere and limits attempts in production', () => {
  const config = readServiceConfig({ NODE_ENV: 'production', JWT_SECRET: LONG });
  expect(config).toMatchObject({ host: undefined, isRateLimited: true, secret: LONG });
});

test.each(['', ' ', 'production', 'Development', ' test ', 'staging'])(
  'readServiceConfig() takes the mode %j for production, which needs a secret of 32 bytes',
  (NODE_ENV) => {
    for (const JWT_SECRET of ['', ' ', 'x'.repeat(31)]) {
      expect(problemsOf({ NODE_ENV, JWT_SECRET })).toEqual([
        expect.stringMatching(/^ {2}JWT_SECRET: is (?:not set|too short).*openssl rand -hex 32/),
      ]);
    }
    // Two bytes each.
    expect(problemsOf({ NODE_ENV, JWT_SECRET: 'ü'.repeat(16) })).toEqual([]);
  },
);

test('readServiceConfig() takes blank variables as absent', () => {
  const secret = { JWT_SECRET: LONG };
  const blank = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ' ']));
  expect(readServiceConfig({ ...blank, ...secret })).toEqual(readServiceConfig(secret));
});

test.each([
  [{ PORT: ' 0 ' }, { port: 0 }],
  [{ HOST: '::' }, { host: '::' }],
  [{ RATE_LIMIT: 'on' }, { isRateLimited: true }],
  [{ NODE_ENV: 'production', JWT_SECRET: LONG, RATE_LIMIT: 'off' }, { isRateLimited: false }],
  [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8,::1' }, { trustProxy: ['loopback', '10.0.0.0/8', '::1'] }],
  [{ HASH_CONCURRENCY: '8' }, { hashConcurrency: 8 }],
  [{ COMMON_PASSWORDS: 'allow' }, { refusesCommonPasswords: false }],
  [{ COMMON_PASSWORDS: 'refuse' }, { refusesCommonPasswords: true }],
  [{ NODE_ENV: 'development', JWT_SECRET: 'short' }, { secret: 'short' }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ SHUTDOWN_TIMEOUT_MS: '30000' }, { shutdown: { delayMs: 0, timeoutMs: 30_000, idleMs: 0 } }],
  [{ SHUTDOWN_DELAY_MS: '7' }, { shutdown: { delayMs: 7, timeoutMs: 10_000, idleMs: 0 } }],
  [
    { JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'b' },
    { issuer: 'https://a.example', audience: 'b' },
  ],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: 'b,c' }, { previousSecrets: ['b,c'] }],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '["b","c"]' }, { previousSecrets: ['b', 'c'] }],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: ' b ' }, { previousSecrets: [' b '] }],
  [{ JWT_SECRET: ' a ' }, { secret: ' a ' }],
  [
    { DATABASE_URL: 'postgres://u:p@h/d' },
    { database: { kind: 'postgres', url: 'postgres://u:p@h/d', poolSize: 10 } },
  ],
  [{ DATABASE_URL: 'postgres://h/d', DATABASE_POOL_SIZE: '3' }, { database: { poolSize: 3 } }],
])('readServiceConfig() reads %j', (env, expected) => {
  expect(readServiceConfig({ NODE_ENV: 'development', ...env })).toMatchObject(expected);
});

describe('readServiceConfig() refuses', () => {
  test.each<[string, string[]]>([
    ['PORT', ['x', '-1', '65536', '1e3', '0x10', '4000.5', '04000', '99999999999']],
    ['HOST', ['a b', 'http://a/']],
    [
      'DATABASE_URL',
      ['mysql://h/d', 'data/auth.sqlite', 'file:', 'postgres:h', 'postgres://u:%zz@h/d'],
    ],
    ['DATABASE_POOL_SIZE', ['0', '1001']],
    ['COMMON_PASSWORDS', ['on', '1']],
    ['JWT_TTL_SECONDS', ['0', '60s', '1e3', '1000000000']],
    ['JWT_ISSUER', ['x'.repeat(201)]],
    [
      'TRUST_PROXY',
      [
        'true',
        '0',
        '11',
        '*',
        'example.com, 10.0.0.1 ',
        '1,',
        '1.2.3',
        '::1/129',
        '10.0.0.0/8/8',
        '1.2.3.4/0',
      ],
    ],
    ['RATE_LIMIT', ['true', 'ON']],
    ['HASH_CONCURRENCY', ['0', '65']],
    ['LOG_LEVEL', ['verbose']],
    ['METRICS_TOKEN', ['short', 'with spaces in its text', 'x'.repeat(513)]],
    ['SHUTDOWN_TIMEOUT_MS', ['0', '600001', '1s']],
    ['SHUTDOWN_DELAY_MS', ['-1', '600001']],
  ])('%s', (name, values) => {
    for (const value of values) {
      expect(problemsOf({ JWT_SECRET: LONG, [name]: value }), value).toEqual([
        expect.stringContaining(`${name}: use `),
      ]);
    }
  });

  test.each([
    [{ JWT_SECRET_PREVIOUS: LONG }, 'JWT_SECRET_PREVIOUS: is set without JWT_SECRET'],
    [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '["a"' }, 'JWT_SECRET_PREVIOUS: use one secret, or'],
    [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '[1]' }, 'JWT_SECRET_PREVIOUS: use one secret, or'],
    [
      { NODE_ENV: 'production', JWT_SECRET: LONG, JWT_SECRET_PREVIOUS: 'a' },
      'JWT_SECRET_PREVIOUS: use secrets of at least 32 bytes',
    ],
  ])('%j', (env, problem) => {
    expect(problemsOf({ NODE_ENV: 'test', ...env })).toEqual([expect.stringContaining(problem)]);
  });
});

test('readServiceConfig() notes what is allowed but unwise', () => {
  const noticesOf = (env: Record<string, string>) =>
    readServiceConfig({ NODE_ENV: 'development', JWT_SECRET: LONG, ...env }).warnings;
  expect(noticesOf({ HASH_CONCURRENCY: '2' })).toEqual([]);
  expect(noticesOf({ HASH_CONCURRENCY: '8' })).toEqual([expect.stringContaining('to at least 10')]);
  expect(noticesOf({ HASH_CONCURRENCY: '8', UV_THREADPOOL_SIZE: '10' })).toEqual([]);
  expect(noticesOf({ RATE_LIMIT: 'off' })).toEqual([]);
  expect(noticesOf({ NODE_ENV: 'production', RATE_LIMIT: 'off' })).toEqual([
    expect.stringContaining('RATE_LIMIT'),
  ]);
});

test('readServiceConfig() lists all problems at once, those between variables too', () => {
  const env = {
    PORT: 'x',
    DATABASE_URL: 'mysql://h',
    LOG_LEVEL: 'loud',
    RATE_LIMIT: '1',
    JWT_SECRET: 'short',
    METRICS_TOKEN: '::1',
  };
  const names = problemsOf(env).map((line) => line.trim().split(':')[0]);
  expect(names.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
    'DATABASE_URL',
    'JWT_SECRET',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'PORT',
    'RATE_LIMIT',
  ]);
});

test('readServiceConfig() throws nothing else and never quotes a value', () => {
  const secretText = fc.string({ minLength: 6 }).map((text) => `Zq${text}`);
  const environment = fc.dictionary(fc.constantFrom(...VARIABLE_NAMES), secretText);
  fc.assert(
    fc.property(environment, (env) => {
      try {
        readServiceConfig(env);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        for (const value of Object.values(env)) expect(String(error)).not.toContain(value.trim());
      }
    }),
  );
});
