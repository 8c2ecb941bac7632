import { expect, test } from 'vitest';
import { INTERFACE_VERSION, OwnerInfo, RegistryInfo } from './registry-info.ts';

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
