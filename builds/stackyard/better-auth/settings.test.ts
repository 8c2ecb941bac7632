import { expect, test } from 'vitest';
import { authSettings, checkAuthSettings } from './settings.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const names = (env: Record<string, string>) => checkAuthSettings(env).map(({ name }) => name);

test.each([
  [{}, ['BETTER_AUTH_SECRET', 'BETTER_AUTH_URL']],
  [{ NODE_ENV: 'Production' }, ['BETTER_AUTH_SECRET', 'BETTER_AUTH_URL']],
  [{ NODE_ENV: 'development' }, []],
  [{ NODE_ENV: 'test' }, []],
  [{ NODE_ENV: 'test', BETTER_AUTH_SECRET: 'short' }, ['BETTER_AUTH_SECRET']],
  [{ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'https://app.example.com' }, []],
  [{ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'http://localhost:3000' }, []],
  [{ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'http://app.example.com' }, ['BETTER_AUTH_URL']],
  [{ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'https://app.example.com/shop' }, ['BETTER_AUTH_URL']],
  [{ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'app.example.com' }, ['BETTER_AUTH_URL']],
  [{ NODE_ENV: 'test', BETTER_AUTH_TRUSTED_ORIGINS: 'https://a.example, b.example' }, ['BETTER_AUTH_TRUSTED_ORIGINS']],
  [{ NODE_ENV: 'test', BETTER_AUTH_TRUSTED_ORIGINS: 'https://a.example,https://*.b.example' }, []],
])('checkAuthSettings(%j) reports %j', (env, expected) => {
  expect(names(env as Record<string, string>)).toEqual(expected);
});

test('authSettings() throws with all problems', () => {
  expect(() => authSettings({})).toThrow(/BETTER_AUTH_SECRET: [^]*BETTER_AUTH_URL: /);
});

test('authSettings() limits requests and marks cookies as secure in production', () => {
  const settings = authSettings({ BETTER_AUTH_SECRET: SECRET, BETTER_AUTH_URL: 'https://app.example.com' });
  expect(settings.rateLimit).toMatchObject({ enabled: true, storage: 'database' });
  expect(settings.advanced.useSecureCookies).toBe(true);
  expect(settings.trustedOrigins).toEqual([]);
});

test('authSettings() trusts other ports of this machine in development only', () => {
  const settings = authSettings({ NODE_ENV: 'development', PORT: '4000' });
  expect(settings).toMatchObject({ baseURL: 'http://localhost:4000', trustedOrigins: ['http://localhost:*'] });
});
