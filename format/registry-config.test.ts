import { expect, test } from 'vitest';
import { RegistryConfig } from './registry-config.ts';

const CONFIG = {
  $schema: 'https://registry.example/schema/registry-config.schema.json',
  name: 'Ours',
  base_url: 'https://registry.example',
  admins: ['alice'],
  reserved_names: ['stackyard'],
  acknowledged: { ['a'.repeat(40)]: 'The first import' },
};

test('RegistryConfig reads every field', () => {
  expect(RegistryConfig.parse(CONFIG)).toEqual(CONFIG);
});

test('RegistryConfig has a default for every field', () => {
  expect(RegistryConfig.parse({})).toEqual({
    name: 'Stackyard registry',
    base_url: '',
    admins: [],
    reserved_names: [],
    acknowledged: {},
  });
});

test.each([
  { extra: 1 },
  { name: '' },
  { base_url: 'registry.example' },
  { base_url: 'ftp://registry.example' },
  { base_url: 'javascript:alert(1)' },
  { reserved_names: ['No'] },
  { acknowledged: { HEAD: 'x' } },
  { acknowledged: { ['a'.repeat(40)]: '' } },
])('RegistryConfig refuses %j', (value) => {
  expect(RegistryConfig.safeParse(value).success).toBe(false);
});
