/** Second factors on both frameworks, on SQLite; PostgreSQL is in totp.long.test.ts. */
import { expect, test } from 'vitest';
import { createTotpModule } from '../../builds/stackyard/totp/index.ts';
import { FRAMEWORKS } from './login-fixture.ts';
import { describeTotp } from './totp.contract.ts';

for (const framework of FRAMEWORKS) describeTotp(framework);

test.each([
  [{}, /is not set/],
  [{ NODE_ENV: 'production' }, /is not set/],
  [{ NODE_ENV: 'test', TOTP_KEY: 'short' }, /has a key of 5 characters/],
  [{ TOTP_KEY: `${'k'.repeat(32)},short` }, /has a key of 5 characters/],
  [{ TOTP_KEY: `${'k'.repeat(32)}, ${'o'.repeat(32)}` }, undefined],
  [{ NODE_ENV: 'development' }, undefined],
])('with the variables %j the problem is %s', async (env, message) => {
  const nothing = (): never => {
    throw new Error('The settings need no database');
  };
  const module = createTotpModule({ database: nothing, account: {} as never });
  const problems = module.checkSettings(env);
  expect(problems).toEqual(
    message ? [{ name: 'TOTP_KEY', message: expect.stringMatching(message) }] : [],
  );
  if (message) await expect(module.start({ env })).rejects.toThrow(message);
});
