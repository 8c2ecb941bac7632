import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFolderStore } from './folder-store.ts';
import type { Store } from './store.ts';

const HEADERS = { cacheControl: '', contentType: '' };

function open(): { store: Store; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { store: openFolderStore({ folder, place: 'file:x' }), folder };
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('openFolderStore()', () => {
  it('writes, reads, lists and removes, with the folders', async () => {
    const { store, folder } = open();
    await store.write('a/b/c.json', bytes('one'), HEADERS);
    await store.write('d', bytes('two'), HEADERS);
    expect(Buffer.from((await store.read('a/b/c.json'))!.bytes).toString()).toBe('one');
    expect(await store.inspect('d')).toMatchObject({ size: 3 });
    await store.settle();
    const listed: Record<string, number> = {};
    for await (const { path, size } of store.list()) listed[path] = size;
    expect(listed).toEqual({ 'a/b/c.json': 3, d: 3 });
    await store.remove('a/b/c.json');
    await store.remove('a/b/c.json');
    expect(await store.read('a/b/c.json')).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(['.deploy', 'd']);
  });

  it('obeys conditions', async () => {
    const { store } = open();
    const first = await store.write('x', bytes('1'), HEADERS, 'absent');
    expect(first.kind).toBe('written');
    expect(await store.write('x', bytes('2'), HEADERS, 'absent')).toEqual({ kind: 'refused' });
    const tag = first.kind === 'written' ? first.tag : '';
    expect((await store.write('x', bytes('3'), HEADERS, { tag })).kind).toBe('written');
    expect((await store.write('x', bytes('4'), HEADERS, { tag })).kind).toBe('refused');
    expect((await store.write('y', bytes('4'), HEADERS, { tag })).kind).toBe('refused');
    expect(Buffer.from((await store.read('x'))!.bytes).toString()).toBe('3');
  });

  it('lets one of many replace a file with a tag', async () => {
    const { store } = open();
    const first = await store.write('x', bytes('0'), HEADERS);
    const tag = first.kind === 'written' ? first.tag : '';
    const writes = Array.from({ length: 20 }, (_, at) =>
      store.write('x', bytes(`n${at}`), HEADERS, { tag }),
    );
    const kinds = (await Promise.all(writes)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'written')).toHaveLength(1);
  });

  it('waits for the lock of another process', async () => {
    const { store, folder } = open();
    const first = await store.write('x', bytes('0'), HEADERS);
    const lock = join(folder, '.deploy/lock');
    mkdirSync(lock);
    setTimeout(() => rmSync(lock, { recursive: true }), 100);
    const tag = first.kind === 'written' ? first.tag : '';
    expect((await store.write('x', bytes('1'), HEADERS, { tag })).kind).toBe('written');
  });

  it('reports a place that cannot be written to', async () => {
    const { store, folder } = open();
    writeFileSync(join(folder, 'file'), '');
    await expect(store.write('file/x', bytes(''), HEADERS)).rejects.toMatchObject({
      code: 'ERR_STORE',
    });
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
  });
});
