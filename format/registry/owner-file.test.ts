import { expect, test } from 'vitest';
import { OwnerFile } from './owner-file.ts';

const FILE = {
  $schema: 'https://registry.example/schema/owner-file.schema.json',
  account_id: 123,
  maintainers: ['bob'],
  yanked: { web: { '1.0.1': 'Leaks tokens' } },
  deprecated: { web: { reason: 'Old', replacement: 'alice/site' }, old: { reason: 'Old' } },
};

test.each([FILE, {}])('OwnerFile accepts %j', (value) => {
  expect(OwnerFile.parse(value)).toEqual(value);
});

test.each([
  { extra: 1 },
  { account_id: 0 },
  { account_id: 1.5 },
  { account_id: '123' },
  { maintainers: 'bob' },
  { yanked: { 'alice/web': { '1.0.0': 'x' } } },
  { yanked: { web: { '1.0': 'x' } } },
  { yanked: { web: { '1.0.0': '' } } },
  { yanked: { web: { '1.0.0': 'x'.repeat(301) } } },
  { yanked: { web: ['1.0.0'] } },
  { deprecated: { web: 'Old' } },
  { deprecated: { web: {} } },
  { deprecated: { web: { reason: 'Old', replacement: 'site' } } },
  { deprecated: { web: { reason: 'Old', until: 'x' } } },
  [],
])('OwnerFile refuses %j', (value) => {
  expect(OwnerFile.safeParse(value).success).toBe(false);
});
