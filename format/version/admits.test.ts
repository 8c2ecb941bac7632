import { expect, it } from 'vitest';
import { admits } from './tag-version.ts';

it.each([
  ['1.2.0', '^1.0.0', true],
  ['2.0.0', '^1.0.0', false],
  ['1.0.0-rc.1', '^1.0.0', false],
  ['1.0.0-rc.1', ' * ', true],
  ['1.0.0-rc.1', undefined, true],
  ['', '*', true],
  ['', '>=0', false],
])('admits() of %s in %s is %s', (version, range, expected) => {
  expect(admits(version, range)).toBe(expected);
});
