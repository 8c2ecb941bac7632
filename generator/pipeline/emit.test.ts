import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { STAGE_FOLDER, Stage, isIndexFolder, removeFiles, staleFiles, stageOf } from './emit.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'stackyard-emit-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const PATHS = [
  'registry.json',
  'catalog.json',
  `catalog/${'0'.repeat(64)}.json`,
  'heads/a/b.json',
  'owners/a.json',
  'builds/a/b.json',
  'builds/a/b/1.0.0.json',
  'builds/a/b/1.0.0.tgz',
];

describe('Stage', () => {
  it('shows nothing before publish() and everything after', () => {
    const out = folder();
    const stage = new Stage(out);
    for (const path of PATHS) expect(stage.add(path, path)).toBe(true);
    for (const path of PATHS) expect(existsSync(join(out, path))).toBe(false);
    stage.publish();
    for (const path of PATHS) expect(readFileSync(join(out, path), 'utf8')).toBe(path);
    expect(existsSync(join(out, STAGE_FOLDER))).toBe(false);
  });

  it('add() answers false for bytes that are there already', () => {
    const out = folder();
    const stage = new Stage(out);
    stage.add('registry.json', 'same');
    stage.publish();
    expect(stage.add('registry.json', 'same')).toBe(false);
    expect(stage.add('registry.json', 'diff')).toBe(true);
  });

  // A folder in the way of one file stops the renames there: what came before shows the order.
  it.each([
    ['builds/a/b/1.0.0.tgz', []],
    ['builds/a/b/1.0.0.json', ['builds/a/b/1.0.0.tgz']],
    ['builds/a/b.json', ['builds/a/b/1.0.0.tgz', 'builds/a/b/1.0.0.json']],
    ['catalog.json', PATHS.filter((p) => p !== 'catalog.json' && p !== 'registry.json')],
    ['registry.json', PATHS.filter((p) => p !== 'registry.json')],
  ])('publish() that fails at %s has published only what that points to', (obstacle, published) => {
    const out = folder();
    const stage = new Stage(out);
    for (const path of PATHS) stage.add(path, path);
    mkdirSync(join(out, obstacle, 'in-the-way'), { recursive: true });
    expect(() => stage.publish()).toThrow(/EISDIR|ENOTEMPTY|ENOTDIR|EEXIST/);
    const visible = PATHS.filter((p) => p !== obstacle && existsSync(join(out, p)));
    expect(visible.sort()).toEqual([...published].sort());
  });

  it('add() refuses a path that the interface does not have', () => {
    expect(() => new Stage(folder()).add('../x', '')).toThrow('no path of the index');
  });
});

it('stageOf() puts pages after what they show and load, and before registry.json', () => {
  const inOrder = [
    'builds/a/b/1.0.0.tgz',
    'heads/a/b.json',
    'catalog.json',
    'assets/style-0123456789abcdef.css',
    'builds/a/b/feed.xml',
    'sitemap.xml',
    'builds/a/b/index.html',
    'registry.json',
  ];
  const stages = inOrder.map(stageOf);
  expect(new Set(stages).size).toBe(stages.length);
  expect(stages).toEqual(stages.toSorted((a, b) => a - b));
  const isBefore = (first: string, then: string): boolean => stageOf(first) < stageOf(then);
  expect(isBefore('advisories/x_A-1.json', 'advisories/x_A-1/index.html')).toBe(true);
});

describe('staleFiles() and removeFiles()', () => {
  it('remove what is not current, and never what is not ours', () => {
    const out = folder();
    const stage = new Stage(out);
    for (const path of PATHS) stage.add(path, path);
    stage.publish();
    writeFileSync(join(out, 'README.md'), 'kept');
    writeFileSync(join(out, 'builds/a/notes.txt'), 'kept');
    const stale = staleFiles(out, ({ kind }) => kind !== 'head' && kind !== 'tarball');
    expect(removeFiles(out, [...stale, ...stale, 'builds/a/gone.json'])).toBe(2);
    expect(existsSync(join(out, 'heads/a'))).toBe(false);
    expect(existsSync(join(out, 'builds/a/b/1.0.0.tgz'))).toBe(false);
    expect(existsSync(join(out, 'builds/a/b/1.0.0.json'))).toBe(true);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toBe('kept');
    expect(readFileSync(join(out, 'builds/a/notes.txt'), 'utf8')).toBe('kept');
  });
});

describe('isIndexFolder()', () => {
  it.each([
    [[], true],
    [['README.md'], true],
    [['registry.json', 'builds'], true],
    [['registry.json', 'package.json'], false],
    [['photo.jpg'], false],
  ])('%j: %s', (names, expected) => {
    const out = folder();
    for (const name of names) writeFileSync(join(out, name), '');
    expect(isIndexFolder(out)).toBe(expected);
  });

  it('takes a folder that does not exist yet', () => {
    expect(isIndexFolder(join(folder(), 'new'))).toBe(true);
  });
});
