import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { differentPaths, readTree } from './file-tree.ts';

const project = mkdtempSync(join(tmpdir(), 'stackyard-tree-'));
afterEach(() => rmSync(project, { recursive: true, force: true }));

test('differentPaths() reports changed, added and removed files, and none of tools', () => {
  for (const folder of ['src', 'node_modules/a', 'data']) {
    mkdirSync(join(project, folder), { recursive: true });
  }
  const write = (path: string, text: string): void => writeFileSync(join(project, path), text);
  write('src/same.ts', 'a');
  write('src/changed.ts', 'a');
  write('src/removed.ts', 'a');
  write('data/db.json', '1');
  const before = readTree(project, ['data/db.json']);
  write('src/changed.ts', 'b');
  rmSync(join(project, 'src/removed.ts'));
  write('src/added.ts', 'a');
  write('node_modules/a/index.js', '');
  write('data/db.json', '2');
  expect(differentPaths(before, readTree(project, ['data/db.json']))).toEqual([
    'src/added.ts',
    'src/changed.ts',
    'src/removed.ts',
  ]);
  expect(differentPaths(before, before)).toEqual([]);
});
