import { expect, it } from 'vitest';
import { ciAccount, ciIssuer, RanOn, tryNameVersion, Report } from './statement.ts';

const REPORT = {
  build: 'a/x',
  version: '1.0.0',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  day: '2026-11-21',
  outcome: 'success',
};

it.each([
  ['https://token.actions.githubusercontent.com', 'token.actions.githubusercontent.com'],
  ['https://git.example.org:8443/group', 'git.example.org:8443/group'],
  ['http://127.0.0.1:4000', '127.0.0.1:4000'],
])('ciAccount() of %s is an account of a report, and ciIssuer() its inverse', (issuer, name) => {
  const account = ciAccount(issuer, '42');
  expect(account).toBe(`ci:${name}:42`);
  expect(ciIssuer(account)).toBe(name);
  expect(Report.safeParse({ ...REPORT, account }).success).toBe(true);
});

it.each(['ci:42', 'ci::42', 'ci:git.example.org:', 'ci:git.example.org:0', 'ci:a b:1', 'ci:a:1:b'])(
  'Report refuses the account %j',
  (account) => expect(Report.safeParse({ ...REPORT, account }).success).toBe(false),
);

it('ciIssuer() knows no issuer of other accounts', () => {
  expect(ciIssuer('host:12')).toBeUndefined();
});

it.each([
  ['node', '24.1', 'node 24.1'],
  ['@scope/name', '5.3.0-rc.1', '@scope/name 5.3.0-rc.1'],
  ['Bob', '1', undefined],
  ['bob@example.org', '1', undefined],
  ['node', 'latest', undefined],
  ['node', '1 2', undefined],
  ['x'.repeat(60), '1', undefined],
])('tryNameVersion(%j, %j) is %j', (name, version, expected) => {
  expect(tryNameVersion(name, version)).toBe(expected);
});

it('RanOn holds names and versions only', () => {
  const ranOn = { stack: ['node 24.1', 'express 5.3.0'], manager: 'npm 11.4.2', os: 'linux' };
  expect(RanOn.parse(ranOn)).toEqual(ranOn);
  expect(RanOn.safeParse({ ...ranOn, os: 'my-laptop' }).success).toBe(false);
  expect(RanOn.safeParse({ ...ranOn, manager: 'npm' }).success).toBe(false);
  const many = Array.from({ length: 17 }, () => 'node 24.1');
  expect(RanOn.safeParse({ ...ranOn, stack: many }).success).toBe(false);
});
