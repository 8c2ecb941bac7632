import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceDigest } from './source-digest.ts';

const ENTRIES = [
  'scan/pack.ts',
  'generator/pipeline/examine.ts',
  'generator/site/code/highlighter.ts',
  'generator/pipeline/pipeline.ts',
];

it('is another one for each file, and the same one again', () => {
  const digests = ENTRIES.map((file) => sourceDigest(file));
  expect(new Set(digests).size).toBe(ENTRIES.length);
  expect(ENTRIES.map((file) => sourceDigest(file))).toEqual(digests);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

it('reads each kind of import that the sources have', () => {
  const root = join(import.meta.dirname, '..');
  const job = readFileSync(join(root, 'generator/pipeline/job.ts'), 'utf8');
  expect(job).toContain("import('./build-pages.ts')");
  expect(job).toContain("from './examine.ts'");
});
