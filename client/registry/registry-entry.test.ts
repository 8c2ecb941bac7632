import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { suggestedName } from './registry-entry.ts';

test.each([
  ['registry.example/main', 'registry-example-main'],
  ['127.0.0.1:4173', 'registry'],
  ['default', 'default-registry'],
  ['Corp.example/B_c', 'corp-example-b-c'],
])('suggestedName() for %s is %s', (origin, name) => {
  expect(suggestedName(origin)).toBe(name);
});

test('suggestedName() is a name that is not taken, for any origin', () => {
  fc.assert(
    fc.property(fc.string(), (origin) => {
      const first = suggestedName(origin);
      const second = suggestedName(origin, (name) => name === first);
      expect([isRegistryName(first), isRegistryName(second)]).toEqual([true, true]);
      expect(second).not.toBe(first);
      expect(first).not.toBe('default');
    }),
  );
});
