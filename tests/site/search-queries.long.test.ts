/** The queries of `search-queries.ts` on the index of this repository: with the client, and with the module of the pages. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { IndexReader } from '../../generator/site/search/index-reader.ts';
import { searchBuilds } from '../../generator/site/search/search-builds.ts';
import type { SearchHits } from '../../generator/site/search/search-builds.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { LATER_QUERIES, QUERIES, unanswered } from './search-queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'stackyard-queries-'));
const out = join(folder, 'index');
let server: Server;

/** Of the later queries: "loggin" is nearer to "logging" than to "login". */
const MISSED = 1;

beforeAll(async () => {
  await generate({ repo: join(import.meta.dirname, '../..'), out, pages: true });
  server = await serveIndex(out, 0);
}, 300_000);

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** The search of the pages, with the files of the index. */
async function onSite(words: string): Promise<SearchHits> {
  const reader = new IndexReader((path) => {
    const file = join(out, path);
    return Promise.resolve(existsSync(file) ? readFileSync(file) : undefined);
  });
  return searchBuilds(reader, { words, filters: {}, keep: 20 });
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
  it('answers all queries among the first three builds, on the site', async () => {
    expect(QUERIES).toHaveLength(40);
    expect(await unanswered(QUERIES, async (words) => idsOf(await onSite(words)))).toEqual([]);
  });

  it('answers all queries among the first three builds, in the client', async () => {
    expect(await unanswered(QUERIES, async (words) => idsOf(await inClient(words)))).toEqual([]);
  });

  it('answers queries that were written after the table of synonyms', async () => {
    const missing = await unanswered(LATER_QUERIES, async (words) => idsOf(await onSite(words)));
    expect(LATER_QUERIES).toHaveLength(20);
    expect(missing).toHaveLength(MISSED);
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

  it('states that words were corrected, or that builds are related only', async () => {
    expect((await onSite('sqllite')).note).toBe('No build has "sqllite". Results for "sqlite".');
    expect((await onSite('postgres')).note).toBe(
      'No build has exactly these words. These are related.',
    );
    expect((await onSite('login page')).note).toBe(
      'No build has all of these words. These have the most of them.',
    );
    expect((await onSite('express api')).note).toBeUndefined();
    expect(await onSite('xyzzyx')).toMatchObject({ builds: [], note: undefined });
  });
});
