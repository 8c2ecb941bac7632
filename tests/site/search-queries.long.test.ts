/** The queries of `search-queries.ts` on the index of this repository: with the client, and with the search of the pages. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { searchBuilds, type SearchHits } from '../../generator/site/browser/page/search-builds.ts';
import type { CatalogShard } from '../../format/index/record.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { LATER_QUERIES, MISSED, QUERIES, unanswered } from './search-queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'stackyard-queries-'));
const out = join(folder, 'index');
let server: Server;

beforeAll(async () => {
  await generate({ repo: join(import.meta.dirname, '../..'), out, pages: true });
  server = await serveIndex(out, 0);
}, 300_000);

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** The search of the pages, with the catalog of the index. */
async function onSite(words: string): Promise<SearchHits> {
  const builds = readdirSync(join(out, 'catalog')).flatMap((name) => {
    const text = readFileSync(join(out, 'catalog', name), 'utf8');
    return (JSON.parse(text) as CatalogShard).builds;
  });
  return Promise.resolve(searchBuilds(builds, { words, filters: {}, keep: 20 }));
}

/** The search of the client. */
async function inClient(words: string): Promise<Pick<SearchHits, 'builds' | 'corrected' | 'note'>> {
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  const ended = await stackyard(['search', ...words.split(' '), '--json', '--registry', address]);
  return (JSON.parse(ended.stdout) as { data: SearchHits }).data;
}

const idsOf = ({ builds }: Pick<SearchHits, 'builds'>): string[] => builds.map(({ id }) => id);

describe('a search of the builds of this repository', () => {
  it('answers queries among the first three builds', async () => {
    const all = [...QUERIES, ...LATER_QUERIES];
    expect(all).toHaveLength(60);
    const missing = await unanswered(all, async (words) => idsOf(await onSite(words)));
    expect(missing).toEqual(MISSED);
  });

  it('has the same results in the same order with the same note in both', async () => {
    for (const [query] of [...QUERIES, ...LATER_QUERIES]) {
      const [site, client] = await Promise.all([onSite(query), inClient(query)]);
      expect([query, idsOf(client), client.corrected, client.note]).toEqual([
        query,
        idsOf(site),
        site.corrected,
        site.note,
      ]);
    }
  });
});
