import { describe, expect, it, test } from 'vitest';
import type { BuildSummary } from '../../../../format/index/record.ts';
import { buildSummary } from '../../../../tests/site/build-summary.ts';
import { searchBuilds, type Filters, type SearchHits } from './search-builds.ts';

const BUILD = buildSummary({
  kind: 'foundation',
  description: 'Serves pages',
  keywords: ['REST api'],
  requires: { node: '*' },
  provides: ['express'],
  quality: 90,
});
const OTHER: BuildSummary = {
  ...BUILD,
  id: 'bob/sql',
  kind: 'module',
  description: 'Stores pages in SQLite',
  keywords: [],
  requires: {},
  provides: [],
  risk: 'caution',
};
const YANKED: BuildSummary = { ...BUILD, id: 'eve/old', yanked: true };
const ALL = [YANKED, OTHER, BUILD];

function found(words: string, filters: Filters = {}): string[] {
  return searchBuilds(ALL, { words, filters, keep: 9 }).builds.map(({ id }) => id);
}

describe('searchBuilds()', () => {
  test.each<[Filters, string[]]>([
    [{}, ['alice/web', 'bob/sql']],
    [{ kind: 'module' }, ['bob/sql']],
    [{ owner: 'alice' }, ['alice/web']],
    [{ owner: 'ali' }, []],
    [{ risk: 'caution' }, ['bob/sql']],
    [{ tag: 'node' }, ['alice/web']],
    [{ tag: 'express', kind: 'foundation' }, ['alice/web']],
    [{ tag: 'constructor' }, []],
    [{ keyword: 'rest-API' }, ['alice/web']],
  ])('filters by %j', (filters, ids) => {
    expect(found('', filters)).toEqual(ids);
    expect(found('pages', filters)).toEqual(ids);
  });

  it('returns the best, and counts all', () => {
    const hits = searchBuilds(ALL, { words: 'pages', filters: {}, keep: 1 });
    expect(hits).toMatchObject({ builds: [BUILD], total: 2, note: undefined });
    expect(found('eve/old')).toEqual(['eve/old']);
  });

  test.each<[string, Filters, Partial<SearchHits>]>([
    ['sqlte', {}, { corrected: 'sqlite', total: 1 }],
    // The word is one of another build: nothing is corrected.
    ['sqlite', { owner: 'alice' }, { total: 0, note: undefined }],
    ['pages kafka', {}, { total: 2 }],
  ])('corrects only words that no build has: %s %j', (words, filters, expected) => {
    const hits = searchBuilds(ALL, { words, filters, keep: 9 });
    expect(hits).toMatchObject(expected);
    expect(hits.corrected).toBe(expected.corrected);
  });
});
