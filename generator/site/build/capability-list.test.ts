import { expect, it } from 'vitest';
import { capabilityList, gainedCapabilities } from './capability-list.ts';

const NONE = {
  hosts: [],
  environment: [],
  reads: [],
  writes: [],
  processes: [],
  dynamic_code: false,
  unread: [],
};

it('capabilityList() is words, with names escaped and bounded', () => {
  expect(String(capabilityList(NONE))).toContain('Its code sends nothing');
  const hosts = ['*', '<evil>', ...Array.from({ length: 40 }, (_, at) => `h${at}.example`)];
  const list = String(capabilityList({ ...NONE, hosts, dynamic_code: true }));
  expect(list).toContain('any address that it is given');
  expect(list).toContain('<code>&lt;evil&gt;</code>');
  expect(list).toContain(' and 12 more');
  expect(list).toContain('code that it makes while it runs');
});

it('gainedCapabilities() has what was not there before', () => {
  const gained = gainedCapabilities({ ...NONE, hosts: ['a', 'b'] }, { ...NONE, hosts: ['a'] });
  expect(gained.map(String).join('')).toContain('<code>b</code>');
  expect(gained.map(String).join('')).not.toContain('<code>a</code>');
  expect(gainedCapabilities(NONE, NONE)).toEqual([]);
});
