// What the Dockerfile copies is all that the service imports.

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, copiedSources, ignoreLines, ignoreRules } from '../tests/foundations/dockerfile.ts';

const FILE = 'auth-service/Dockerfile';
const isIgnored = ignoreRules(ignoreLines(ROOT, FILE));
const SOURCES = copiedSources(ROOT, FILE);

/** The files that `file` imports, directly or not, as paths in the repository. */
function filesFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(ROOT, file), 'utf8');
  for (const [, address = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
    filesFrom(relative(ROOT, join(ROOT, dirname(file), address.replace(/\.js$/, '.ts'))), found);
  }
  return found;
}

test('every file that the service imports is copied', () => {
  const files = filesFrom('auth-service/main.ts');
  expect(files).toContain('builds/stackyard/account/routes.ts');
  for (const file of [...files, 'auth-service/tsconfig.json']) {
    const isCopied = SOURCES.some((source) => `${file}/`.startsWith(`${source}/`));
    expect([file, isCopied, isIgnored(file)]).toEqual([file, true, false]);
  }
});

test('results and secrets stay out', () => {
  expect(isIgnored('auth-service/dist/main.js')).toBe(true);
  expect(isIgnored('auth-service/node_modules/pg/package.json')).toBe(true);
  expect(isIgnored('.env')).toBe(true);
});
