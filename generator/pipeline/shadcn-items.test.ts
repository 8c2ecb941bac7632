import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CatalogShard, type BuildSummary } from '../../format/index/record.ts';
import { shardBits, writeCatalog } from './shadcn-items.ts';
import { State } from '../state/state.ts';

function openState(): State {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  return state;
}

function addBuild(state: State, id: string): void {
  const summary: BuildSummary = {
    id,
    kind: 'module',
    latest: '1.0.0',
    description: '',
    keywords: [],
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
  state.setBuild('a', shardBits(id), summary);
}

function write(
  state: State,
  ids: readonly string[],
): { files: Map<string, string>; old: string[] } {
  const files = new Map<string, string>();
  const old = writeCatalog(state, new Set(ids), (path, content) => {
    files.set(path, String(content));
  });
  return { files, old };
}

describe('writeCatalog()', () => {
  it('writes one empty shard for a registry without builds', () => {
    const { files } = write(openState(), []);
    const shards = JSON.parse(files.get('catalog.json') ?? '') as { shards: object[] };
    expect(shards.shards).toMatchObject([{ prefix: '', count: 0 }]);
    expect(files.size).toBe(2);
  });

  it('splits a shard at 1,000 builds, rewrites only one for a new build, in any order', () => {
    const ids = Array.from({ length: 2_500 }, (_, n) => `a/build-${n}`);
    const whole = openState();
    for (const id of ids) addBuild(whole, id);
    const { files } = write(whole, ids);
    const shards = [...files].filter(([path]) => path !== 'catalog.json');
    const sizes = shards.map(([, text]) => CatalogShard.parse(JSON.parse(text)).builds.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(2_500);

    const grown = openState();
    let last = { files: new Map<string, string>(), old: [] as string[] };
    for (const part of [ids.slice(0, 900), ids.slice(900, 2_499), ids.slice(2_499)]) {
      for (const id of part.toReversed()) addBuild(grown, id);
      last = write(grown, part);
    }
    expect(grown.shards.all()).toEqual(whole.shards.all());
    expect([last.files.size, last.old.length]).toEqual([2, 1]);
  });
});

describe('shardBits()', () => {
  it('gives 64 bits of the SHA-256', () => {
    expect(shardBits('a/b')).toBe(
      // printf a/b | sha256sum
      BigInt('0xc14cddc033f64b9d').toString(2).padStart(64, '0'),
    );
    fc.assert(fc.property(fc.string(), (id) => /^[01]{64}$/.test(shardBits(id))));
  });
});
