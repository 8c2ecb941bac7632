import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownWords, findBuilds } from '../../../format/index/ranking.ts';
import { SEARCH_MANIFEST_PATH } from '../../../format/index/search-path.ts';
import { runs as runsOf } from '../../../tests/run/runs.ts';
import { prepareTables } from '../../state/schema.ts';
import { SearchTable } from './search-table.ts';
import { IndexReader } from './index-reader.ts';
import type { SearchBuild } from './search-terms.ts';
import { searchBuilds } from './search-builds.ts';
import type { Filters } from './search-terms.ts';
import { passes } from './search-terms.ts';
import { updateSearch } from './update-search.ts';

/** So small that a few builds have a tree of some depth. */
const LEAF_BYTES = 40;

class Site {
  readonly files = new Map<string, Buffer>();
  readonly table: SearchTable;

  constructor() {
    const db = new Database(':memory:');
    prepareTables(db);
    const statements = new Map<string, Database.Statement>();
    this.table = new SearchTable((sql) => {
      const known = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, known);
      return known;
    });
  }

  publish(builds: Iterable<SearchBuild>): Set<string> {
    const written = new Set<string>();
    const add = (path: string, content: string | Uint8Array): void => {
      const bytes = Buffer.from(content);
      if (this.files.get(path)?.equals(bytes) !== true) written.add(path);
      this.files.set(path, bytes);
    };
    for (const path of updateSearch(this.table, builds, add, LEAF_BYTES)) {
      if (!this.files.delete(path)) throw new Error(`"${path}" was removed twice`);
    }
    return written;
  }

  reader(): IndexReader {
    return new IndexReader((path) => Promise.resolve(this.files.get(path)));
  }
}

const BUILD: SearchBuild = {
  id: 'alice/web',
  kind: 'module',
  latest: '1.0.0',
  description: 'Serves pages',
  keywords: [],
  requires: {},
  provides: [],
  license: 'MIT',
  risk: 'ok',
  quality: 90,
  downloads: 0,
  agent_reports: { success: 0, failure: 0, success_rate: 0 },
  updated_at: '2026-01-01T00:00:00.000Z',
  deprecated: false,
  yanked: false,
};

const word = fc.constantFrom(
  'sql',
  'sqlite',
  'sqlite3',
  'sqs',
  'web',
  'we',
  'a',
  'auth',
  'größe',
  '日本',
  '𠮷野',
  '𠮷家',
  'ǅ',
  '0',
  'the',
  'users',
  'migration',
  'authentication',
);
const plain = fc.constantFrom(
  'sql',
  'sqlite',
  'sqlite3',
  'web',
  'a',
  'auth',
  'auth-web',
  'web-sql',
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '-', '. ', '')), { maxLength: 5 })
  .map((parts) => parts.flat().join(''));
const tag = fc.constantFrom('express', 'sql', 'better-sqlite3', '@scope/web.js', 'a');

const build: fc.Arbitrary<SearchBuild> = fc.record({
  id: fc.tuple(fc.constantFrom('a', 'sql', 'bob-x', 'web'), plain).map((parts) => parts.join('/')),
  kind: fc.constantFrom('module', 'foundation'),
  latest: fc.constant('1.0.0'),
  description: text,
  keywords: fc.array(fc.oneof(text, tag), { maxLength: 3 }),
  requires: fc.dictionary(tag, fc.constant('*'), { maxKeys: 2 }),
  provides: fc.array(tag, { maxLength: 2 }),
  headings: fc.array(text, { maxLength: 2 }),
  license: fc.constant('MIT'),
  risk: fc.constantFrom('ok', 'caution', 'danger'),
  quality: fc.constantFrom(80, 98, 99.5),
  downloads: fc.nat(2),
  agent_reports: fc.constantFrom(
    { success: 0, failure: 0, success_rate: 0 },
    { success: 1, failure: 1, success_rate: 0.5 },
    { success: 9, failure: 1, success_rate: 0.9 },
  ),
  updated_at: fc.constant('2026-01-01T00:00:00.000Z'),
  deprecated: fc.boolean(),
  yanked: fc.nat(5).map((n) => n === 0),
});

/** Runs, each with the builds that it publishes or changes. */
const history = fc.array(fc.uniqueArray(build, { selector: ({ id }) => id, maxLength: 12 }), {
  maxLength: 5,
});

const query = fc.oneof(
  fc.array(fc.oneof(word, plain, text), { maxLength: 3 }).map((words) => words.join(' ')),
  plain.map((name) => `sql/${name}`),
  fc.tuple(word, fc.nat(3)).map(([known, length]) => known.slice(0, length)),
  // Other forms, synonyms and slips.
  fc
    .array(
      fc.constantFrom(
        'login',
        'user',
        'migrate',
        'sqllite',
        'autentication',
        'migrtion',
        'db',
        'webs',
        'authe',
        'fast api',
        'template',
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((words) => words.join(' ')),
);

const filters: fc.Arbitrary<Filters> = fc.record(
  {
    kind: fc.constantFrom('module', 'foundation'),
    owner: fc.constantFrom('a', 'sql', 'nobody'),
    risk: fc.constantFrom('ok', 'danger'),
    tag,
    keyword: fc.constantFrom('express', 'web', 'sql-a'),
  },
  { requiredKeys: [] },
);

describe('updateSearch()', () => {
  it('writes the same files in many runs as in one', () => {
    fc.assert(
      fc.property(history, (runs) => {
        const [many, one] = [new Site(), new Site()];
        for (const builds of runs) many.publish(builds);
        const newest = new Map(runs.flat().map((b) => [b.id, b]));
        const order = [...new Set(runs.flat().map(({ id }) => id))];
        one.publish(order.map((id) => newest.get(id)!));
        if (runs.length === 0) many.publish([]);
        expect(many.files).toEqual(one.files);
      }),
    );
  });

  it('writes little for a build whose words stay the same', () => {
    const site = new Site();
    const builds = Array.from({ length: 50 }, (_, at) => ({ ...BUILD, id: `a/build-${at}` }));
    site.publish(builds);
    const written = site.publish([{ ...builds[7]!, latest: '1.1.0', downloads: 9 }]);
    expect([...written].sort()).toEqual(['search/data/build-7.json', 'search/data/order-rest.bin']);
    expect(site.publish([{ ...builds[7]!, latest: '1.1.0', downloads: 9 }])).toEqual(new Set());
  });
});

/** The search in a list of all builds. */
function searchList(
  words: string,
  all: readonly SearchBuild[],
  kept: readonly SearchBuild[],
): { builds: readonly SearchBuild[]; corrected?: string | undefined } {
  const hits = findBuilds(words, kept);
  if (hits.builds.length > 0 && hits.match !== 'some') return hits;
  const known = new KnownWords(words);
  for (const one of all) known.add(one);
  const corrected = known.corrected();
  return corrected === undefined ? hits : { ...findBuilds(corrected, kept), corrected };
}

describe('searchBuilds()', () => {
  it('finds what the ranking finds in a list of all builds, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(history, query, filters, fc.nat(8), async (runs, words, given, more) => {
        const site = new Site();
        for (const builds of runs) site.publish(builds);
        if (runs.length === 0) site.publish([]);
        const newest = [...new Map(runs.flat().map((b) => [b.id, b])).values()];
        const expected = searchList(
          words,
          newest,
          newest.filter((b) => passes(b, given)),
        );
        const keep = more + 1;
        const hits = await searchBuilds(site.reader(), { words, filters: given, keep });
        expect(hits.builds.map(({ id }) => id)).toEqual(
          expected.builds.slice(0, keep).map(({ id }) => id),
        );
        expect([hits.total, hits.corrected]).toEqual([expected.builds.length, expected.corrected]);
      }),
      { numRuns: runsOf(400) },
    );
  });

  it('reads the order where many builds match equally well', async () => {
    const site = new Site();
    const builds = Array.from({ length: 5_000 }, (_, at) => ({
      ...BUILD,
      id: `a/web-${at}`,
      downloads: (at * 7919) % 5_000,
    }));
    site.publish(builds);
    const paths: string[] = [];
    const reader = new IndexReader((path) => {
      paths.push(path);
      return Promise.resolve(site.files.get(path));
    });
    const { builds: found, total } = await searchBuilds(reader, {
      words: 'serves',
      filters: { kind: 'module' },
      keep: 3,
    });
    expect(found.map(({ downloads }) => downloads)).toEqual([4_999, 4_998, 4_997]);
    expect(total).toBe(5_000);
    expect(paths.filter((path) => path.includes('build-'))).toHaveLength(3);
    expect(paths.filter((path) => path.includes('order-'))).toHaveLength(1);
  });

  it('goes on without a file that is missing', async () => {
    const site = new Site();
    site.publish([BUILD, { ...BUILD, id: 'bob/pages' }]);
    site.files.delete('search/data/build-0.json');
    const search = { words: 'pages', filters: {}, keep: 5 };
    const { builds } = await searchBuilds(site.reader(), search);
    expect(builds.map(({ id }) => id)).toEqual(['bob/pages']);
    site.files.delete(SEARCH_MANIFEST_PATH);
    await expect(searchBuilds(site.reader(), search)).rejects.toThrow('no search data');
  });
});
