import { expect, test } from 'vitest';
import { singleTagConflict } from './single-tags.ts';

type Provided = readonly [id: string, provides: string, ...requires: string[]];

function conflictOf(builds: readonly Provided[], ...installed: string[]) {
  const all = builds.map(([id, tag, ...requires]) => {
    return [id, { provides: [tag], builds: Object.fromEntries(requires.map((r) => [r, '*'])) }];
  }) as [string, { provides: string[]; builds: Record<string, string> }][];
  return singleTagConflict(new Map(all), (id) => installed.includes(id));
}

test('names both builds, what requires one of them, and what to remove', () => {
  const two = [
    ['a/account', 'auth', 'a/lite'],
    ['a/lite', 'database'],
    ['a/pg', 'database'],
  ] as const;
  expect(conflictOf(two)).toMatchObject({
    code: 'ERR_RESOLVE',
    message:
      'Only one build of a project can provide "database": "a/lite" (needed by a/account) and "a/pg" do',
    hint: 'leave out one of them',
  });
  expect(conflictOf(two, 'a/account', 'a/lite')?.hint).toBe(
    'to change to the other one, run "stackyard remove a/lite" first',
  );
});

test('admits several providers of other tags, of one that requires the other, and installed ones', () => {
  expect(
    conflictOf([
      ['a/one', 'mail'],
      ['a/two', 'mail'],
    ]),
  ).toBeUndefined();
  expect(
    conflictOf([
      ['a/core', 'auth'],
      ['a/middle', 'other', 'a/core'],
      ['a/top', 'auth', 'a/middle'],
    ]),
  ).toBeUndefined();
  const installed = [
    ['a/one', 'auth'],
    ['a/two', 'auth'],
  ] as const;
  expect(conflictOf(installed, 'a/one', 'a/two')).toBeUndefined();
});
