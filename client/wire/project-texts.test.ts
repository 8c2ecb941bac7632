import { describe, expect, it } from 'vitest';
import { projectOf } from '../../tests/client/wire-fixture.ts';
import { resolveModule } from './resolve-module.ts';

describe('ProjectTexts', () => {
  it('reads changes before what is on disk, and forgets those of a copy', () => {
    const texts = projectOf({ 'a.ts': 'one' });
    const trial = texts.copy();
    trial.set('a.ts', 'two');
    trial.set('b.ts', 'new');
    expect([trial.get('a.ts'), texts.get('a.ts'), texts.get('b.ts')]).toEqual([
      'two',
      'one',
      undefined,
    ]);
    trial.set('a.ts', undefined);
    expect(trial.get('a.ts')).toBeUndefined();
    expect([...trial.changes().keys()]).toEqual(['a.ts', 'b.ts']);
  });

  it('reads the file that a module name stands for', () => {
    const texts = projectOf({ 'src/a.ts': 'a', 'src/b/index.ts': 'b' });
    expect(texts.readModule('src/a.ts', './b')).toEqual({ path: 'src/b/index.ts', text: 'b' });
    expect(texts.readModule('src/a.ts', 'express')).toBeUndefined();
  });
});

const FILES = ['src/a.ts', 'src/b/index.ts', 'src/c.tsx', 'd.mjs'];
const ALIASES = { aliases: [{ pattern: '@/*', targets: ['src/*'] }], baseUrl: undefined };

describe('resolveModule()', () => {
  it.each([
    ['./a', 'src/a.ts'],
    ['./a.js', 'src/a.ts'],
    ['./a.ts', 'src/a.ts'],
    ['./b', 'src/b/index.ts'],
    ['./c.jsx', 'src/c.tsx'],
    ['../d.mjs', 'd.mjs'],
    ['@/a', 'src/a.ts'],
    ['express', undefined],
    ['../../out', undefined],
  ])('%s is %s', (name, path) => {
    expect(resolveModule('src/x.ts', name, ALIASES, (one) => FILES.includes(one))).toBe(path);
  });
});
