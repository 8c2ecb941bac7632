/** Files of the first-party builds, as oxfmt formats it by default and in another style. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { some } from '../../../tests/run/runs.ts';
import { compareSources } from './compare-sources.ts';

const BUILDS = join(import.meta.dirname, '../../../builds/stackyard');
// The tests of the builds are many and alike; the long tests format them with other programs too.
const ALL = readdirSync(BUILDS, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|json)$/.test(path))
  // Formatters sort package.json, which a merge takes by its entries.
  .filter((path) => !/node_modules|\.test\.ts$|package\.json$/.test(path))
  .sort();
const FILES = some(ALL);

const STYLES = [{}, { semi: false, singleQuote: true, useTabs: true, printWidth: 60 }] as const;

test('compareSources() finds no edit in a file of a first-party build that oxfmt formatted', async () => {
  const edited: string[] = [];
  let changed = 0;
  for (const path of FILES) {
    const text = readFileSync(join(BUILDS, path), 'utf8');
    for (const style of STYLES) {
      const { code } = await format(path, text, style);
      if (code !== text) changed += 1;
      const { kind } = await compareSources(path, Buffer.from(text), Buffer.from(code));
      if (kind !== 'same') edited.push(path);
    }
  }
  expect(edited).toEqual([]);
  expect(changed).toBeGreaterThan(FILES.length);
});
