import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FINDING_TEXTS } from '../format/finding/catalogue.ts';
import { SCHEMA_NAMES } from '../format/index/layout.ts';
import { updateFiles } from './generated-file.ts';
import { findingsPage } from './write-docs.ts';
import { schemaFiles } from './write-schemas.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stackyard-generated-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

const FILES = [
  { path: 'a.txt', text: 'a\n' },
  { path: 'sub/b.txt', text: 'b\n' },
];

test('updateFiles() writes what is missing or differs, and nothing twice', () => {
  writeFileSync(join(root, 'a.txt'), 'old\n');
  expect(updateFiles(root, FILES, false)).toEqual(['a.txt', 'sub/b.txt']);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\n');
  expect(updateFiles(root, FILES, false)).toEqual([]);
});

test('updateFiles() names the stale files and writes nothing when it checks', () => {
  writeFileSync(join(root, 'a.txt'), 'a\n');
  expect(updateFiles(root, FILES, true)).toEqual(['sub/b.txt']);
  expect(existsSync(join(root, 'sub'))).toBe(false);
});

test('schemaFiles() has one file for each schema, in two spaces with a final newline', () => {
  expect(schemaFiles().map((file) => file.path)).toEqual(
    SCHEMA_NAMES.map((name) => `schemas/${name}.schema.json`),
  );
  for (const { text } of schemaFiles()) expect(text).toMatch(/^\{\n {2}"\$schema"[^]*\n\}\n$/);
});

test('findingsPage() has every code once', () => {
  const codes = [...findingsPage().matchAll(/^### `(.+)`$/gm)].map(([, code]) => code);
  expect(codes.length).toBe(Object.keys(FINDING_TEXTS).length);
  expect(new Set(codes)).toEqual(new Set(Object.keys(FINDING_TEXTS)));
});
