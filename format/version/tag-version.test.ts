import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  admitsTagVersion,
  compareTagVersions,
  isRelease,
  isTagVersion,
  majorOf,
} from './tag-version.ts';

it.each([
  ['1.2.0', '1.10.0', -1],
  ['2.0rc1', '2.0', -1],
  ['0.115.0', '0.9', 1],
  ['1.0.0', '1.0.0', 0],
  ['x', '1.0.0', -1],
])('compareTagVersions() of "%s" and "%s" is %i', (a, b, order) => {
  expect(Math.sign(compareTagVersions(a, b))).toBe(order);
  expect(Math.sign(compareTagVersions(b, a))).toBe(0 - order);
});

it.each([
  ['>=4.10.0', '4.10.0', true],
  ['^4.10.0', '5.0.0', false],
  ['*', '0.1', true],
  ['>=1.0,<2', '1.5', true],
  ['~=1.4', '2.0', false],
  ['>=1.0.0', 'latest', false],
])('admitsTagVersion() of "%s" and "%s" is %s', (range, version, isIn) => {
  expect(admitsTagVersion(range, version)).toBe(isIn);
});

it.each([
  ['1.0.0', true],
  ['1.0.0-rc.1', false],
  ['2.0b1', false],
  ['1.2.post1', true],
  ['1.2', true],
])('isRelease("%s") is %s', (version, answer) => {
  expect(isRelease(version)).toBe(answer);
});

it('majorOf() reads the first number', () => {
  expect(['7.0.2', '0.115.0', '1!2.3'].map(majorOf)).toEqual([7, 0, 2]);
});

it('compareTagVersions() is an order, whatever the texts are', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((n) => n.join('.')),
  );
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(Math.sign(compareTagVersions(a, b))).toBe(0 - Math.sign(compareTagVersions(b, a)));
      expect(typeof isTagVersion(a)).toBe('boolean');
    }),
  );
});
