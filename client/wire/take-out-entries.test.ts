import { describe, expect, it } from 'vitest';
import type { LockedWiring } from '../../format/project/lock.ts';
import { takeOutEntries, withoutWiring } from './take-out-entries.ts';
import { projectOf } from '../../tests/client/wire-fixture.ts';

const common = {
  step: 1,
  target: 'a.ts',
  file: 'a.ts',
  block: 'sha256-x',
  action: 'added',
} as const;
const INSERT: LockedWiring = { ...common, verb: 'insert', anchor: 'routes', text: '\nmount();' };
const FILE: LockedWiring = { ...common, verb: 'file', file: 'src/b.ts', text: 'one();\n' };
const LINES: LockedWiring = { ...common, verb: 'lines', file: 'src/x.txt', text: 'data/\n' };

describe('takeOutEntries()', () => {
  it('takes out what is as it was put in, and deletes files without a rest', () => {
    const texts = projectOf({
      'a.ts': 'a();\nmount();\n',
      'src/b.ts': 'one()\n',
      'src/x.txt': 'data/\n',
    });
    const entries = takeOutEntries('a/b', [INSERT, FILE, LINES], texts);
    expect(entries.map(({ action }) => action)).toEqual(['removed', 'removed', 'removed']);
    expect(Object.fromEntries(texts.changes())).toEqual({
      'a.ts': 'a();\n',
      'src/b.ts': undefined,
      'src/x.txt': undefined,
    });
  });

  it('leaves and names what was changed, and never touches what the project had', () => {
    const texts = projectOf({
      'a.ts': 'mount(1);\n',
      'src/b.ts': 'two();\n',
      'src/x.txt': 'data/\n',
    });
    const kept = { ...LINES, action: 'kept' as const };
    const entries = takeOutEntries('a/b', [INSERT, FILE, kept], texts);
    expect(entries.map(({ action, file }) => [action, file])).toEqual([
      ['left', 'a.ts'],
      ['left', 'src/b.ts'],
    ]);
    expect(texts.changes().size).toBe(0);
  });

  it('deletes no file whose whole text the lock states where a yes wrote it', () => {
    const project = { Makefile: 'all:\n', 'app.js': 'start();\n' };
    const texts = projectOf(project);
    const locked = Object.entries(project).map(([file, text]): LockedWiring => {
      return { ...common, verb: 'file', file, target: file, text };
    });
    const entries = takeOutEntries('a/b', locked, texts);
    expect(entries.map(({ action, why }) => [action, why?.includes('delete it yourself')])).toEqual(
      [
        ['left', true],
        ['left', true],
      ],
    );
    expect(texts.changes().size).toBe(0);
  });
});

describe('withoutWiring()', () => {
  it('is the text before, or undefined where some of it was changed', () => {
    expect(withoutWiring('a();\nmount();\n', [INSERT])).toBe('a();\n');
    expect(withoutWiring('a();\nmount(1);\n', [INSERT])).toBeUndefined();
  });
});
