// Which providers the environment names, and where people are sent back.

import { expect, test } from 'vitest';
import { ownUrl, readSettings } from './settings.js';

const APP = { APP_URL: 'https://app.example.com' };
const google = { SOCIAL_GOOGLE_CLIENT_ID: 'id', SOCIAL_GOOGLE_CLIENT_SECRET: 'secret' };

test('readSettings() knows Google and GitHub, and takes any other provider by its issuer', () => {
  const { providers, problems, appUrl } = readSettings({
    ...APP, ...google, SOCIAL_GITHUB_CLIENT_ID: 'a', SOCIAL_GITHUB_CLIENT_SECRET: 'b',
    SOCIAL_ACME2_ISSUER: 'https://login.example.com/', SOCIAL_ACME2_CLIENT_ID: ' c ', SOCIAL_ACME2_CLIENT_SECRET: 'd', SOCIAL_ACME2_LABEL: 'Acme Inc.',
  });
  expect([problems, appUrl.origin]).toEqual([[], APP.APP_URL]);
  expect(providers).toEqual([
    { name: 'acme2', label: 'Acme Inc.', kind: 'openid', issuer: 'https://login.example.com', clientId: 'c', clientSecret: 'd' },
    { name: 'github', label: 'GitHub', kind: 'github', issuer: 'https://github.com', clientId: 'a', clientSecret: 'b' },
    { name: 'google', label: 'Google', kind: 'openid', issuer: 'https://accounts.google.com', clientId: 'id', clientSecret: 'secret' },
  ]);
});

test.each([
  [{}, []],
  [google, ['APP_URL']],
  [{ ...google, NODE_ENV: 'development' }, []],
  [{ ...google, APP_URL: 'http://app.example.com' }, ['APP_URL']],
  // Without a provider nobody is sent anywhere.
  [{ APP_URL: 'http://localhost:3000', NODE_ENV: 'production' }, []],
  [{ ...google, APP_URL: 'http://localhost:3000', NODE_ENV: 'test' }, []],
  [{ ...APP, SOCIAL_GOOGLE_CLIENT_ID: 'id' }, ['SOCIAL_GOOGLE_CLIENT_SECRET']],
  [{ ...APP, SOCIAL_GOOGLE_CLIENT_SECRET: 'secret', SOCIAL_GOOGLE_CLIENT_ID: ' ' }, ['SOCIAL_GOOGLE_CLIENT_ID']],
  [{ ...APP, SOCIAL_OPENID_CLIENT_ID: 'a', SOCIAL_OPENID_CLIENT_SECRET: 'b' }, ['SOCIAL_OPENID_ISSUER']],
  [{ ...APP, SOCIAL_OPENID_CLIENT_ID: 'a', SOCIAL_OPENID_CLIENT_SECRET: 'b', SOCIAL_OPENID_ISSUER: 'login' }, ['SOCIAL_OPENID_ISSUER']],
  [{ ...APP, SOCIAL_OPENID_CLIENT_ID: 'a', SOCIAL_OPENID_CLIENT_SECRET: 'b', SOCIAL_OPENID_ISSUER: 'http://login.example.com' }, ['SOCIAL_OPENID_ISSUER']],
])('readSettings() of %j finds problems in %j, without values', (env, names) => {
  const { problems } = readSettings(env);
  expect(problems.map(({ name }) => name)).toEqual(names);
  for (const { message } of problems) expect(message).not.toContain('secret');
});

test.each([
  ['/', '/'],
  ['/home?a=1#b', '/home?a=1#b'],
  [null, '/'],
  ['home', '/'],
  ['//evil.example.com', '/'],
  ['/\\evil.example.com', '/'],
  ['/\n/evil.example.com', '/'],
  ['https://evil.example.com/', '/'],
  ['https://app.example.com/home', '/'],
  [`/${'a'.repeat(2000)}`, '/'],
  // The path of the own origin, which would be another host if it were alone in `Location`.
  ['/.//evil.example.com', '//evil.example.com'],
])('ownUrl(%j) is %j on the own origin', (returnTo, path) => {
  expect(ownUrl(returnTo, new URL('https://app.example.com/')).href).toBe(`https://app.example.com${path}`);
});
