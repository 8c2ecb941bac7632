/** What a deployment uploads, removes and refuses, with small made indexes and a store in memory. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKPOINT_PATH, documentPath } from '../../format/index/layout.ts';
import { noteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import {
  DAY_MS,
  INFO,
  MadeIndex,
  MemoryStore,
  deployMade,
  expectWhole,
  readState,
  sha256,
  textsOf,
} from '../../tests/deploy/made-index.ts';

describe('deploy()', () => {
  it('uploads what the target lacks, the checkpoint last, and nothing the second time', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    const first = await deployMade(store, index.set(['1', 'x', 'y']));
    expect(first).toMatchObject({ unchanged: 0, removed: [], later: 0 });
    expectWhole(store, index);
    expect(await deployMade(store, index)).toMatchObject({ uploads: [], unchanged: 10 });
    const { uploads, unchanged, later } = await deployMade(store, index.set(['2', 'x', 'y']));
    const list = uploads.filter((path) => path.startsWith('documents/'));
    expect(uploads).toEqual([...list, 'builds/a/b0.json', 'log/checkpoint']);
    expect([list.length, unchanged, later]).toEqual([2, 6, 2]);
    expectWhole(store, index);
  });

  it('removes what left the index after the grace time, and what the operator has never', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['1', 'x', 'y']));
    for (const path of ['favicon.ico', 'builds/a/README.txt', 'notes/x'])
      store.objects.set(path, '');
    const old = [documentPath(sha256('1')), documentPath(sha256('y')), 'builds/a/b2.json'];
    const has = (): boolean[] => old.map((path) => store.objects.has(path));
    await deployMade(store, index.set(['2', 'x']));
    store.time += DAY_MS - 1;
    await deployMade(store, index.set(['3', 'x']));
    expect(has()).toEqual([true, true, true]);
    store.time += 1;
    expect((await deployMade(store, index)).removed).toHaveLength(4);
    expect(has()).toEqual([false, false, false]);
    // One that comes back is uploaded again, and does not go.
    await deployMade(store, index.set(['1', 'x', 'y']), { graceMs: 0 });
    expect(has()).toEqual([true, true, true]);
    expect((await deployMade(store, index)).uploads).toEqual([]);
    expect(store.objects.has('favicon.ico') && store.objects.has('notes/x')).toBe(true);
    const kept = [...store.objects.keys()].filter((path) => !path.startsWith('.deploy/'));
    expect(kept).toHaveLength(2 + 1 + 3 + 1 + 5 + 1);
  });

  it('keeps files for the grace time also where a clock was wrong', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['1']));
    store.time += 1_000 * DAY_MS;
    await deployMade(store, index.set(['2']));
    store.time -= 1_000 * DAY_MS;
    await deployMade(store, index);
    store.time += DAY_MS;
    expect((await deployMade(store, index)).removed).toHaveLength(2);
  });

  it('without a grace time removes old files before it needs space', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    const texts = (version: number): string[] =>
      textsOf(version, 20).map((text) => text.padEnd(900));
    for (const version of [1, 2, 3]) await deployMade(store, index.set(texts(version)));
    const size = (): number =>
      [...store.objects.values()].reduce((sum, { length }) => sum + length, 0);
    const limit = size();
    store.before = (_path, isWrite) => {
      if (isWrite && size() >= limit) {
        throw new GeneratorError('ERR_STORE_FULL', 'no space');
      }
    };
    index.set(texts(4));
    await expect(deployMade(store, index)).rejects.toMatchObject({ code: 'ERR_STORE_FULL' });
    expect(readState(store)?.trim()).toBe('3 of 0');
    await deployMade(store, index, { graceMs: 0 });
    expectWhole(store, index);
  });

  it('removes at once all that a take-down is about, also what a killed run has left, and nothing that clients read beside it', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['1', 'x', 'a/secret']));
    store.before = (path) => {
      if (path === CHECKPOINT_PATH) throw new Error('killed');
    };
    await expect(deployMade(store, index.set(['2', 'x', 'a/secret of 2']))).rejects.toThrow(
      'killed',
    );
    store.before = () => {};
    store.objects.set('.deploy/state/x', 'of the secret');
    await deployMade(store, index.set(['3', 'x'], { taken_down: 1 }));
    expect([...store.objects].filter(([, text]) => text.includes('secret'))).toEqual([]);
    expect(store.objects.has(documentPath(sha256('1')))).toBe(true);
    await deployMade(store, index.set(['4', 'x'], { taken_down: 1 }));
    expect(store.objects.has(documentPath(sha256('3')))).toBe(true);
  });

  it('without a known inventory, compares by a listing, and replaces what another version left', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['1', 'x', 'y']));
    for (const path of store.objects.keys())
      if (path.startsWith('.deploy/')) store.objects.delete(path);
    store.objects.set('builds/a/b1.json', 'edited');
    store.objects.set('.deploy/manifest.json', '{}');
    store.objects.set('builds/a/b1/1.0.0.capabilities.json', '{}');
    const { uploads, unchanged, later } = await deployMade(store, index.set(['2', 'x', 'y']));
    expect(uploads.filter((path) => !path.startsWith('documents/'))).toEqual([
      'builds/a/b0.json',
      'builds/a/b1.json',
      'log/checkpoint',
    ]);
    expect([unchanged, later]).toEqual([5, 3]);
    expect(store.objects.has('.deploy/manifest.json')).toBe(false);
    expectWhole(store, index);
  });

  it.each([
    ['of another key', [noteSigner('a.example/log', 'note', new Uint8Array(32).fill(2))]],
    ['of no key', []],
  ])('does not rely on an inventory %s', async (_what, others) => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['1']), { signers: others });
    store.objects.delete('builds/a/b0.json');
    expect((await deployMade(store, index)).uploads).toEqual(['builds/a/b0.json']);
    expect((await deployMade(store, index)).uploads).toEqual([]);
  });

  it('writes the whole inventory again after many parts', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    const parts = (): number => {
      return [...store.objects.keys()].filter((path) => path.endsWith('.gz')).length;
    };
    const counts: number[] = [];
    for (let version = 1; version < 60; version += 1) {
      await deployMade(store, index.set([`${version}`, ...textsOf(1, 6)]));
      counts.push(parts());
    }
    expect(Math.max(...counts)).toBeGreaterThan(90);
    expect(Math.max(...counts)).toBeLessThanOrEqual(100);
    expect(counts.at(-1)).toBeLessThan(30);
    const other = new MadeIndex().set(['59', ...textsOf(1, 6)]);
    expect((await deployMade(store, other)).uploads).toEqual([]);
  });

  it.each([
    ['of another registry', { 'registry.json': JSON.stringify({ ...INFO, origin: 'b.example' }) }],
    ['with another registry.json', { 'registry.json': '{"items":[]}' }],
    ['with other files', { 'notes.txt': '' }],
    ['of a newer version', { 'registry.json': '{"interface":9}' }],
  ])('refuses a target %s, and writes nothing', async (_what, objects) => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    store.objects = new Map(Object.entries(objects));
    await expect(deployMade(store, index.set(['1']))).rejects.toMatchObject({
      code: 'ERR_DEPLOY_TARGET',
    });
    expect(store.writes).toBe(0);
  });

  it('rolls a target of a newer version back once its registry.json is replaced', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex().set(['1'])];
    await deployMade(store, index);
    const newer = new Map(store.objects)
      .set('registry.json', '{"interface":9}')
      .set('.deploy/inventory.json', '{"inventory":{"format":9}}');
    store.objects = newer;
    index.set(['2']);
    await expect(deployMade(store, index)).rejects.toMatchObject({
      message: expect.stringContaining('a newer version of this software wrote it'),
      hint: expect.stringContaining('to roll back, first replace registry.json there'),
    });
    newer.set('registry.json', index.aliases['registry.json'] ?? '');
    await deployMade(store, index);
    expectWhole(store, index);
  });

  it.each([1, 9])('refuses an index of interface %i, which it cannot know', async (number) => {
    const [store, index] = [new MemoryStore(), new MadeIndex().set(['1'])];
    writeFileSync(join(index.folder, 'registry.json'), `{"interface":${number}}`);
    await expect(deployMade(store, index)).rejects.toMatchObject({
      code: 'ERR_DEPLOY_INDEX',
      hint: 'run "stackyard-registry generate" with this version first',
    });
    expect(store.writes).toBe(0);
  });

  it('says that it lost where another first deployment began meanwhile', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    store.before = (path) => {
      if (path === 'registry.json') throw new Error('killed');
    };
    const { read } = store;
    store.read = async (path) => {
      const object = await read(path);
      store.read = read;
      await expect(deployMade(store, new MadeIndex().set(['1']))).rejects.toThrow('killed');
      return object;
    };
    const run = deployMade(store, index.set(['2']));
    await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOST' });
  });

  it('refuses an older log, other bytes of what never changes, and an index that changes meanwhile', async () => {
    const [store, index] = [new MemoryStore(), new MadeIndex()];
    await deployMade(store, index.set(['2'], { entries: 2 }));
    await expect(deployMade(store, index.set(['1']))).rejects.toMatchObject({
      code: 'ERR_DEPLOY_LOG',
    });
    writeFileSync(
      join(index.set(['2'], { entries: 2 }).folder, documentPath(sha256('2'))),
      'other',
    );
    await expect(deployMade(store, index)).rejects.toMatchObject({ code: 'ERR_DEPLOY_IMMUTABLE' });
    index.set(['3', 'x'], { entries: 3 });
    store.before = () => writeFileSync(join(index.folder, 'builds/a/b0.json'), 'other');
    await expect(deployMade(store, index)).rejects.toMatchObject({ code: 'ERR_DEPLOY_INDEX' });
    expect(readState(store)).toBe('2');
  });
});
