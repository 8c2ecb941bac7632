import { expect, test } from 'vitest';
import fc from 'fast-check';
import {
  INTERFACE_VERSION,
  OwnerInfo,
  RegistryInfo,
  MAX_ORIGIN_LENGTH,
  isOrigin,
  originOf,
} from './registry-info.ts';

const REGISTRY = {
  name: 'Ours',
  interface: INTERFACE_VERSION,
  base_url: '',
  source_commit: 'a'.repeat(40),
  builds: 4,
  versions: 9,
};
const OWNER = {
  owner: 'alice',
  account_id: 123,
  builds: ['alice/web'],
  reputation: 50,
  reputation_parts: { age: 10 },
};

test('RegistryInfo reads every field and drops what a newer registry adds', () => {
  expect(RegistryInfo.parse({ ...REGISTRY, later: 1 })).toEqual(REGISTRY);
});

test('RegistryInfo reads origin and upstreams, which an older registry does not have', () => {
  const upstreams = [{ origin: 'public.example/main', address: 'https://mirror.example' }];
  const stated = { ...REGISTRY, origin: 'registry.example/main', upstreams };
  expect(RegistryInfo.parse(stated)).toEqual(stated);
});

test.each([
  { origin: 'https://registry.example' },
  { origin: 'registry.example\n' },
  { origin: 'x'.repeat(201) },
  { upstreams: [{ origin: '../x', address: 'https://registry.example' }] },
  { upstreams: [{ address: 'https://registry.example' }] },
  { upstreams: Array.from({ length: 11 }, () => ({ origin: 'a', address: 'https://a' })) },
])('RegistryInfo refuses %j', (fields) => {
  expect(RegistryInfo.safeParse({ ...REGISTRY, ...fields }).success).toBe(false);
});

test('RegistryInfo reads another interface version: to refuse it is for the client', () => {
  expect(RegistryInfo.parse({ ...REGISTRY, interface: 2 }).interface).toBe(2);
});

test.each(Object.keys(REGISTRY))('RegistryInfo requires field %s', (field) => {
  expect(RegistryInfo.safeParse({ ...REGISTRY, [field]: undefined }).success).toBe(false);
});

test('OwnerInfo reads every field; the account is optional', () => {
  expect(OwnerInfo.parse(OWNER)).toEqual(OWNER);
  const { account_id: _, ...rest } = OWNER;
  expect(OwnerInfo.parse(rest)).toEqual(rest);
});

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
