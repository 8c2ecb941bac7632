import { expect, test } from 'vitest';
import type { PlannedBuild } from '../plan/plan.ts';
import { integrationOrder } from './plan-text.ts';

function planned(id: string, ...required_by: string[]): PlannedBuild {
  return { id, version: '1.0.0', kind: 'module', integrity: '', required_by, action: 'add' };
}

test.each([
  [[planned('a/web'), planned('b/db', 'a/web')], 'b/db a/web'],
  [[planned('z/first'), planned('a/second')], 'z/first a/second'],
  [[planned('a/a', 'c/c'), planned('b/b', 'a/a', 'c/c'), planned('c/c')], 'b/b a/a c/c'],
  [[planned('a/a', 'b/b'), planned('b/b', 'a/a')], 'b/b a/a'],
])('integrationOrder() puts what is required first: %#', (builds, expected) => {
  expect(
    integrationOrder(builds)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(expected);
});
