/** The guides of our own builds, at every version that was published, read as they were written. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatWireInfo } from '../format/wiring/wire-info.ts';
import { parseWiring } from '../format/wiring/wiring.ts';

const ROOT = join(import.meta.dirname, '..');
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', maxBuffer: 100_000_000 });

/** Digests of the guides with their places: a clone without history has those of its commit. */
const guides = new Map(
  git(
    'log',
    '--raw',
    '--no-abbrev',
    '-m',
    '--first-parent',
    '--format=',
    '--',
    'builds/stackyard/*/INTEGRATION.md',
  )
    .split('\n')
    .flatMap((line) => {
      const [, oid = '', path = ''] = /^:\S+ \S+ \S+ (\w{40}) [AM]\t(\S+)$/.exec(line) ?? [];
      return oid === '' ? [] : [[oid, path] as const];
    }),
);

test.each([...guides])('%s %s', (oid) => {
  const guide = git('cat-file', 'blob', oid);
  // What is written is clear: each of these is a wired fence of a step.
  const written = Array.from(
    guide.matchAll(/^ *(`{3,}|~{3,})(\w+ wire \S.*)\n([^]*?)^ *\1$/gm),
    ([, , info = '', text = '']) => `${info}\n${text.replaceAll(/^ {1,3}/gm, '')}`,
  );
  const { steps, findings } = parseWiring(guide);
  const read = steps.flatMap(({ alternatives }) =>
    alternatives.flat().map((block) => `${formatWireInfo(block)}\n${block.text}`),
  );
  expect(findings).toEqual([]);
  expect(read).toEqual(written);
});

test('some of them have wired steps', () => {
  const texts = [...guides.keys()].map((oid) => git('cat-file', 'blob', oid));
  expect(texts.filter((text) => parseWiring(text).steps.length > 0).length).toBeGreaterThan(0);
});

const newest = globSync('builds/stackyard/*/INTEGRATION.md', { cwd: ROOT });

test.each(newest)('%s has what a command prints in front of its exit status', (path) => {
  // Code behind it would be expected as output.
  expect(readFileSync(join(ROOT, path), 'utf8')).not.toMatch(/exit status \d[^|\n]*`/);
});
