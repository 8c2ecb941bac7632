// The environment variables of the service.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServiceConfig, VARIABLE_NAMES } from './config.ts';
import { AuthServiceError } from './answer.ts';

const LONG = 'x'.repeat(32);

function problemsOf(env: Record<string, string>): string[] {
  try {
    readServiceConfig(env);
  } catch (error) {
    if (!(error instanceof AuthServiceError)) throw error;
    expect(error.code).toBe('ERR_CONFIG');
    return error.message.split('\n').slice(1);
  }
  return [];
}

test('readServiceConfig() needs nothing in development', () => {
  expect(readServiceConfig({ NODE_ENV: 'development' })).toEqual({
    account: expect.objectContaining({ production: false, ttlSeconds: 604_800 }),
    previousSecrets: [],
    issuer: undefined,
    audience: undefined,
    host: '127.0.0.1',
    port: 4000,
    database: { kind: 'sqlite', file: 'data/auth.sqlite' },
    trustProxy: false,
    rateLimit: undefined,
    refusesCommonPasswords: false,
    hashConcurrency: undefined,
    logLevel: 'info',
    metrics: undefined,
    shutdown: { delayMs: 0, timeoutMs: 10_000, idleMs: 0 },
    workers: 1,
    hashWaitMs: 10_000,
    mail: undefined,
    notices: [{ level: 'warn', message: expect.stringContaining('JWT_SECRET is not set') }],
  });
});

test('readServiceConfig() listens everywhere and limits attempts in production', () => {
  const config = readServiceConfig({ NODE_ENV: 'production', JWT_SECRET: LONG });
  expect(config).toMatchObject({ host: undefined, rateLimit: { attemptsPerMinute: 100 } });
});

test('readServiceConfig() starts in production without a secret, with a warning', () => {
  const { account } = readServiceConfig({ NODE_ENV: 'production' });
  expect(account.secret).toBeUndefined();
  expect(account.notices).toEqual([expect.objectContaining({ level: 'error' })]);
});

test.each([{}, { NODE_ENV: '' }, { NODE_ENV: ' ', JWT_SECRET: ' ' }])(
  'readServiceConfig() refuses to start without a mode and a secret: %j',
  (env) => {
    expect(() => readServiceConfig(env)).toThrow(
      /^Cannot read the configuration from the environment: 1 problem\n {2}JWT_SECRET: is not set, and neither is NODE_ENV/,
    );
  },
);

test.each(['Development', ' test ', 'staging'])(
  'readServiceConfig() takes the mode %j for production',
  (NODE_ENV) => {
    expect(readServiceConfig({ NODE_ENV }).account).toMatchObject({
      production: true,
      secret: undefined,
    });
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
  [{ RATE_LIMIT: 'on' }, { rateLimit: { attemptsPerMinute: 100 } }],
  [{ RATE_LIMIT: 'on', RATE_LIMIT_PER_MINUTE: '5' }, { rateLimit: { attemptsPerMinute: 5 } }],
  [{ NODE_ENV: 'production', RATE_LIMIT: 'off' }, { rateLimit: undefined }],
  [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8,::1' }, { trustProxy: ['loopback', '10.0.0.0/8', '::1'] }],
  [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 } }],
  [{ METRICS_PORT: '0', METRICS_HOST: '0.0.0.0' }, { metrics: { host: '0.0.0.0', port: 0 } }],
  [{ HASH_CONCURRENCY: '8' }, { hashConcurrency: 8 }],
  [{ COMMON_PASSWORDS: 'allow' }, { refusesCommonPasswords: false }],
  [{ COMMON_PASSWORDS: 'refuse' }, { refusesCommonPasswords: true }],
  [
    { NODE_ENV: 'production', JWT_SECRET: 'short', JWT_SECRET_ALLOW_SHORT: '1' },
    { account: { secret: 'short' } },
  ],
  [{ NODE_ENV: 'development', JWT_SECRET: 'short' }, { account: { secret: 'short' } }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ SHUTDOWN_TIMEOUT_MS: '30000' }, { shutdown: { delayMs: 0, timeoutMs: 30_000, idleMs: 0 } }],
  [{ SHUTDOWN_DELAY_MS: '7' }, { shutdown: { delayMs: 7, timeoutMs: 10_000, idleMs: 0 } }],
  [{ WORKERS: '4', DATABASE_URL: 'postgres://h/d' }, { workers: 4 }],
  [
    { JWT_ISSUER: 'https://a.example', JWT_AUDIENCE: 'b' },
    { issuer: 'https://a.example', audience: 'b' },
  ],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: 'b,c' }, { previousSecrets: ['b,c'] }],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '["b","c"]' }, { previousSecrets: ['b', 'c'] }],
  [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: ' b ' }, { previousSecrets: [' b '] }],
  [{ JWT_SECRET: ' a ' }, { account: { secret: ' a ' } }],
  [
    { DATABASE_URL: 'postgres://u:p@h/d' },
    { database: { kind: 'postgres', url: 'postgres://u:p@h/d', poolSize: 10, prepared: false } },
  ],
  [
    { DATABASE_URL: 'postgres://h/d', DATABASE_POOL_SIZE: '3', DATABASE_PREPARED: 'on' },
    { database: { poolSize: 3, prepared: true } },
  ],
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
    ['DATABASE_PREPARED', ['yes']],
    ['JWT_SECRET_STRICT', ['yes']],
    ['JWT_SECRET_ALLOW_SHORT', ['yes', 'true']],
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
    ['RATE_LIMIT_PER_MINUTE', ['0']],
    ['HASH_CONCURRENCY', ['0', '65']],
    ['LOG_LEVEL', ['verbose']],
    ['METRICS_PORT', ['65536']],
    ['SHUTDOWN_TIMEOUT_SECONDS', ['0', '601']],
  ])('%s', (name, values) => {
    for (const value of values) {
      expect(problemsOf({ [name]: value }), value).toEqual([
        expect.stringContaining(`${name}: use `),
      ]);
    }
  });

  test.each([
    [{ JWT_SECRET_PREVIOUS: LONG }, 'JWT_SECRET_PREVIOUS: is set without JWT_SECRET'],
    [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '["a"' }, 'JWT_SECRET_PREVIOUS: use one secret, or'],
    [{ JWT_SECRET: 'a', JWT_SECRET_PREVIOUS: '[1]' }, 'JWT_SECRET_PREVIOUS: use one secret, or'],
    [{ JWT_SECRET: 'a', JWT_SECRET_STRICT: '1' }, 'JWT_SECRET: use at least 32 random bytes'],
    [
      { JWT_SECRET: LONG, JWT_SECRET_PREVIOUS: 'a', JWT_SECRET_STRICT: '1' },
      'JWT_SECRET_PREVIOUS: use at least 32 random bytes',
    ],
    [
      { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(31) },
      'JWT_SECRET: use at least 32 random bytes',
    ],
    [
      { NODE_ENV: 'production', JWT_SECRET: LONG, JWT_SECRET_PREVIOUS: 'a' },
      'JWT_SECRET_PREVIOUS: use at least 32 random bytes',
    ],
    [{ METRICS_HOST: '::1' }, 'METRICS_HOST: is set without METRICS_PORT'],
  ])('%j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringContaining(problem)]);
  });
});

test('readServiceConfig() notes what is allowed but unwise', () => {
  const noticesOf = (env: Record<string, string>) =>
    readServiceConfig({ NODE_ENV: 'development', JWT_SECRET: LONG, ...env }).notices.map(
      ({ message }) => message,
    );
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
    JWT_SECRET_STRICT: '1',
    METRICS_HOST: '::1',
  };
  const names = problemsOf(env).map((line) => line.trim().split(':')[0]);
  expect(names.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
    'DATABASE_URL',
    'JWT_SECRET',
    'LOG_LEVEL',
    'METRICS_HOST',
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
        expect(error).toBeInstanceOf(AuthServiceError);
        for (const value of Object.values(env)) expect(String(error)).not.toContain(value.trim());
      }
    }),
  );
});
