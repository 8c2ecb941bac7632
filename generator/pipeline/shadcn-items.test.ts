import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CatalogShard } from '../../format/index/record.ts';
import { RegistryConfig } from '../../format/registry/registry-config.ts';
import { shardBits, ShadcnItems, writeCatalog } from './shadcn-items.ts';
import { State } from '../state/state.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';

function openState(): State {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  return state;
}

function addBuild(state: State, id: string): void {
  state.setBuild('a', shardBits(id), buildSummary({ id }));
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

it('ShadcnItems names builds without an item by their ranges', () => {
  const state = openState();
  const publish = (seq: number, id: string, file: string, builds = {}): void => {
    const manifest = { kind: 'module', base: 'src/x', builds };
    const facts = JSON.stringify({ manifest, files: [{ path: file }] });
    const [version, commit, publishedAt] = ['1.0.0', `c${seq}`, '2026-01-01T00:00:00.000Z'];
    state.addVersion({ id, version, commit, tree: '', publishedAt, risk: 'ok', seq, facts });
  };
  publish(1, 'a/plain', 'index.ts');
  // Test runners start it by its name, and users consent to that.
  publish(2, 'a/started', 'test-database.ts');
  const needs = { 'a/plain': '^1.0.0', 'a/started': '^1.0.0', 'far/away': '*' };
  publish(3, 'a/app', 'app.ts', needs);
  const config = RegistryConfig.parse({ base_url: 'https://r.example', shadcn: true });
  const elsewhere = { 'a/started': '^1.0.0', 'far/away': '*' };
  const { latest, versions } = new ShadcnItems(state, config).workFor('a/app');
  expect(latest).toMatchObject({ requires: ['https://r.example/r/a/plain.json'], elsewhere });
  const [first] = versions;
  expect(first).toMatchObject({ requires: ['https://r.example/r/a/plain@1.0.0.json'], elsewhere });
});

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
