import { expect, test } from 'vitest';
import type { HeadVersion } from './head.ts';
import { withdrawnProblem } from './withdrawn-version.ts';

function version(number: string, yanked: string | false, withdrawn?: true): HeadVersion {
  const state = { yanked, ...(withdrawn === undefined ? {} : { withdrawn }) };
  return { version: number, ...state } as HeadVersion;
}

const head = {
  id: 'a/x',
  latest: '1.0.0',
  versions: [
    version('1.2.0', 'slow'),
    version('1.1.0', 'It has a "key"', true),
    version('1.0.0', false),
  ],
};

test('withdrawnProblem() has the reason and the version to use', () => {
  expect(withdrawnProblem(head, '1.1.0')).toEqual({
    text: String.raw`"a/x" 1.1.0 was withdrawn: "It has a \"key\""`,
    hint: 'its tarball is gone: use a/x@1.0.0',
  });
  expect(['1.2.0', '1.0.0', '9.0.0'].map((one) => withdrawnProblem(head, one))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('withdrawnProblem() names no version that is yanked, should a head have it as its latest', () => {
  const left = { ...head, latest: '1.2.0', versions: head.versions.slice(0, 2) };
  expect(withdrawnProblem(left, '1.1.0')?.hint).toContain('use another build');
});
