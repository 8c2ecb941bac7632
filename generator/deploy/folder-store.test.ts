import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { openFolderStore } from './folder-store.ts';
import { replace, type Store } from './store.ts';

function open(): { store: Store; folder: string } {
  const folder = temporaryFolder();
  return { store: openFolderStore(folder, 'file:x'), folder };
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('openFolderStore()', () => {
  it('writes, reads, lists and removes', async () => {
    const { store, folder } = open();
    await store.write('a/b/c.json', bytes('one'));
    await store.write('d', bytes('two'));
    expect(Buffer.from((await store.read('a/b/c.json'))!.bytes).toString()).toBe('one');
    const listed: Record<string, number> = {};
    for await (const { path, size } of store.list()) listed[path] = size;
    expect(listed).toEqual({ 'a/b/c.json': 3, d: 3 });
    await store.remove('a/b/c.json');
    await store.remove('a/b/c.json');
    expect(await store.read('a/b/c.json')).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(['.deploy', 'a', 'd']);
    expect(readdirSync(join(folder, '.deploy/stage'))).toEqual([]);
  });

  it('obeys conditions, and lets one of many replace a file', async () => {
    const { store } = open();
    const tag = (await store.write('x', bytes('1'), ''))!;
    expect(await store.write('x', bytes('2'), '')).toBeUndefined();
    const writes = Array.from({ length: 20 }, (_, at) => store.write('x', bytes(`n${at}`), tag));
    expect((await Promise.all(writes)).filter((one) => one !== undefined)).toHaveLength(1);
    expect(await store.write('y', bytes('4'), tag)).toBeUndefined();
    // As after a lost answer.
    expect(await replace(store, 'x', bytes('n0'), tag)).toBe((await store.read('x'))?.tag);
    expect(await replace(store, 'x', bytes('n1'), tag)).toBeUndefined();
  });

  it('reports a place that cannot be written to', async () => {
    const { store, folder } = open();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'folder'));
    const refused = { code: 'ERR_STORE' };
    await expect(store.write('file/x', bytes(''))).rejects.toMatchObject(refused);
    await expect(store.write('folder', bytes(''))).rejects.toMatchObject(refused);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
    expect(readdirSync(join(folder, '.deploy/stage'))).toEqual([]);
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    const written = store.write('new/x', bytes('')).catch((error: { code: string }) => error.code);
    expect(await written).toBe(isRoot ? (await store.read('new/x'))?.tag : 'ERR_STORE_ACCESS');
  });
});
