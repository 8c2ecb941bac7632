import { expect, test } from 'vitest';
import { isRegistryName } from './registry-name.ts';

test.each(['corp', 'a', 'default', 'registry-example-2', 'a'.repeat(40)])(
  'isRegistryName() accepts %s',
  (name) => {
    expect(isRegistryName(name)).toBe(true);
  },
);

test.each([
  '',
  '../x',
  'Corp',
  '2corp',
  '-a',
  'a-',
  'a--b',
  'a/b',
  'a:b',
  'a b',
  'a'.repeat(41),
  'a'.repeat(200),
  'ä',
  '__proto__',
])('isRegistryName() refuses %j', (name) => {
  expect(isRegistryName(name)).toBe(false);
});
