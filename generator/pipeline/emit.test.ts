import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writingOrder } from '../../format/index/layout.ts';
import { STAGE_FOLDER, Stage, isIndexFolder, removeFiles, staleFiles } from './emit.ts';
import { dropRetired } from './retired-files.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'stackyard-emit-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const DOCUMENT = `documents/${'0'.repeat(64)}.json`;
/** In the order of writing. */
const PATHS = [
  'builds/a/b/1.0.0.tgz',
  `catalog/${'0'.repeat(64)}.json`,
  DOCUMENT,
  'builds/a/b.json',
  'heads/a/b.json',
  'index.html',
  'registry.json',
  'log/checkpoint',
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
  it.each([DOCUMENT, 'heads/a/b.json', 'index.html', 'registry.json', 'log/checkpoint'])(
    'publish() that fails at %s has published nothing that comes later',
    (obstacle) => {
      const out = folder();
      const stage = new Stage(out);
      for (const path of PATHS) stage.add(path, path);
      mkdirSync(join(out, obstacle, 'in-the-way'), { recursive: true });
      expect(() => stage.publish()).toThrow(/EISDIR|ENOTEMPTY|ENOTDIR|EEXIST/);
      const order = (path: string): number => writingOrder(path);
      const later = PATHS.filter((path) => order(path) > order(obstacle));
      const earlier = PATHS.filter((path) => order(path) < order(obstacle));
      expect(later.filter((path) => existsSync(join(out, path)))).toEqual([]);
      expect(earlier.filter((path) => !existsSync(join(out, path)))).toEqual([]);
    },
  );

  it('add() refuses a path that the interface does not have', () => {
    expect(() => new Stage(folder()).add('../x', '')).toThrow('no path of the index');
  });
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
    expect(existsSync(join(out, 'builds/a/b.json'))).toBe(true);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toBe('kept');
    expect(readFileSync(join(out, 'builds/a/notes.txt'), 'utf8')).toBe('kept');
  });
});

describe('removeFiles()', () => {
  it('keeps what an earlier checkpoint leads to for a day, unless something is taken down', () => {
    const out = folder();
    const stage = new Stage(out);
    const publish = (): void => {
      for (const path of PATHS) stage.add(path, path);
      stage.publish();
    };
    const retired = join(out, '.retired', DOCUMENT);
    publish();
    removeFiles(out, [DOCUMENT, 'heads/a/b.json']);
    expect(readFileSync(retired, 'utf8')).toBe(DOCUMENT);
    expect(existsSync(join(out, '.retired/heads'))).toBe(false);
    dropRetired(out);
    expect(existsSync(retired)).toBe(true);
    const old = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(retired, old, old);
    dropRetired(out);
    expect(existsSync(retired)).toBe(false);
    publish();
    removeFiles(out, [DOCUMENT], true);
    expect(existsSync(retired)).toBe(false);
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
