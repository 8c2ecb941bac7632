/** Keeping the cache small, checking it, emptying it. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCache, emptyCache as empty, keepSmall } from '../../../client/registry/cache.ts';
import { sha256Hex } from '../../../format/archive/integrity.ts';
import { TARBALL, emptyCache } from './network-fixture.ts';

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('upkeep', () => {
  it('removes the least recently used files down to four fifths of the limit, and abandoned temporary files', async () => {
    const { cache, folder } = emptyCache();
    const now = Date.now();
    const blobs = Array.from({ length: 10 }, (_, n) => Buffer.alloc(1000, n));
    for (const bytes of blobs) await cache.keepBlob(sha256Hex(bytes), bytes);
    const path = (bytes: Uint8Array): string => {
      const name = sha256Hex(bytes);
      return join(folder, 'blobs', name.slice(0, 2), name.slice(2));
    };
    for (const [n, bytes] of blobs.entries()) {
      utimesSync(path(bytes), now / 1000 - 1000 + n, now / 1000 - 1000 + n);
    }
    const draft = join(folder, 'blobs', 'aa', `.${crypto.randomUUID()}.tmp`);
    mkdirSync(join(folder, 'blobs/aa'), { recursive: true });
    writeFileSync(draft, 'half');
    utimesSync(draft, now / 1000 - 7200, now / 1000 - 7200);
    await keepSmall(cache.files, now, 9000);
    expect(blobs.map((bytes) => existsSync(path(bytes)))).toEqual(blobs.map((_, n) => n >= 3));
    expect(existsSync(draft)).toBe(false);
  });

  it('finds altered files, and changes no file that does not belong to the cache', async () => {
    const { cache, folder } = emptyCache();
    await cache.keepBlob(sha256Hex(TARBALL), TARBALL);
    await cache.keepDocument({ base: 'https://a.example', secret: '' }, 'x', {
      bytes: Buffer.from('{}'),
      validators: {},
    });
    const mine = [join(folder, 'blobs', 'notes.txt'), join(folder, 'thesis.doc')];
    for (const file of mine) writeFileSync(file, 'mine');
    expect(await checkCache(folder)).toMatchObject({ entries: 2, removed: 0 });
    const [blob = ''] = filesOf(join(folder, 'blobs')).filter((f) => !mine.includes(f));
    writeFileSync(blob, 'altered');
    expect(await checkCache(folder)).toMatchObject({ entries: 2, removed: 1 });
    expect(await empty(folder)).toMatchObject({ entries: 1, removed: 1 });
    expect(filesOf(folder).sort()).toEqual(mine.sort());
  });
});
