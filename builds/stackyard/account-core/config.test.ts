// The environment variables.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { AccountConfigError, readAccountConfig, readAccountConfigOrExit } from './config.js';

describe('config', () => {
  // The environment variables.
  const LONG = 'x'.repeat(32);

  describe('JWT_SECRET', () => {
    test.each([undefined, '', ' ', '\t\n'])('counts as absent: %j', (JWT_SECRET) => {
      for (const NODE_ENV of [undefined, '', 'production', 'prod', 'staging', 'Development', ' test ', 'tests']) {
        const config = readAccountConfig({ NODE_ENV, JWT_SECRET });
        expect([config.secret, config.production]).toEqual([undefined, true]);
        expect(config.notices).toEqual([
          { level: 'error', message: expect.stringContaining('JWT_SECRET is not set') },
        ]);
      }
      for (const NODE_ENV of ['development', 'test']) {
        const config = readAccountConfig({ NODE_ENV, JWT_SECRET });
        expect([config.secret, config.production]).toEqual([expect.stringContaining('development'), false]);
        expect(config.notices).toEqual([
          { level: 'warn', message: expect.stringContaining('JWT_SECRET is not set') },
        ]);
      }
    });

    test('is said to be needed because NODE_ENV is not set', () => {
      const messageOf = (env: Record<string, string>) => readAccountConfig(env).notices[0]?.message;
      expect(messageOf({})).toContain('in development set NODE_ENV to "development"');
      expect(messageOf({ NODE_ENV: 'production' })).not.toContain('NODE_ENV');
    });

    test('is taken as it is', () => {
      const config = readAccountConfig({ NODE_ENV: 'production', JWT_SECRET: ` ${LONG} ` });
      expect(config).toEqual({ secret: ` ${LONG} `, ttlSeconds: 604_800, production: true, notices: [] });
    });

    test('is not used in production when it is short, in bytes', () => {
      const short = readAccountConfig({ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(31) });
      expect(short.secret).toBeUndefined();
      expect(short.notices).toEqual([{ level: 'error', message: expect.stringContaining('31 bytes') }]);
      expect(readAccountConfig({ NODE_ENV: 'production', JWT_SECRET: 'ü'.repeat(16) }).notices).toEqual([]);
      expect(readAccountConfig({ JWT_SECRET: 'x' }).secret).toBeUndefined();
      expect(readAccountConfig({ NODE_ENV: 'test', JWT_SECRET: 'x' })).toMatchObject({ secret: 'x', notices: [] });
    });

    test('may be short in production with JWT_SECRET_ALLOW_SHORT, with a warning', () => {
      const env = { NODE_ENV: 'production', JWT_SECRET: 'short', JWT_SECRET_ALLOW_SHORT: '1' };
      const { secret, notices } = readAccountConfig(env);
      expect(secret).toBe('short');
      expect(notices).toEqual([{ level: 'warn', message: expect.stringContaining('5 bytes') }]);
      for (const value of ['0', '', 'true']) {
        expect(readAccountConfig({ ...env, JWT_SECRET_ALLOW_SHORT: value }).secret).toBeUndefined();
      }
      expect(() => readAccountConfig({ ...env, JWT_SECRET_STRICT: '1' })).toThrow(/\n {2}JWT_SECRET: has 5 bytes/);
    });

    test('is refused when it is short and JWT_SECRET_STRICT is 1', () => {
      const env = { NODE_ENV: 'production', JWT_SECRET_STRICT: '1' };
      expect(() => readAccountConfig({ ...env, JWT_SECRET: 'short' })).toThrow(/\n {2}JWT_SECRET: has 5 bytes/);
      expect(readAccountConfig({ ...env, JWT_SECRET: LONG }).secret).toBe(LONG);
      const mild = { NODE_ENV: 'development', JWT_SECRET: 'short', JWT_SECRET_STRICT: '0' };
      expect(readAccountConfig(mild).secret).toBe('short');
    });

    test('is not in what is said about it', () => {
      const { notices } = readAccountConfig({ NODE_ENV: 'production', JWT_SECRET: 'short' });
      expect(JSON.stringify(notices)).not.toContain('short"');
    });
  });

  describe('JWT_TTL_SECONDS', () => {
    test.each([
      [undefined, 604_800],
      ['', 604_800],
      [' ', 604_800],
      ['1', 1],
      ['3600', 3600],
      [' 60 ', 60],
      ['999999999', 999_999_999],
    ])('%j means %d', (text, seconds) => {
      expect(readAccountConfig({ JWT_TTL_SECONDS: text }).ttlSeconds).toBe(seconds);
    });

    test.each([
      'abc',
      '0',
      '-1',
      '+1',
      '1.5',
      '1e3',
      '60s',
      '0x10',
      '01',
      'Infinity',
      'NaN',
      '1_000',
      '1 000',
      '1000000000',
      '1234567890123',
      '１',
    ])('is refused by name: %j', (text) => {
      expect(() => readAccountConfig({ JWT_TTL_SECONDS: text })).toThrow(AccountConfigError);
      expect(() => readAccountConfig({ JWT_TTL_SECONDS: text })).toThrow(
        'Invalid environment variables:\n  JWT_TTL_SECONDS: use a whole number of seconds from 1 to 999999999, such as "604800"',
      );
    });
  });

  test('readAccountConfig() lists every variable that is wrong, without its value', () => {
    const env = { JWT_SECRET: 'my-secret', JWT_SECRET_STRICT: '1', JWT_TTL_SECONDS: '1h' };
    let thrown: unknown;
    try {
      readAccountConfig(env);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AccountConfigError);
    const { problems, message } = thrown as AccountConfigError;
    expect(problems.map(({ name }) => name)).toEqual(['JWT_TTL_SECONDS', 'JWT_SECRET']);
    expect(message.split('\n')).toEqual([
      'Invalid environment variables:',
      expect.stringMatching(/^ {2}JWT_TTL_SECONDS: /),
      expect.stringMatching(/^ {2}JWT_SECRET: /),
    ]);
    expect(message).not.toMatch(/my-secret|1h/);
  });
});

describe('config or exit', () => {
  // The configuration as an entry file reads it.
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
});
