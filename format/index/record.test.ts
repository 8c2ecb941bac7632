import { expect, test } from 'vitest';
import { parseDocument } from '../document/document.ts';
import { PackageRecord, Catalog, CatalogShard, goneProblem, type HeadVersion } from './record.ts';
import { OPEN, type Status } from '../registry/status.ts';

const AT = '2026-11-21T09:30:00.000Z';
const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** The fields of the specification's table "Package record", every one. */
const RECORD = {
  id: 'alice/web',
  kind: 'module',
  description: 'A build',
  version: '1.0.0',
  latest: '1.0.0',
  keywords: ['api'],
  requires: { express: '>=4.10.0' },
  provides: ['auth'],
  license: 'MIT',
  repository: 'https://example.com/web',
  risk: 'ok',
  quality: 92,
  downloads: 3,
  agent_reports: { success: 2, failure: 1, success_rate: 0.6667 },
  flags: 0,
  reputation: 50,
  updated_at: AT,
  manifest: {
    name: 'web',
    version: '1.0.0',
    kind: 'module',
    description: 'A build',
    license: 'MIT',
  },
  readme: '# Web\n',
  integration: '',
  files: [{ path: 'src/a.ts', size: 12 }],
  checks: {
    risk: 'ok',
    quality: 92,
    findings: [{ level: 'info', code: 'agent-instructions', file: 'AGENTS.md', message: 'Text' }],
  },
  integrity: INTEGRITY,
  publisher: 'admin:alice',
  published_at: AT,
  versions: [{ version: '1.0.0', published_at: AT, risk: 'ok', yanked: false }],
};

const parse = (value: unknown) =>
  parseDocument(PackageRecord, new TextEncoder().encode(JSON.stringify(value)), 'record');

test('PackageRecord has exactly the fields of the specification', () => {
  expect(parse(RECORD)).toEqual(RECORD);
  expect(Object.keys(PackageRecord.shape)).toEqual(Object.keys(RECORD));
});

test('PackageRecord drops a field that a newer registry may add', () => {
  expect(parse({ ...RECORD, later: 1 })).toEqual(RECORD);
});

test.each(Object.keys(RECORD))('PackageRecord requires field %s', (field) => {
  expect(() => parse({ ...RECORD, [field]: undefined })).toThrow(`field "${field}`);
});

test.each([
  ['kind', 'template'],
  ['risk', 'bad'],
  ['quality', 101],
  ['quality', -1],
  ['downloads', 1.5],
  ['downloads', -1],
  ['flags', '0'],
  ['reputation', 100.5],
  ['agent_reports', { success: 1, failure: 0, success_rate: 1.1 }],
  ['agent_reports', { success: 1, failure: 0 }],
  ['updated_at', '2026-11-21'],
  ['published_at', '2026-11-21T09:30:00+00:00'],
  ['integrity', 'sha512-x'],
  ['requires', ['express']],
  ['files', [{ path: 'a' }]],
  ['files', ['a']],
  ['manifest', { name: 'web' }],
  ['checks', { risk: 'ok', quality: 1 }],
  [
    'checks',
    { risk: 'ok', quality: 1, findings: [{ level: 'fatal', code: '', file: '', message: '' }] },
  ],
  ['versions', [{ version: '1.0.0', published_at: AT, risk: 'ok', yanked: 'reason' }]],
])('PackageRecord refuses %s: %j', (field, value) => {
  expect(() => parse({ ...RECORD, [field]: value })).toThrow(`field "${field}`);
});

const SHA256 = '0'.repeat(64);
const SUMMARY = {
  id: 'alice/web',
  kind: 'module',
  latest: '1.0.0',
  description: 'A build',
  keywords: ['api'],
  requires: { express: '*' },
  provides: ['auth'],
  license: 'MIT',
  risk: 'ok',
  quality: 92,
  downloads: 3,
  agent_reports: { success: 0, failure: 0, success_rate: 0 },
  reputation: 50,
  updated_at: '2026-11-21T09:30:00.000Z',
  deprecated: false,
  yanked: false,
};

test('Catalog reads its shards', () => {
  const shards = [
    { prefix: '0', sha256: SHA256, count: 999 },
    { prefix: '1', sha256: SHA256, count: 0 },
  ];
  expect(Catalog.parse({ shards })).toEqual({ shards });
});

test.each([
  { prefix: '2', sha256: SHA256, count: 1 },
  { prefix: '0'.repeat(65), sha256: SHA256, count: 1 },
  { prefix: '', sha256: SHA256.toUpperCase().replace('0', 'A'), count: 1 },
  { prefix: '', sha256: '../x', count: 1 },
  { prefix: '', sha256: SHA256, count: -1 },
  { prefix: '', sha256: SHA256 },
])('Catalog refuses the shard %j', (shard) => {
  expect(Catalog.safeParse({ shards: [shard] }).success).toBe(false);
});

test('CatalogShard reads its summaries', () => {
  expect(CatalogShard.parse({ builds: [SUMMARY] })).toEqual({ builds: [SUMMARY] });
  expect(CatalogShard.parse({ builds: [] })).toEqual({ builds: [] });
});

test.each(Object.keys(SUMMARY))('CatalogShard requires field %s', (field) => {
  const builds = [{ ...SUMMARY, [field]: undefined }];
  expect(CatalogShard.safeParse({ builds }).success).toBe(false);
});

function version(number: string, status: Status = OPEN): HeadVersion {
  return { version: number, status } as HeadVersion;
}

const head = {
  id: 'a/x',
  latest: '1.0.0',
  versions: [
    version('1.2.0', { is: 'yanked', reason: 'slow' }),
    version('1.1.0', { is: 'withdrawn', reason: 'It has a "key"' }),
    version('1.0.0'),
  ],
};

test('goneProblem() has the reason and the version to use', () => {
  expect(goneProblem(head, '1.1.0')).toEqual({
    text: String.raw`"a/x" 1.1.0 was withdrawn: "It has a \"key\""`,
    hint: 'its tarball is gone: use a/x@1.0.0',
  });
  expect(['1.2.0', '1.0.0', '9.0.0'].map((one) => goneProblem(head, one))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('goneProblem() names no version that is yanked, should a head have it as its latest', () => {
  const left = { ...head, latest: '1.2.0', versions: head.versions.slice(0, 2) };
  expect(goneProblem(left, '1.1.0')?.hint).toContain('use another build');
});
