import { expect, test } from 'vitest';
import type { Head, HeadVersion } from '../index/record.ts';
import type { Lock } from './lock.ts';
import { advisoriesOf, advisorySentence, installedAdvisories } from './found-advisories.ts';
import { OPEN } from '../registry/status.ts';

function listed(
  version: string,
  advisories: string[],
  yanked: false | string = false,
): HeadVersion {
  return {
    version,
    published_at: '2026-01-01T00:00:00.000Z',
    integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    requires: {},
    provides: [],
    builds: {},
    risk: 'ok',
    status: yanked === false ? OPEN : { is: 'yanked', reason: yanked },
    ...(advisories.length === 0 ? {} : { advisories }),
  };
}

function head(...versions: HeadVersion[]): Head {
  return { id: 'a/x', kind: 'module', latest: versions[0]!.version, versions };
}

const HEAD = head(
  listed('2.0.0-rc.1', []),
  listed('1.4.0', []),
  listed('1.3.0', [], 'broken'),
  listed('1.2.0', ['A-2']),
  listed('1.1.0', ['A-2', 'A-1', 'A-1', '../x']),
);

test('advisoriesOf() names each one, with the lowest version that can be chosen and has none', () => {
  expect(advisoriesOf(HEAD, '1.1.0')).toEqual([
    { id: 'A-1', build: 'a/x', version: '1.1.0', good: '1.4.0' },
    { id: 'A-2', build: 'a/x', version: '1.1.0', good: '1.4.0' },
  ]);
  expect(advisoriesOf(HEAD, '1.4.0')).toEqual([]);
  expect(advisoriesOf(HEAD, '9.9.9')).toEqual([]);
  expect(advisoriesOf(undefined, '1.1.0')).toEqual([]);
});

test('advisoriesOf() takes versions that a rule on age hides as good ones', () => {
  const { versions } = HEAD;
  const hidden = [{ version: versions[1]!, why: 'young' }];
  const young = { ...HEAD, versions: versions.filter((one) => one.version !== '1.4.0'), hidden };
  expect(advisoriesOf(young, '1.2.0')[0]?.good).toBe('1.4.0');
});

test('advisoriesOf() ignores an advisory for the builds that it was ignored for', () => {
  const ignored = { 'A-2': { reason: 'Not called', builds: ['a/x'] } };
  expect(advisoriesOf(HEAD, '1.1.0', ignored)).toEqual([
    { id: 'A-1', build: 'a/x', version: '1.1.0', good: '1.4.0' },
    { id: 'A-2', build: 'a/x', version: '1.1.0', good: '1.4.0', ignored: 'Not called' },
  ]);
  const ofOthers = { 'A-2': { reason: 'Not called', builds: ['b/y'] } };
  expect(advisoriesOf(HEAD, '1.2.0', ofOthers)[0]).not.toHaveProperty('ignored');
});

test('advisorySentence() speaks of all, with the reason of the lock for those that it ignores', () => {
  expect(advisorySentence(advisoriesOf(HEAD, '1.1.0'))).toBe(
    'advisories A-1, A-2, first good version 1.4.0',
  );
  expect(advisorySentence(advisoriesOf(head(listed('1.0.0', ['A-1'])), '1.0.0'))).toBe(
    'advisory A-1, no version without it yet',
  );
  const all = { 'A-2': { reason: 'Not called', builds: ['a/x'] } };
  expect(advisorySentence(advisoriesOf(HEAD, '1.2.0', all))).toBe(
    'advisory A-2 (ignored by the lock: Not called), first good version 1.4.0',
  );
  expect(advisorySentence(advisoriesOf(HEAD, '1.4.0', all))).toBeUndefined();
});

test('advisoriesOf() names packages of which every admitted version is affected', () => {
  const lodash = { ecosystem: 'npm', name: 'lodash', range: '~4.16.0' };
  const packages = [{ ...lodash, advisories: ['GHSA-35jh-r3h4-6jhm', 'no id'] }];
  const faulty = head(listed('1.1.0', []), { ...listed('1.0.0', []), packages });
  expect(advisoriesOf(faulty, '1.0.0')).toEqual([
    { id: 'GHSA-35jh-r3h4-6jhm', build: 'a/x', version: '1.0.0', package: lodash, good: '1.1.0' },
  ]);
  expect(advisorySentence(advisoriesOf(faulty, '1.0.0'))).toBe(
    'advisory GHSA-35jh-r3h4-6jhm (npm lodash ~4.16.0), first good version 1.1.0',
  );
});

test('installedAdvisories() leaves out builds that came from a source', () => {
  const build = { version: '1.2.0' } as Lock['builds'][string];
  const heads = new Map([['a/x', HEAD]]);
  expect(installedAdvisories({ builds: { 'a/x': build } }, heads)).toHaveLength(1);
  const tried = { 'a/x': { ...build, source: './x' } };
  expect(installedAdvisories({ builds: tried }, heads)).toEqual([]);
});
