import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DigestCache } from './digest-cache.ts';

const NOW = 1_000_000;
const OLD = { size: 3, ino: 7, ctimeMs: NOW - 60_000.5 };
const digest = (letter: string): string => letter.repeat(64);
let file = '';

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-digests-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  file = join(folder, 'digests');
});

/** One run: returns what it read itself. */
function run(
  files: Record<string, typeof OLD>,
  letter = 'a',
): { read: string[]; digests: string[] } {
  const cache = DigestCache.open(file, NOW);
  const read: string[] = [];
  const digests = Object.entries(files).map(([path, facts]) =>
    cache.digestOf(path, facts, () => {
      read.push(path);
      return digest(letter);
    }),
  );
  cache.save();
  return { read, digests };
}

describe('DigestCache', () => {
  it('reads a file once', () => {
    expect(run({ 'a b': OLD, c: OLD }).read).toEqual(['a b', 'c']);
    expect(run({ 'a b': OLD, c: OLD }, 'b')).toEqual({
      read: [],
      digests: [digest('a'), digest('a')],
    });
  });

  it.each([
    ['size', { ...OLD, size: 4 }],
    ['inode', { ...OLD, ino: 8 }],
    ['time', { ...OLD, ctimeMs: NOW - 50_000 }],
  ])('reads it again after a change of its %s', (_what, facts) => {
    run({ a: OLD });
    expect(run({ a: facts }, 'b')).toEqual({ read: ['a'], digests: [digest('b')] });
  });

  it('reads what changed just now again', () => {
    const fresh = { ...OLD, ctimeMs: NOW - 100 };
    run({ a: fresh });
    expect(run({ a: fresh }).read).toEqual(['a']);
  });

  it('forgets files that are gone, and ignores a file that is none of its own', () => {
    run({ a: OLD, b: OLD });
    run({ b: OLD, c: OLD });
    expect(run({ a: OLD }).read).toEqual(['a']);
    writeFileSync(file, 'nonsense\n\0\n');
    expect(run({ b: OLD }).read).toEqual(['b']);
  });
});
