// What the Dockerfile copies: it must be there, not be ignored, and be all that the service imports.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const linesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter(Boolean);

const SOURCES = linesOf('Dockerfile').flatMap((line) => {
  const words = /^COPY (?!--from)(.*)$/.exec(line)?.[1]?.split(' ') ?? [];
  return words.slice(0, -1);
});

/** As Docker does: of the patterns that match a path or a folder above it, the last one decides. */
function isIgnored(path: string): boolean {
  let isOut = false;
  for (const line of linesOf('Dockerfile.dockerignore')) {
    const pattern = line.replace('!', '');
    if (pattern === '*' || `${path}/`.startsWith(`${pattern}/`)) isOut = !line.startsWith('!');
  }
  return isOut;
}

const isInside = (file: string, source: string) => `${file}/`.startsWith(`${source}/`);

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

test.each(SOURCES)('%s is there and in the context of the build', (source) => {
  expect(existsSync(join(ROOT, source))).toBe(true);
  expect(isIgnored(source)).toBe(false);
});

test('every file that the service imports is copied', () => {
  const files = filesFrom('auth-service/main.ts');
  expect(files).toContain('builds/stackyard/account/routes.ts');
  for (const file of [...files, 'auth-service/tsconfig.json']) {
    expect(
      SOURCES.some((source) => isInside(file, source)),
      file,
    ).toBe(true);
    expect(isIgnored(file), file).toBe(false);
  }
});

test('every folder of a build that is copied is needed', () => {
  const files = [...filesFrom('auth-service/main.ts')];
  for (const source of SOURCES.filter((each) => each.startsWith('builds/'))) {
    expect(
      files.some((file) => isInside(file, source)),
      source,
    ).toBe(true);
  }
});

test('packages are installed when the manifest of the service is there, and results stay out', () => {
  const lines = linesOf('Dockerfile');
  const install = lines.findIndex((line) => line.startsWith('RUN npm ci'));
  const manifest = lines.findIndex((line) => line.startsWith('COPY auth-service/package.json'));
  expect(manifest).toBeGreaterThan(0);
  expect(manifest).toBeLessThan(install);
  expect(isIgnored('auth-service/dist/main.js')).toBe(true);
  expect(isIgnored('.env')).toBe(true);
});
