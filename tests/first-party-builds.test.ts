/** What the builds of this repository hold to: their number, their size, and lines that fit a screen. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTestPath } from '../scan/text/decode-text.ts';

const BUILDS = join(import.meta.dirname, '../builds/stackyard');
const NUMBER = 16;
/** Of code and styles, without tests; guides, manifests and settings beside them. */
const MAX_CODE_LINES = 14_000;
const MAX_OTHER_LINES = 5_300;
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

test('there are sixteen, within their budget of lines', () => {
  const manifests = files.filter((path) => /^[^/]+\/stackyard\.json$/.test(path));
  expect(manifests).toHaveLength(NUMBER);
  const shipped = files.filter((path) => !isTestPath(path) && !path.endsWith('package-lock.json'));
  const [code, others] = [true, false].map((isCode) =>
    shipped
      .filter((path) => /\.(?:tsx?|py|css|html|js)$/.test(path) === isCode)
      .reduce((sum, path) => sum + linesOf(path).length - 1, 0),
  );
  expect(code).toBeLessThanOrEqual(MAX_CODE_LINES);
  expect(others).toBeLessThanOrEqual(MAX_OTHER_LINES);
});

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
