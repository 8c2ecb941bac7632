/** Files of a project that are in the way of a new build: every decision, for all files and for single ones. */
import { describe, expect, test } from 'vitest';
import { fetched, makePlan, remove, start } from '../../tests/client/edited-project-fixture.ts';
import { FilesInTheWay } from './existing-file.ts';
import type { MadePlan, OnExists } from './plan.ts';

const BINARY = Uint8Array.of(1, 0, 2);

const build = {
  ...fetched('a/x', { base: 'src' }),
  files: new Map(
    Object.entries({ 'a.ts': 'shipped a\n', 'b.ts': 'shipped b\n', 'c.ts': 'one\ntwo\n' }).map(
      ([path, text]) => [path, { bytes: Buffer.from(text), executable: false }] as const,
    ),
  ),
};

function plan(
  files: Record<string, string | Uint8Array>,
  onExists: OnExists,
  at: Record<string, OnExists> = {},
  reformatted: readonly string[] = [],
): MadePlan {
  return makePlan({
    builds: [build],
    project: new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
    on_exists: onExists,
    on_exists_at: at,
    reformatted: new Set(reformatted),
  });
}

function actions({ plan: { files } }: MadePlan): Record<string, string> {
  return Object.fromEntries(files.map(({ path, action }) => [path, action]));
}

function errorOf(action: () => unknown): FilesInTheWay {
  try {
    action();
  } catch (error) {
    if (error instanceof FilesInTheWay) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a file in the way', () => {
  const files = { 'src/a.ts': 'mine a\n', 'src/b.ts': 'mine b\n' };

  test('is an error that names every file, and what decides', () => {
    const { message, hint, files: found } = errorOf(() => plan(files, 'fail'));
    expect(message).toContain('src/a.ts, src/b.ts');
    expect(hint).toMatch(/skip:src\/a\.ts .*theirs:src\/a\.ts .*merge:src\/a\.ts .*--to <folder>/);
    expect(found.map(({ canMerge }) => canMerge)).toEqual([true, true]);
  });

  test('is decided by its path before the decision for all', () => {
    const made = plan(files, 'theirs', { 'src/a.ts': 'skip' });
    expect(actions(made)).toEqual({
      'src/a.ts': 'skip',
      'src/b.ts': 'replace',
      'src/c.ts': 'create',
    });
    expect(made.changes.map(({ path }) => path)).toEqual(['src/b.ts', 'src/c.ts']);
    expect(made.plan.choices.on_exists_at).toEqual({ 'src/a.ts': 'skip' });
    const rest = errorOf(() => plan(files, 'fail', { 'src/a.ts': 'skip' }));
    expect(rest.files.map(({ path }) => path)).toEqual(['src/b.ts']);
  });

  test('is merged between markers, and counts as placed by the build', () => {
    const made = plan(files, 'fail', { 'src/a.ts': 'merge', 'src/b.ts': 'skip' });
    const [change] = made.changes;
    expect(Buffer.from(change!.bytes!).toString()).toBe(
      '<<<<<<< yours\nmine a\n||||||| base\n=======\nshipped a\n>>>>>>> theirs\n',
    );
    expect(actions(made)['src/a.ts']).toBe('conflict');
    const lock = JSON.parse(Buffer.from(made.commit.bytes!).toString()) as {
      builds: Record<string, { files: Record<string, { integrity: string }> }>;
    };
    expect(Object.keys(lock.builds['a/x']!.files)).toEqual(['src/a.ts', 'src/c.ts']);
  });

  test('that is not text cannot be merged', () => {
    const { message, hint } = errorOf(() => plan({ 'src/a.ts': BINARY }, 'merge'));
    expect(message).toContain('src/a.ts (not text)');
    expect(hint).not.toContain('merge:');
    expect(actions(plan({ 'src/a.ts': BINARY }, 'skip'))['src/a.ts']).toBe('skip');
  });

  test('with other line ends only is adopted as it is: it belongs to the build', () => {
    const made = plan({ 'src/c.ts': 'one\r\ntwo\r\n' }, 'fail');
    expect(actions(made)['src/c.ts']).toBe('keep');
    expect(made.changes.map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts']);
    const state = { ...start({ 'src/c.ts': 'one\r\ntwo\r\n' }) };
    const lock = JSON.parse(Buffer.from(made.commit.bytes!).toString()) as never;
    expect(remove({ ...state, lock }, ['a/x']).files.has('src/c.ts')).toBe(false);
  });

  test.each<[OnExists, string]>([
    ['fail', 'keep'],
    ['skip', 'keep'],
    ['merge', 'keep'],
    ['theirs', 'replace'],
  ])('that is only formatted, with %s: %s', (choice, action) => {
    const made = plan({ 'src/c.ts': 'one two' }, choice, {}, ['src/c.ts']);
    expect(actions(made)['src/c.ts']).toBe(action);
    const isListed = made.plan.files.some((file) => file.reformatted === true);
    expect(isListed).toBe(action === 'keep');
  });

  test.each(['src/d.ts', 'a.ts', '../src/a.ts', ''])(
    '%j, which no build places, is refused',
    (path) => {
      expect(() => plan(files, 'skip', { [path]: 'theirs' })).toThrow(
        expect.objectContaining({
          code: 'ERR_USAGE',
          message: `Option --on-exists names ${JSON.stringify(path)}, which no build places`,
        }),
      );
    },
  );
});
