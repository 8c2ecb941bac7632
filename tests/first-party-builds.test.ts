/** What the builds of this repository hold to: lines that fit a screen, and titles. `tools/budget.json` has their number and size. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const BUILDS = join(import.meta.dirname, '../builds/stackyard');
const MAX_COLUMNS = 120;

const files = globSync('*/**', { cwd: BUILDS, withFileTypes: true, exclude: isMade })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(BUILDS.length + 1))
  .sort();

function isMade({ name }: { readonly name: string }): boolean {
  return /^(?:node_modules|dist|__pycache__|\.venv|\.pytest_cache)$/.test(name);
}

function linesOf(path: string): string[] {
  return readFileSync(join(BUILDS, path), 'utf8').split('\n');
}

test('no line is wider than a screen: rows of tables and lines with an address may be', () => {
  const wide = files
    .filter((path) => /\.(?:ts|tsx|py|css|md)$/.test(path))
    .flatMap((path) =>
      linesOf(path).flatMap((line, at) => {
        const isFree =
          /https?:\/\/\S{60}/.test(line) || (path.endsWith('.md') && /^ *\|/.test(line));
        return line.length > MAX_COLUMNS && !isFree ? [`${path}:${at + 1}`] : [];
      }),
    );
  expect(wide).toEqual([]);
});

test('titles of guides name no version, which would be forgotten', () => {
  const titles = files
    .filter((path) => /^[^/]+\/INTEGRATION\.md$/.test(path))
    .map((path) => linesOf(path)[0] ?? '');
  expect(titles.length).toBeGreaterThan(0);
  expect(titles.filter((title) => !/^# Integrate stackyard\/[a-z-]+$/.test(title))).toEqual([]);
});
