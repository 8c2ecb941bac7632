import { expect, test } from 'vitest';
import { registeredFolder } from './registered-folder.ts';

test.each([
  ['builds/alice/web', { owner: 'alice', name: 'web' }],
  ['builds/alice/web/src', undefined],
  ['builds/2b/d8/alice/web', undefined],
  ['src/alice/web', undefined],
  ['web', undefined],
])('registeredFolder() of %s is %j', (path, expected) => {
  expect(registeredFolder(`/registry/${path}`)).toEqual(expected);
});

test('registeredFolder() of the top of the file system is undefined', () => {
  expect(registeredFolder('/')).toBeUndefined();
});
