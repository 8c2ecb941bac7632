import { expect, test } from 'vitest';
import { Catalog, CatalogShard } from './catalog.ts';

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
