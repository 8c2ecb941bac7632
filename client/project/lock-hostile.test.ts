/** Hostile locks, edited or from a pull request: no entry of the user is removed. */
import { describe, expect, test } from 'vitest';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { fetched, install, remove, start } from '../../tests/client/edited-project-fixture.ts';
import type { State } from '../../tests/client/edited-project-fixture.ts';

const FILES = {
  'package.json':
    '{\n  "name": "mine",\n  "scripts": {\n    "__proto__": "x",\n    "dev": "vite"\n  },\n  "dependencies": {}\n}\n',
  'requirements.txt': 'mine==1\n-r other.txt\n',
  'pyproject.toml': '[project]\nname = "mine"\ndependencies = [\n    "mine>=1", # mine\n]\n',
  '.env.example': '# mine\nMINE=1\nTOKEN="a\n# b\nX=1\n"\n',
  'README.md': 'mine\n',
};

/** A project with a lock in which the one build has `edits`, and `made` marks. */
function withLock(edits: Partial<LockedBuild>, made: string[] = []): State {
  const state = install(start(FILES), [fetched('a/x', {}), fetched('b/y', {})]);
  const lock = JSON.parse(JSON.stringify(state.lock)) as Lock;
  Object.assign(lock.builds['a/x']!, edits);
  return { ...state, lock: { ...lock, made } };
}

const added = { action: 'added' as const };
const proto = <Value>(value: Value): Record<string, Value> =>
  JSON.parse(`{"__proto__":${JSON.stringify(value)}}`) as Record<string, Value>;

describe('removing a build whose lock names', () => {
  test.each<[string, Partial<LockedBuild>, string[]?]>([
    ['a variable with a line break', { env: { 'A\nMINE': { text: 'A=\nMINE=1', ...added } } }],
    [
      'lines that are more than its variable',
      { env: { MINE: { text: '# mine\nMINE=1\nTOKEN="a', ...added } } },
    ],
    ['lines of another variable', { env: { OTHER: { text: 'MINE=1', ...added } } }],
    ['a line within a value', { env: { X: { text: '# b\nX=1', ...added } } }],
    ['a variable without lines', { env: { MINE: added } }],
    ['a script __proto__ of another value', { scripts: proto({ value: 'y', ...added }) }],
    ['a script that is a method', { scripts: { toString: { value: 'x', ...added } } }],
    [
      'a file that builds do not edit',
      { pip: { mine: { file: 'README.md', table: 'dependencies', specifier: '*', ...added } } },
    ],
    [
      'a line with a comment of the user',
      {
        pip: {
          mine: { file: 'pyproject.toml', table: 'dependencies', specifier: '>=1', ...added },
        },
      },
    ],
    [
      'an option as a package',
      {
        pip: {
          '-r other.txt': {
            file: 'requirements.txt',
            table: 'dependencies',
            specifier: '*',
            ...added,
          },
        },
      },
    ],
    [
      'a package of another range',
      { npm: { mine: { table: 'dependencies', range: '*', ...added } } },
    ],
    [
      'marks of what is not empty, or not a table',
      {},
      [
        'package.json#/name',
        'package.json#/scripts',
        'package.json#/scripts/dev',
        'package.json#{}',
        'package.json#/dependencies',
        'pyproject.toml#project',
        'pyproject.toml#project.name',
        '.env.example',
        'requirements.txt',
        'README.md',
      ],
    ],
  ])('%s', (_, edits, made) => {
    const state = withLock(edits, made);
    expect(Object.fromEntries(remove(state, ['a/x', 'b/y']).files)).toEqual(FILES);
    expect(Object.fromEntries(remove(state, ['a/x']).files)).toEqual(FILES);
    expect(({} as Record<string, unknown>)['value']).toBeUndefined();
  });
});

test('an update writes nothing of another build that the lock makes up', () => {
  const npm = { zod: { table: 'dependencies' as const, range: '^3.0.0', ...added } };
  const pip = {
    uvicorn: {
      file: 'requirements.txt',
      table: 'dependencies' as const,
      specifier: '>=1',
      ...added,
    },
  };
  const first = fetched('a/x', {
    dependencies: { npm: { zod: '^3.0.0' }, pip: { uvicorn: '>=1' } },
  });
  const second = fetched('a/x', {
    dependencies: { npm: { zod: '^3.1.0' }, pip: { uvicorn: '>=2' } },
  });
  const files = { 'package.json': '{}', 'requirements.txt': '' };
  const state = install(start(files), [first, fetched('b/y', {})]);
  const lock = JSON.parse(JSON.stringify(state.lock)) as Lock;
  Object.assign(lock.builds['b/y']!, {
    npm: { zod: { ...npm.zod, wanted: 'git+ssh://evil' } },
    pip: { 'uvicorn[a]; x @ https://evil #]': { ...pip.uvicorn, wanted: '>=1 --index-url evil' } },
  });
  const updated = install({ ...state, lock }, [second]);
  expect(updated.files.get('requirements.txt')).toBe('uvicorn>=2\n');
  expect(JSON.parse(updated.files.get('package.json')!)).toEqual({
    dependencies: { zod: '^3.1.0' },
  });
});
