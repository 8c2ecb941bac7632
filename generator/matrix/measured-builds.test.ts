import { expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';
import { newestRecord, readSummaries } from './measured-builds.ts';

function index(builds: readonly object[]): (path: string) => Promise<Uint8Array | undefined> {
  const sha256 = '0'.repeat(64);
  const files: Record<string, unknown> = {
    'catalog.json': { shards: [{ prefix: '', sha256, count: builds.length }] },
    [`catalog/${sha256}.json`]: { builds },
  };
  return async (path) =>
    files[path] === undefined ? undefined : new TextEncoder().encode(canonicalJson(files[path]));
}

function summary(id: string, downloads: number, reports: number): object {
  const agent_reports = { success: reports, failure: 0, success_rate: 1 };
  return buildSummary({ id, downloads, agent_reports });
}

it('readSummaries() sorts by downloads, reports and name', async () => {
  const builds = [
    summary('b/two', 5, 1),
    summary('b/one', 5, 1),
    summary('c/reported', 5, 9),
    summary('d/most', 9, 0),
  ];
  const found = await readSummaries(index(builds));
  expect(found.map(({ id }) => id)).toEqual(['d/most', 'c/reported', 'b/one', 'b/two']);
});

it('readSummaries() and newestRecord() name what the index does not have', async () => {
  await expect(readSummaries(async () => undefined)).rejects.toMatchObject({ code: 'ERR_INDEX' });
  await expect(newestRecord(index([]), 'a/none')).rejects.toMatchObject({ code: 'ERR_USAGE' });
});
