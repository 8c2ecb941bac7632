import { expect, test } from 'vitest';
import { RegistryConfig } from './registry-config.ts';

const CONFIG = {
  $schema: 'https://registry.example/schema/registry-config.schema.json',
  name: 'Ours',
  base_url: 'https://registry.example',
  admins: ['alice', { login: 'Bob', account_id: 7 }],
  reserved_names: ['stackyard'],
  approved_names: ['alice/expres'],
  review_hours: 24,
  waiting_hours: { 'gate-new-name': 48 },
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
    approved_names: [],
    review_hours: 72,
    waiting_hours: {},
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
  { admins: ['not a login'] },
  { admins: [{ login: 'bob' }] },
  { approved_names: ['expres'] },
  { review_hours: -1 },
  { acknowledged: { HEAD: 'x' } },
  { acknowledged: { ['a'.repeat(40)]: '' } },
])('RegistryConfig refuses %j', (value) => {
  expect(RegistryConfig.safeParse(value).success).toBe(false);
});
