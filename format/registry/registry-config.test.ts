import { expect, test } from 'vitest';
import {
  appealAddress,
  RegistryConfig,
  originOfRegistry,
  type CodeHostKind,
} from './registry-config.ts';

const CONFIG = {
  $schema: 'https://registry.example/schema/registry-config.schema.json',
  name: 'Ours',
  base_url: 'https://registry.example',
  root: 'registry/',
  origin: 'registry.example/main',
  upstreams: [
    { address: 'https://public.example/builds' },
    { address: 'http://127.0.0.1:4173', origin: 'public.example/more' },
  ],
  admins: ['alice', { login: 'Bob', account_id: 7 }],
  reserved_names: ['stackyard'],
  approved_names: ['alice/expres'],
  log: {
    key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    dropped: ['PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    witnesses: [
      {
        key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
        address: 'https://witness.example',
      },
    ],
  },
  shadcn: true,
  advisory_prefix: 'ACME',
  review_hours: 24,
  site: { highlighting: true },
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
    root: '',
    upstreams: [],
    admins: [],
    reserved_names: [],
    approved_names: [],
    log: { dropped: [], witnesses: [] },
    shadcn: false,
    advisory_prefix: 'STACKYARD',
    review_hours: 72,
    site: true,
    waiting_hours: {},
    acknowledged: {},
  });
});

test.each([
  { extra: 1 },
  { layout: 'flat' },
  { name: '' },
  { base_url: 'registry.example' },
  { base_url: 'ftp://registry.example' },
  { base_url: 'javascript:alert(1)' },
  { origin: '' },
  { origin: 'https://registry.example' },
  { origin: 'registry.example/../x' },
  { origin: 'x'.repeat(201) },
  { upstreams: [{}] },
  { upstreams: [{ address: './index' }] },
  { upstreams: [{ address: 'https://user:secret@public.example' }] },
  { upstreams: [{ address: 'https://public.example?x' }] },
  { upstreams: [{ address: 'https://public.example', name: 'x' }] },
  { upstreams: [{ address: 'https://a.example' }, { address: 'http://a.example/' }] },
  { upstreams: Array.from({ length: 11 }, (_, at) => ({ address: `https://r${at}.example` })) },
  { origin: 'a.example', upstreams: [{ address: 'https://a.example' }] },
  { base_url: 'https://a.example', upstreams: [{ address: 'https://a.example' }] },
  { reserved_names: ['No'] },
  { admins: ['not a login'] },
  { admins: [{ login: 'bob' }] },
  { approved_names: ['expres'] },
  { log: { key: 'x' } },
  {
    log: {
      witnesses: [{ key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW' }],
    },
  },
  { review_hours: -1 },
  { acknowledged: { HEAD: 'x' } },
  { acknowledged: { ['a'.repeat(40)]: '' } },
])('RegistryConfig refuses %j', (value) => {
  expect(RegistryConfig.safeParse(value).success).toBe(false);
});

test.each([
  [{}, undefined],
  [{ base_url: 'https://registry.example/main' }, 'registry.example/main'],
  [{ base_url: 'https://registry.example', origin: 'example/main' }, 'example/main'],
  [{ origin: 'example/main' }, 'example/main'],
  [{ base_url: `https://registry.example/${'x'.repeat(300)}` }, undefined],
])('originOfRegistry() of %j is %j', (config, origin) => {
  expect(originOfRegistry(RegistryConfig.parse(config))).toBe(origin);
});

test('RegistryConfig refuses items for shadcn without an address', () => {
  const { error } = RegistryConfig.safeParse({ shadcn: true });
  expect(error?.issues[0]?.message).toContain('needs "base_url"');
  expect(RegistryConfig.safeParse({ shadcn: true, base_url: 'https://x.example' }).success).toBe(
    true,
  );
});

test.each<[string | undefined, CodeHostKind | undefined, string | undefined]>([
  [
    'https://github.com/a/b.git',
    undefined,
    'https://github.com/a/b/issues/new?template=appeal.yml',
  ],
  [
    'https://code.example/a/b/',
    'github',
    'https://code.example/a/b/issues/new?template=appeal.yml',
  ],
  [
    'https://codeberg.org/a/b',
    undefined,
    'https://codeberg.org/a/b/issues/new?template=.forgejo/ISSUE_TEMPLATE/appeal.yml',
  ],
  [
    'https://code.example/a/b',
    'gitea',
    'https://code.example/a/b/issues/new?template=.gitea/ISSUE_TEMPLATE/appeal.yml',
  ],
  ['ssh://git@github.com/a/b', undefined, undefined],
  ['/srv/registry', 'forgejo', undefined],
  [undefined, 'gitea', undefined],
])('appealAddress() of %s at %s is %s', (repository, host, expected) => {
  expect(appealAddress({ repository, code_host: host })).toBe(expected);
});
