/** Every path and link in the documentation leads to a file or folder that exists. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGES = fastGlob.sync(
  ['*.md', 'docs/*.md', 'client/README.md', 'scan/README.md', '.github/*.md'],
  { cwd: ROOT, dot: true, ignore: ['CHANGELOG.md'] },
);
/** A path that begins with a folder of this repository; the folder alone is a word. */
const PATH =
  /^(?:format|scan|generator|client|auth-service|tools|tests|bench|docs|schemas|\.github)\/[\w@.*{},<>/-]+$/;
/** Made by commands, so not there in a fresh clone. */
const GENERATED = /^(?:client|generator|auth-service)\/dist(?:\/|$)/;

test.each(PAGES)('%s names only paths that exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const paths = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '));
  const missing = paths.filter((path) => PATH.test(path) && !isPlaceholder(path) && !exists(path));
  expect(missing).toEqual([]);
});

test.each(PAGES)('%s links only to files that exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

function isPlaceholder(path: string): boolean {
  return /[<>]|\.\.\.$/.test(path) || GENERATED.test(path);
}

function exists(path: string): boolean {
  if (/[*{]/.test(path)) return fastGlob.sync(path, { cwd: ROOT, dot: true }).length > 0;
  return existsSync(join(ROOT, path));
}
