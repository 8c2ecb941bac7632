import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { integrityOf } from '../../format/archive/integrity.ts';
import { parseLock, type Lock } from '../../format/project/lock.ts';
import { runs } from '../../tests/run/runs.ts';
import { buildsToCompare, findMovedFiles, foldersOfBuilds, movedNotes } from './moved-files.ts';
import { relocateLock } from './relocate-lock.ts';
import type { FetchedBuild } from './plan.ts';

type Texts = Readonly<Record<string, string>>;

/** A lock with one build `a/x` in `base`, which was placed with these files. */
function lockOf(files: Texts, base = 'src/x', kind: 'module' | 'foundation' = 'module'): Lock {
  const listed = Object.entries(files).map(([from, text]) => [
    base === '' ? from : `${base}/${from}`,
    { from, integrity: integrityOf(Buffer.from(text)), mode: '644' },
  ]);
  const build = {
    version: '1.0.0',
    kind,
    integrity: integrityOf(Buffer.from('tarball')),
    required_by: [],
    license: 'MIT',
    base,
    requires: {},
    provides: [],
    builds: {},
    files: Object.fromEntries(listed) as object,
    npm: {},
    pip: {},
    scripts: {},
    env: {},
    registry: 'default',
  };
  const lock = { lockVersion: 2, registries: { default: { address: 'https://r.example' } } };
  return parseLock(Buffer.from(JSON.stringify({ ...lock, builds: { 'a/x': build } })), 'lock');
}

function shippedOf(files: Texts): Map<string, FetchedBuild> {
  const bytes = Object.entries(files).map(([from, text]) => {
    return [from, { bytes: Buffer.from(text), executable: false }] as const;
  });
  return new Map([['a/x', { id: 'a/x', files: new Map(bytes) } as unknown as FetchedBuild]]);
}

/** Old path to new one. */
function find(lock: Lock, project: Texts, shipped: Texts = {}): Record<string, string> {
  const listed = new Set(Object.keys(lock.builds['a/x']!.files));
  const all = Object.entries(project).map(([path, text]) => [path, Buffer.from(text)] as const);
  const present = new Map(all.filter(([path]) => listed.has(path)));
  const others = new Map(all.filter(([path]) => !listed.has(path)));
  const moved = findMovedFiles(lock, shippedOf(shipped), present, () => others);
  return Object.fromEntries(moved.map(({ path, to }) => [path, to]));
}

const LINES = (name: string): string =>
  Array.from({ length: 10 }, (_, at) => `${name} line ${at}\n`).join('');

describe('findMovedFiles()', () => {
  it('finds nothing, and reads no other file, where every file is at its place', () => {
    const lock = lockOf({ 'a.ts': 'a\n' });
    const present = new Map([['src/x/a.ts', Buffer.from('edited\n')]]);
    const others = (): never => {
      throw new Error('read');
    };
    expect(findMovedFiles(lock, new Map(), present, others)).toEqual([]);
  });

  it('finds files by digest; among equal ones the one with more of the path in common', () => {
    const lock = lockOf({ 'http/index.ts': 'same\n', 'log/index.ts': 'same\n' });
    const project = {
      'lib/log/index.ts': 'same\n',
      'lib/http/index.ts': 'same\n',
      'z.ts': 'same\n',
    };
    expect(find(lock, project)).toEqual({
      'src/x/http/index.ts': 'lib/http/index.ts',
      'src/x/log/index.ts': 'lib/log/index.ts',
    });
  });

  it.each([
    ['an edited file by similarity', { 'b.ts': `${LINES('a')}edit\n` }, 'b.ts'],
    [
      'one with other folders in its imports',
      { 'y/a.ts': LINES('a').replace('./q', '../../q') },
      'y/a.ts',
    ],
    [
      'no file that has less than half of it',
      { 'b.ts': LINES('b') + LINES('a').slice(0, 30) },
      undefined,
    ],
    ['no compiled file', { 'b.js': LINES('a') }, 'b.js'],
    ['no file of the project itself', { 'package.json': LINES('a') }, undefined],
    ['no file where none may be written', { '.git/a.ts': LINES('a') }, undefined],
  ])('finds %s', (what, project, to) => {
    const text = `import { q } from './q.js';\n${LINES('a')}`;
    const isCompiled = what.includes('compiled');
    const there = Object.entries(project as Texts).map(([path, now]) => {
      return [path, isCompiled ? `${now}compiled\n` : now];
    });
    const found = find(lockOf({ 'a.ts': text }), Object.fromEntries(there) as Texts, {
      'a.ts': text,
    });
    const expected = isCompiled || to === undefined ? {} : { 'src/x/a.ts': to };
    expect(found).toEqual(expected);
  });

  it('finds swapped names, and a file that left its name to another one', () => {
    const files = { 'a.ts': LINES('a'), 'b.ts': LINES('b') };
    const swapped = { 'src/x/a.ts': `${LINES('b')}edit\n`, 'src/x/b.ts': LINES('a') };
    expect(find(lockOf(files), swapped, files)).toEqual({
      'src/x/a.ts': 'src/x/b.ts',
      'src/x/b.ts': 'src/x/a.ts',
    });
    const left = {
      'src/x/a.ts': "export * from './in/a.js';\n",
      'src/x/in/a.ts': LINES('a'),
      'src/x/b.ts': LINES('b'),
    };
    expect(find(lockOf(files), left, files)).toEqual({ 'src/x/a.ts': 'src/x/in/a.ts' });
  });

  it('takes what is where the folder went for the file, however much was edited', () => {
    const files = { 'h/a.ts': LINES('a'), 'h/b.ts': LINES('b') };
    const project = { 'lib/h/a.ts': LINES('a'), 'lib/h/b.ts': 'rewritten\n' };
    expect(find(lockOf(files), project, files)).toEqual({
      'src/x/h/a.ts': 'lib/h/a.ts',
      'src/x/h/b.ts': 'lib/h/b.ts',
    });
  });

  it('leaves a file that was rewritten at its place', () => {
    const files = { 'a.ts': LINES('a') };
    expect(find(lockOf(files), { 'src/x/a.ts': LINES('new'), 'o.ts': LINES('o') }, files)).toEqual(
      {},
    );
  });

  it('finds what any renaming has moved, each once', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-d]{1,2}\/[a-d]{1,3}\.ts$/), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, fc.func(fc.constantFrom('p', 'q', 'r')), (paths, folder) => {
        const files = Object.fromEntries(paths.map((path) => [path, LINES(path)]));
        const to = (path: string): string => `${folder(path)}/${path.replace('/', '-')}`;
        const project = Object.fromEntries(paths.map((path) => [to(path), LINES(path)]));
        const expected = Object.fromEntries(paths.map((path) => [`src/x/${path}`, to(path)]));
        expect(find(lockOf(files), project)).toEqual(expected);
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('relocateLock()', () => {
  const filesOf = (lock: Lock, moves: Texts, there: readonly string[]): Record<string, string> => {
    const moved = Object.entries(moves).map(([path, to]) => ({ build: 'a/x', path, to }));
    const next = relocateLock(lock, moved, (path) => there.includes(path)).builds['a/x']!;
    const { to } = next.placement ?? {};
    const files = Object.entries(next.files).map(([path, { from }]) => [from, path]);
    return { ...(Object.fromEntries(files) as Texts), ...(to === undefined ? {} : { to }) };
  };

  it('places a module whose files all moved to one folder there', () => {
    const lock = lockOf({ 'a.ts': 'a\n', 'in/b.ts': 'b\n' });
    const moves = { 'src/x/a.ts': 'lib/y/a.ts', 'src/x/in/b.ts': 'lib/y/in/b.ts' };
    expect(filesOf(lock, moves, [])).toEqual({
      'a.ts': 'lib/y/a.ts',
      'in/b.ts': 'lib/y/in/b.ts',
      to: 'lib/y',
    });
  });

  it('takes deleted files along with their folder', () => {
    const lock = lockOf({ 'h/a.ts': 'a\n', 'h/b.ts': 'b\n', 'c.ts': 'c\n' });
    expect(filesOf(lock, { 'src/x/h/a.ts': 'lib/h/a.ts' }, ['src/x/c.ts'])).toEqual({
      'h/a.ts': 'lib/h/a.ts',
      'h/b.ts': 'lib/h/b.ts',
      'c.ts': 'src/x/c.ts',
    });
  });

  it('keeps a deletion apart from the file that took its name', () => {
    const lock = lockOf({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.ts': 'c\n' });
    const there = ['src/x/b.ts', 'src/x/c.ts'];
    expect(filesOf(lock, { 'src/x/a.ts': 'src/x/b.ts' }, there)).toEqual({
      'a.ts': 'src/x/b.ts',
      'b.ts': 'src/x/a.ts',
      'c.ts': 'src/x/c.ts',
    });
  });
});

it('movedNotes() has one line for a folder, and one for a renamed file', () => {
  const moved = [
    { build: 'a/x', path: 'src/h/a.ts', to: 'lib/h/a.ts' },
    { build: 'a/x', path: 'src/h/b.ts', to: 'lib/h/b.ts' },
    { build: 'a/x', path: 'src/log.ts', to: 'src/logger.ts' },
  ];
  expect(movedNotes(moved).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'lib/h: you moved 2 files of src/h here: changes follow',
    'src/logger.ts: you moved src/log.ts here: changes follow',
  ]);
});

it('buildsToCompare() has builds that miss files; foldersOfBuilds() all folders of files', () => {
  const lock = lockOf({ 'h/a.ts': 'a\n' });
  expect([...buildsToCompare(lock, () => true)]).toEqual([]);
  expect([...buildsToCompare(lock, () => false)]).toEqual(['a/x']);
  expect([...foldersOfBuilds(lock)]).toEqual(['src/x/h', 'src/x', 'src']);
});
