/** Every path and link in the documentation, and every file that a comment names, exists. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
/** A TypeScript file that is named without its folder. */
const SHORT_NAME = /`([\w.-]+\.ts)`/g;
const OURS = /^(?:format|scan|generator|client|auth-service|tools|bench|tests)\/.*\.ts$/;
/** Names of files in users' projects, which explanations mention. */
const OF_PROJECTS = new Set(['a.ts', 'b.ts', 'db.ts', 'x.ts']);

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

test('DESIGN.md and the comments of the sources name only files that exist', () => {
  const files = fastGlob.sync('**/*.{ts,js,mjs,md}', {
    cwd: ROOT,
    dot: true,
    ignore: ['**/node_modules/**', '**/dist/**', 'index/**', 'builds/**', '.git/**'],
  });
  const known = new Set(files.map((file) => basename(file)));
  const sources = files.filter((file) => OURS.test(file) && !file.endsWith('.test.ts'));
  const missing = sources.flatMap((file) =>
    [...comments(readFileSync(join(ROOT, file), 'utf8')).matchAll(SHORT_NAME)]
      .filter(([, name = '']) => !known.has(basename(name)) && !OF_PROJECTS.has(basename(name)))
      .map(([, name = '']) => `${file}: ${name}`),
  );
  const design = readFileSync(join(ROOT, 'DESIGN.md'), 'utf8');
  const inDesign = [...design.matchAll(SHORT_NAME)]
    .filter(([, name = '']) => !known.has(basename(name)) && !OF_PROJECTS.has(basename(name)))
    .map(([, name = '']) => `DESIGN.md: ${name}`);
  expect([...missing, ...inDesign]).toEqual([]);
});

test('every product has an owner, and every owned path exists', () => {
  const owned = readFileSync(join(ROOT, '.github/CODEOWNERS'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.split(/\s/)[0]!.slice(1));
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(owned).toEqual(expect.arrayContaining(workspaces.map((name: string) => `${name}/`)));
  const made = new Set(['moderation/']);
  expect(owned.filter((path) => !made.has(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

/** The text of block and line comments. */
function comments(text: string): string {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)]
    .map(([comment]) => comment)
    .join('\n');
}

function isPlaceholder(path: string): boolean {
  return /[<>]|\.\.\.$/.test(path) || GENERATED.test(path);
}

function exists(path: string): boolean {
  if (/[*{]/.test(path)) return fastGlob.sync(path, { cwd: ROOT, dot: true }).length > 0;
  return existsSync(join(ROOT, path));
}
