import { describe, expect, it } from 'vitest';
import type { BuildSummary } from '../../format/index/record.ts';
import { State } from '../state/state.ts';
import { searchPaths, writeSearchData } from './outdated-files.ts';

const SUMMARY: BuildSummary = {
  id: 'a/x',
  kind: 'module',
  latest: '1.0.0',
  description: 'Serves pages',
  keywords: ['web'],
  requires: {},
  provides: [],
  license: 'MIT',
  risk: 'ok',
  quality: 100,
  downloads: 0,
  agent_reports: { success: 0, failure: 0, success_rate: 0 },
  reputation: 50,
  updated_at: '2026-01-01T00:00:00.000Z',
  deprecated: false,
  yanked: false,
};

/** Publishes builds in this order, in runs of these sizes; the files by path. */
function filesOf(ids: readonly string[], ...runs: readonly number[]): Map<string, string> {
  const state = State.open(':memory:');
  const files = new Map<string, string>();
  let published = 0;
  for (const count of runs) {
    const run = ids.slice(published, published + count);
    for (const id of run) publish(state, id, (published += 1));
    // The set of what changed has no particular order.
    const changed = new Set([...run].sort());
    const removed = writeSearchData(state, changed, (path, content) => {
      files.set(path, Buffer.from(content).toString('hex'));
    });
    for (const path of removed) files.delete(path);
  }
  expect(new Set(files.keys())).toEqual(searchPaths(state));
  state.close();
  return files;
}

function publish(state: State, id: string, place: number): void {
  const commit = { commit: 'c', tree: 't', publishedAt: '2026-01-01T00:00:00.000Z' };
  const version = { id, version: '1.0.0', risk: 'ok', seq: place, facts: '{}', ...commit };
  state.addVersion(version);
  state.log.setIndex(id, '1.0.0', place);
  state.setBuild(id.split('/')[0]!, '', { ...SUMMARY, id });
}

describe('writeSearchData()', () => {
  it('numbers builds by their first publication, in one run as in many', () => {
    const ids = ['z/last', 'a/first', 'm/middle', 'b/second'];
    const files = filesOf(ids, 4);
    expect(filesOf(ids, 1, 2, 1)).toEqual(files);
    const build = Buffer.from(files.get('search/data/build-0.json')!, 'hex').toString();
    expect(JSON.parse(build)).toMatchObject({ id: 'z/last' });
    expect(build).not.toContain('reputation');
  });
});
