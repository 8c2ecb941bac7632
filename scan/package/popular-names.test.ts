import { describe, expect, it } from 'vitest';
import { normalPipName, popularNames } from './popular-names.ts';

describe('popularNames()', () => {
  it.each([
    ['npm', 'express', 'expresss'],
    ['pip', 'requests', 'reqeusts'],
  ] as const)('%s: %s is popular, %s is near it', (registry, popular, near) => {
    const names = popularNames(registry);
    expect(names.has(popular)).toBe(true);
    expect(names.near(popular)).toBeUndefined();
    expect(names.near(near)?.name).toBe(popular);
    expect(popularNames(registry)).toBe(names);
  });

  it('keeps the registries apart', () => {
    expect(popularNames('pip').has('express')).toBe(false);
  });
});

describe('normalPipName()', () => {
  it.each([
    ['Foo_Bar.baz', 'foo-bar-baz'],
    ['a--b__c', 'a-b-c'],
    ['a[extra]', 'a'],
    ['a ', 'a'],
    ['', ''],
  ])('%j: %j', (name, normal) => {
    expect(normalPipName(name)).toBe(normal);
    expect(normalPipName(normal)).toBe(normal);
  });
});
