import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PageCache, boundPageCache } from './page-cache.ts';

function cacheFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'pages.sqlite');
}

test('PageCache keeps texts and bytes for the next run, in several connections', () => {
  const file = cacheFile();
  const [one, other] = [PageCache.open(file), PageCache.open(file)];
  one.set('text', '<b>');
  other.set('bytes', Buffer.from([1, 2]));
  expect([other.get('text'), one.get('bytes')]).toEqual(['<b>', Buffer.from([1, 2])]);
  one.close();
  other.close();
  const again = PageCache.open(file);
  expect([again.get('text'), again.get('missing')]).toEqual(['<b>', undefined]);
  again.close();
});

test('PageCache begins again with a file that is damaged', () => {
  const file = cacheFile();
  writeFileSync(file, 'no database'.repeat(1_000));
  const cache = PageCache.open(file);
  expect(cache.get('text')).toBeUndefined();
  cache.close();
});

test('boundPageCache() deletes a file that has become too large, and no other', () => {
  const file = cacheFile();
  boundPageCache(file);
  writeFileSync(file, 'x'.repeat(100));
  boundPageCache(file, 100);
  expect(existsSync(file)).toBe(true);
  boundPageCache(file, 99);
  expect(existsSync(file)).toBe(false);
});
