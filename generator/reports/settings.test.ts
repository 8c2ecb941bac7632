// The variables of `stackyard-registry reports`.

import { expect, test } from 'vitest';
import { readReportsSettings } from './settings.ts';

const GITHUB = {
  issuer: 'https://token.actions.githubusercontent.com',
  kind: 'github',
};
const BASE = {
  NODE_ENV: 'test',
  DATABASE_URL: 'file:auth.sqlite',
  JWT_SECRET: 'x'.repeat(32),
  REPORTS_ADDRESS: 'https://reports.example',
};

const read = (issuers: unknown, env: Readonly<Record<string, string>> = {}) =>
  readReportsSettings({ ...BASE, OIDC_ISSUERS: JSON.stringify(issuers), ...env }).ciIssuers;

test('readCiIssuers() reads issuers, with a default limit', () => {
  const own = { ...GITHUB, issuer: 'https://git.example.org:8443/group', kind: 'gitlab' };
  expect(read([GITHUB, { ...own, per_minute: 5 }])).toEqual([
    { ...GITHUB, per_minute: 600 },
    { ...own, per_minute: 5 },
  ]);
  const loopback = { ...GITHUB, issuer: 'http://127.0.0.1:8080' };
  expect(read([loopback])).toEqual([{ ...loopback, per_minute: 600 }]);
});

test.each<[unknown]>([
  ['x'],
  [[]],
  [[{ ...GITHUB, kind: 'other' }]],
  [[{ ...GITHUB, audience: 'sts.amazonaws.com' }]],
  [[{ ...GITHUB, secret: 'x' }]],
  [[GITHUB, GITHUB]],
  [[{ ...GITHUB, issuer: `${GITHUB.issuer}/` }]],
  [[{ ...GITHUB, issuer: 'http://git.example.org' }]],
  [[{ ...GITHUB, issuer: 'http://127.0.0.1.example.org' }]],
  [[{ ...GITHUB, issuer: 'https://user:word@git.example.org' }]],
  [[{ ...GITHUB, issuer: 'https://git.example.org?x=1' }]],
  [[{ ...GITHUB, issuer: 'https://GIT.example.org' }]],
  [[{ ...GITHUB, issuer: 'file:///etc/passwd' }]],
])('readCiIssuers() refuses %j without quoting it', (issuers) => {
  expect(() => read(issuers)).toThrow(/OIDC_ISSUERS: use a JSON array(?!.*passwd)/);
});

test('readReportsSettings() refuses issuers that cannot work', () => {
  const loopback = { ...GITHUB, issuer: 'http://127.0.0.1:8080' };
  expect(() => read([GITHUB], { REPORTS_ADDRESS: '' })).toThrow(/REPORTS_ADDRESS: is not set/);
  const production = { NODE_ENV: 'production' };
  expect(() => read([loopback], production)).toThrow(/issuer without TLS/);
  expect(read([GITHUB], production)).toHaveLength(1);
  const plain = { ...production, REPORTS_ADDRESS: 'http://127.0.0.1:4000' };
  expect(() => read([GITHUB], plain)).toThrow(/REPORTS_ADDRESS: is an address without TLS/);
  for (const address of ['http://reports.example', 'https://reports.example/', 'reports.example']) {
    const other = { REPORTS_ADDRESS: address };
    expect(() => read([GITHUB], other)).toThrow(/REPORTS_ADDRESS: use the https address/);
  }
  expect(() => read([GITHUB], { JWT_ISSUER: GITHUB.issuer })).toThrow(/JWT_ISSUER/);
});

test('readReportsSettings() lists all problems without values', () => {
  const wrong = {
    DATABASE_URL: 'mysql://Zq',
    JWT_SECRET: '',
    JWT_SECRET_PREVIOUS: '[Zq',
    REPORTS_EXPORT_TOKEN: 'Zq',
    TRUST_PROXY: 'Zq',
    RATE_LIMIT: 'Zq',
  };
  const read = () => readReportsSettings(wrong);
  for (const name of Object.keys(wrong)) expect(read).toThrow(`${name}: `);
  expect(read).not.toThrow('Zq');
});

test('readReportsSettings() reads earlier secrets, and limits in production alone', () => {
  const env = { ...BASE, JWT_SECRET_PREVIOUS: '["a","b"]', RATE_LIMIT_PER_MINUTE: '7' };
  expect(readReportsSettings(env)).toMatchObject({
    secrets: [BASE.JWT_SECRET, 'a', 'b'],
    perMinute: undefined,
  });
  expect(readReportsSettings({ ...env, NODE_ENV: '' }).perMinute).toBe(7);
});
