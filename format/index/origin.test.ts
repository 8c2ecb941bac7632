import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_ORIGIN_LENGTH, isOrigin, originOf } from './origin.ts';

test.each([
  'registry.example',
  'registry.example/main',
  '127.0.0.1:4173',
  '[::1]:4173/a',
  'localhost/home/me/index',
  'registry.example/a/B_c~d%20e',
  `h/${'a'.repeat(MAX_ORIGIN_LENGTH - 2)}`,
])('isOrigin() accepts %s', (origin) => {
  expect(isOrigin(origin)).toBe(true);
});

test.each([
  '',
  '/main',
  'registry.example/',
  'registry.example//main',
  'registry.example/../main',
  'registry.example/.',
  'https://registry.example',
  'user@registry.example',
  'Registry.example',
  'registry.example\u202e/main',
  'registry.example/a b',
  'registry.example/a\nb',
  'registry.example/\u0007',
  'registry.example?x',
  '-registry.example',
  `h/${'a'.repeat(MAX_ORIGIN_LENGTH - 1)}`,
])('isOrigin() refuses %j', (origin) => {
  expect(isOrigin(origin)).toBe(false);
});

test.each([
  ['https://registry.example', 'registry.example'],
  ['https://Registry.Example:443/main//', 'registry.example/main'],
  ['http://127.0.0.1:4173/', '127.0.0.1:4173'],
  ['http://[::1]:80/x', '[::1]/x'],
  ['https://user:secret@registry.example/a?b#c', 'registry.example/a'],
  ['file:///home/me/my%20index', 'localhost/home/me/my%20index'],
  ['', '?'],
  ['registry.example', '?'],
])('originOf() derives from %s the origin %s', (address, origin) => {
  expect(originOf(address)).toBe(origin);
});

test('originOf() gives an origin for every web address, and the same for a mirror of scheme only', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (address) => {
      const origin = originOf(address);
      expect(origin).toMatch(/^[!-~]+$/);
      expect(originOf(`${address.split(/[?#]/)[0]}/`)).toBe(origin);
    }),
  );
});
