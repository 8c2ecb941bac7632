import { resolve, join } from 'node:path';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseEndpoint, parseTarget, openFolderStore } from './open-store.ts';
import type { Store } from './store.ts';

const usage = expect.objectContaining({ code: 'ERR_USAGE' });

describe('parseTarget()', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '', place: 's3://bucket' }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '', place: 's3://bucket' }],
    ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b', place: 's3://my.bucket/a/b' }],
    ['file:/var/www', { folder: '/var/www', place: 'file:/var/www' }],
    ['file:///var/a%20b', { folder: '/var/a b', place: 'file:///var/a%20b' }],
    ['file:www', { folder: resolve('www'), place: 'file:www' }],
  ])('reads %s', (text, target) => {
    expect(parseTarget(text)).toMatchObject(target);
  });

  it.each([
    '',
    's3://',
    's3:bucket',
    's3://b/a//c',
    's3://bucket/../other',
    's3://bucket/a b',
    's3://user:secret@bucket',
    'https://bucket.example',
    'file:',
    'file://host/x',
    'file:/x?y',
  ])('refuses %j', (text) => {
    expect(() => parseTarget(text)).toThrow(usage);
  });
});

describe('parseEndpoint()', () => {
  it.each([
    ['https://s3.example.org/', 'https://s3.example.org'],
    ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ])('reads %s', (text, address) => {
    expect(parseEndpoint(text)).toBe(address);
  });

  it.each([
    's3.example.org',
    'ftp://s3.example.org',
    'https://s3.example.org/?a',
    'https://key:secret@s3.example.org',
  ])('refuses %s without printing it', (text) => {
    expect(() => parseEndpoint(text)).toThrow(usage);
    expect(() => parseEndpoint(text)).not.toThrow(/secret/);
  });
});

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
