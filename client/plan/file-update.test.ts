/** Edits of a project's own files when a build is updated. */
import { describe, expect, test } from 'vitest';
import type { LockedBuild } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { fetched, install, start } from '../../tests/client/edited-project-fixture.ts';
import type { State } from '../../tests/client/edited-project-fixture.ts';

function problemOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return `${error.code}: ${error.message}; ${error.hint}`;
    throw error;
  }
  return 'nothing was thrown';
}

function changed(state: State, path: string, from: string, to: string): State {
  const before = state.files.get(path) ?? '';
  expect(before).toContain(from);
  return { ...state, files: new Map([...state.files, [path, before.replace(from, to)]]) };
}

function locked(state: State, id: string): LockedBuild {
  return state.lock!.builds[id]!;
}

const old = fetched('a/x', {
  dependencies: { npm: { zod: '^3.0.0', gone: '^1.0.0' } },
  devDependencies: { npm: { tool: '^1.0.0' } },
  scripts: { dev: 'vite', lint: 'eslint .' },
  env: { A: { description: 'The A' }, Z: {} },
});
const next = fetched('a/x', {
  dependencies: { npm: { zod: '^4.0.0', tool: '^1.2.0' } },
  scripts: { dev: 'vite --host', test: 'vitest' },
  env: { A: { description: 'Another A', required: true, example: '1' }, B: {} },
});
const PROJECT = {
  'package.json': '{\n  "dependencies": {\n    "mine": "1.0.0"\n  },\n  "license": "MIT"\n}\n',
  '.env.example': 'MINE=1\n',
};

describe('an update', () => {
  test('has the same result as an install of the new version alone', () => {
    const updated = install(install(start(PROJECT), [old]), [next]);
    const fresh = install(start(PROJECT), [next]);
    expect(Object.fromEntries(updated.files)).toEqual({
      ...Object.fromEntries(fresh.files),
      'package.json':
        '{\n  "dependencies": {\n    "mine": "1.0.0",\n    "tool": "^1.2.0",\n    "zod": "^4.0.0"\n  },\n  "license": "MIT",\n  "scripts": {\n    "dev": "vite --host",\n    "test": "vitest"\n  }\n}\n',
    });
    expect(updated.lock).toEqual(fresh.lock);
    expect(updated.warnings).toEqual([]);
  });

  test('of Python packages replaces, moves and removes requirements', () => {
    const first = fetched('a/x', {
      dependencies: { pip: { fastapi: '>=0.1', 'uvicorn[standard]': '>=0.20' } },
      devDependencies: { pip: { httpx: '*' } },
    });
    const second = fetched('a/x', {
      dependencies: { pip: { httpx: '>=0.2', 'uvicorn[standard]': '>=0.30' } },
    });
    for (const files of [
      { 'requirements.txt': 'mine==1  # c\n' },
      { 'pyproject.toml': '[project]\nname = "x"\n' },
      { 'pyproject.toml': '[tool.poetry]\nname = "x"\n\n[tool.poetry.dependencies]\n' },
    ]) {
      const updated = install(install(start(files), [first]), [second]);
      const texts = [...updated.files.values()].join('');
      expect(texts).not.toMatch(/fastapi|0\.20|requirements-dev|\bdev\b/);
      expect(texts).toMatch(/uvicorn.*>=0\.30/);
      expect(texts.match(/httpx/g)).toHaveLength(1);
      expect(updated.lock?.made.filter((mark) => mark.includes('dev'))).toEqual([]);
      expect(updated.warnings).toEqual([]);
    }
  });

  test("keeps a user's range that intersects the new one, a script and a value, with warnings", () => {
    let state = install(start(PROJECT), [old]);
    state = changed(state, 'package.json', '"zod": "^3.0.0"', '"zod": ">=3.20.0"');
    state = changed(state, 'package.json', '"vite"', '"vite --port 1"');
    state = changed(state, '.env.example', 'A=', 'A=mine');
    const updated = install(state, [next]);
    const text = updated.files.get('package.json');
    expect(text).toContain('"zod": ">=3.20.0"');
    expect(text).toContain('"dev": "vite --port 1"');
    expect(updated.files.get('.env.example')).toBe(
      'MINE=1\n\n# a/x\n# Another A (required)\nA=mine\n# (optional)\nB=\n',
    );
    expect(updated.warnings.map(({ code }) => code)).toEqual(['npm-range-kept', 'script-kept']);
    expect(locked(updated, 'a/x').npm['zod']).toEqual({
      table: 'dependencies',
      range: '>=3.20.0',
      wanted: '^4.0.0',
      action: 'kept',
    });
  });

  test("refuses a user's range that does not meet the new one, and names both", () => {
    const state = changed(install(start(PROJECT), [old]), 'package.json', '^3.0.0', '~3.1.0');
    expect(problemOf(() => install(state, [next]))).toBe(
      'ERR_DEPENDENCY: Cannot edit "package.json": "a/x" wants "zod" "^4.0.0", but "dependencies" has "~3.1.0", changed from "^3.0.0"; change the range in package.json, or choose other versions of the builds; --keep zod keeps yours',
    );
  });

  test('leaves a range that another build needs, or refuses', () => {
    const other = fetched('b/y', { dependencies: { npm: { zod: '^3.4.0' } } });
    const both = install(install(start(PROJECT), [old]), [other]);
    expect(problemOf(() => install(both, [next]))).toContain(
      '"a/x" wants "zod" "^4.0.0" and "b/y" wants "^3.4.0"',
    );
    const wider = fetched('b/y', { dependencies: { npm: { zod: '>=3.4.0' } } });
    const updated = install(install(install(start(PROJECT), [old]), [wider]), [next]);
    expect(updated.files.get('package.json')).toContain('"zod": "^4.0.0"');
    expect(locked(updated, 'b/y').npm['zod']).toEqual({
      table: 'dependencies',
      range: '^4.0.0',
      wanted: '>=3.4.0',
      action: 'added',
    });
  });

  test('adds a package again that the user removed, and removes no kept entry', () => {
    let state = install(start({ 'package.json': '{"dependencies":{"gone":"^1.5.0"}}' }), [old]);
    state = changed(state, 'package.json', ',"zod":"^3.0.0"', '');
    const updated = install(state, [next]);
    expect(JSON.parse(updated.files.get('package.json')!)).toEqual({
      dependencies: { gone: '^1.5.0', tool: '^1.2.0', zod: '^4.0.0' },
      scripts: { dev: 'vite --host', test: 'vitest' },
    });
  });

  test('deletes a file in which nothing is left', () => {
    const state = install(start({ 'package.json': '{}' }), [old]);
    const bare = install(state, [fetched('a/x', {})]);
    expect(Object.fromEntries(bare.files)).toEqual({ 'package.json': '{}' });
    expect(bare.lock?.made).toEqual([]);
  });
});
