import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NearNames, normalPipName } from './near-name.ts';
import { popularNames } from './popular-names.ts';

const NAMES = new NearNames(
  ['lodash', 'express', 'cross-env', '@babel/core', 'commander', 'ws', '@types/node', 'jquery'],
  ['expres'],
);

describe('NearNames', () => {
  it.each([
    ['lodahs', 'lodash', 'one letter differs'],
    ['lodas', 'lodash', 'one letter differs'],
    ['lodassh', 'lodash', 'one letter differs'],
    ['lodasj', 'lodash', 'one letter differs'],
    ['crossenv', 'cross-env', 'the separators differ'],
    ['cross_env', 'cross-env', 'the separators differ'],
    ['env-cross', 'cross-env', 'the words are in another order'],
    ['babel-core', '@babel/core', 'the scope is missing'],
    ['cornmander', 'commander', 'letters look alike'],
    ['l0dash', 'lodash', 'letters look alike'],
    ['lodash-js', 'lodash', 'an ending was added'],
    ['node-express', 'express', 'an ending was added'],
    ['express-official', 'express', 'an ending was added'],
    ['express2', 'express', 'one letter differs'],
  ])('%s is near %s: %s', (name, popular, slip) => {
    expect(NAMES.near(name)).toEqual({ name: popular, slip });
  });

  it.each([
    'lodash',
    'expres',
    'react',
    'wx',
    'ws2',
    'l',
    '',
    'lodash-extra',
    '@types/nodf',
    'x'.repeat(101),
  ])('%j is near none', (name) => {
    expect(NAMES.near(name)).toBeUndefined();
  });

  it('knows the popular names themselves', () => {
    expect([NAMES.has('lodash'), NAMES.has('lodahs'), NAMES.has('expres')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('finds every name with one typing error, and only popular names', () => {
    const popular = 'commander';
    fc.assert(
      fc.property(fc.nat(popular.length - 1), fc.constantFrom('x', 'q', ''), (at, letter) => {
        const name = popular.slice(0, at) + letter + popular.slice(at + 1);
        expect(NAMES.near(name)?.name).toBe(popular);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (name) => {
        const near = NAMES.near(name);
        if (near !== undefined) expect(NAMES.has(near.name)).toBe(true);
      }),
    );
  });
});

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
