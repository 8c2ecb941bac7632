/** What each Dockerfile of the repository copies is there, and in the context of its build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, copiedSources, dockerfiles, ignoreLines, ignoreRules } from './dockerfile.ts';

test.each(dockerfiles())('$path copies what is there and not ignored', ({ context, file }) => {
  const folder = join(ROOT, context);
  const isIgnored = ignoreRules(ignoreLines(folder, file));
  const sources = copiedSources(folder, file);
  expect(sources.length).toBeGreaterThan(2);
  for (const source of sources) {
    // A project has it, and a build does not.
    const isThere = existsSync(join(folder, source)) || source === 'package-lock.json';
    expect([source, isThere, isIgnored(source)]).toEqual([source, true, false]);
  }
});

test('of rules that match a path or a folder above it, the last one decides', () => {
  const isIgnored = ignoreRules(['*', '!src', '!a/b', '**/*.test.ts', '/c?']);
  const out = ['x', 'src/a.test.ts', 'a', 'a/c', 'cd/e'];
  const kept = ['src', 'src/a.ts', 'src/deep/a.ts', 'a/b', 'a/b/c'];
  expect([...out, ...kept].filter(isIgnored)).toEqual(out);
});
