/** Ranges of a project that do not meet those of builds: for development they stay, at run time the user decides. */
import { describe, expect, test } from 'vitest';
import { fetched, install, remove, start } from '../../tests/client/edited-project-fixture.ts';
import type { State } from '../../tests/client/edited-project-fixture.ts';
import { ClientError } from '../errors.ts';
import type { FetchedBuild } from './plan.ts';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const dev = (npm: Record<string, string>): object => ({ devDependencies: { npm } });
const runtime = (npm: Record<string, string>): object => ({ dependencies: { npm } });

function manifestOf(state: State): Record<string, Record<string, string>> {
  return JSON.parse(state.files.get('package.json')!) as Record<string, Record<string, string>>;
}

function codes(state: State): string[] {
  return state.warnings.map(({ code }) => code);
}

function errorOf(action: () => unknown): ClientError {
  try {
    action();
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a package for development', () => {
  const requirement = fetched('a/x', dev({ '@types/node': '>=22 <28' }));

  test.each(['dependencies', 'devDependencies', 'peerDependencies'])(
    'that the project has in another range in %s stays, and is reported',
    (table) => {
      const files = { 'package.json': json({ [table]: { '@types/node': '^20' } }) };
      const state = install(start(files), [requirement]);
      expect(state.files.get('package.json')).toBe(files['package.json']);
      expect(codes(state)).toEqual(['npm-dev-range']);
      expect(state.warnings[0]!.message).toMatch(/"a\/x" wants .*">=22 <28".*"\^20"/);
      expect(Object.fromEntries(remove(state, ['a/x']).files)).toEqual(files);
    },
  );

  test.each([
    ['together', (builds: FetchedBuild[]) => [builds]],
    ['one after the other', (builds: FetchedBuild[]) => builds.map((build) => [build])],
  ])('in two ranges of two builds goes in once, %s', (_, split) => {
    const builds = [
      fetched('a/x', dev({ vitest: '^3' })),
      fetched('b/y', dev({ vitest: '^4.0.0' })),
    ];
    let state = start({ 'package.json': '{}' });
    const seen: string[] = [];
    for (const part of split(builds)) {
      state = install(state, part);
      seen.push(...codes(state));
    }
    expect(Object.keys(manifestOf(state)['devDependencies']!)).toEqual(['vitest']);
    expect(seen).toEqual(['npm-dev-range']);
  });

  test('of one build yields to what another needs at run time', () => {
    const first = fetched('a/x', dev({ zod: '^3.0.0' }));
    const second = fetched('b/y', runtime({ zod: '^4.0.0' }));
    const expected = { dependencies: { zod: '^4.0.0' } };
    const together = install(start({ 'package.json': '{}' }), [first, second]);
    expect(manifestOf(together)).toEqual(expected);
    const later = install(install(start({ 'package.json': '{}' }), [first]), [second]);
    expect(manifestOf(later)).toEqual(expected);
    // The first build needs it for development still: no later version of the second is refused for it.
    const newer = fetched('b/y', runtime({ zod: '^5.0.0' }));
    expect(manifestOf(install(later, [newer]))).toEqual({ dependencies: { zod: '^5.0.0' } });
    expect(remove(later, ['b/y', 'a/x']).files.get('package.json')).toBe('{}');
  });

  test.each([
    ['pyproject.toml', '[project]\nname = "p"\n\n[dependency-groups]\ndev = ["pytest==7.4"]\n'],
    [
      'pyproject.toml',
      '[tool.poetry]\nname = "p"\n[tool.poetry.group.dev.dependencies]\npytest = "7.4"\n',
    ],
    ['requirements-dev.txt', 'pytest==7.4\n'],
    ['requirements.txt', 'pytest==7.4\n'],
  ])('of Python stays in %s, and is reported', (file, text) => {
    const build = fetched('a/x', { devDependencies: { pip: { pytest: '>=8' } } });
    const other = file === 'requirements-dev.txt' ? { 'requirements.txt': '' } : {};
    const state = install(start({ ...other, [file]: text }), [build]);
    expect(state.files.get(file)).toBe(text);
    expect(codes(state)).toEqual(['pip-specifier']);
  });

  test('of Python in two pinned versions goes in once', () => {
    const builds = [
      fetched('a/x', { devDependencies: { pip: { ruff: '==0.8.0' } } }),
      fetched('b/y', { devDependencies: { pip: { ruff: '==0.9.0' } } }),
    ];
    const state = install(start({ 'requirements.txt': '' }), builds);
    expect(state.files.get('requirements-dev.txt')).toBe('ruff==0.8.0\n');
    expect(codes(state)).toEqual(['pip-dev-specifier']);
  });
});

describe('--keep', () => {
  const files = { 'package.json': json({ dependencies: { zod: '^3.0.0', ms: '^2.0.0' } }) };
  const build = fetched('a/x', runtime({ zod: '^4.0.0', ms: '>=1.0.0' }));

  test('is what the error names, with both sides', () => {
    const { code, message, hint } = errorOf(() => install(start(files), [build]));
    expect(code).toBe('ERR_DEPENDENCY');
    expect(message).toContain('"a/x" wants "zod" "^4.0.0", but "dependencies" has "^3.0.0"');
    expect(hint).toContain('--keep zod');
  });

  test("decides for the project's range, also for later versions until the range changes", () => {
    const state = install(start(files), [build], ['zod']);
    expect(state.files.get('package.json')).toBe(files['package.json']);
    expect(codes(state)).toEqual(['npm-decided']);
    const next = fetched('a/x', runtime({ zod: '^5.0.0' }));
    const updated = install(state, [next]);
    expect(codes(updated)).toEqual(['npm-decided']);
    const text = json({ dependencies: { zod: '^2.0.0', ms: '^2.0.0' } });
    const edited = { ...state, files: new Map([['package.json', text]]) };
    expect(errorOf(() => install(edited, [next])).code).toBe('ERR_DEPENDENCY');
  });

  test('decides between the project and two builds that do not go together', () => {
    const other = fetched('b/y', runtime({ zod: '^2.0.0' }));
    expect(errorOf(() => install(start(files), [build, other])).code).toBe('ERR_DEPENDENCY');
    const state = install(start(files), [build, other], ['zod']);
    expect(codes(state)).toEqual(['npm-decided', 'npm-decided']);
  });

  test('decides for Python, whatever form the name has', () => {
    const python = fetched('a/x', { dependencies: { pip: { Typing_Extensions: '>=4.10' } } });
    const state = start({ 'requirements.txt': 'typing-extensions==4.0\n' });
    expect(errorOf(() => install(state, [python])).hint).toContain('--keep typing-extensions');
    const kept = install(state, [python], ['typing.extensions']);
    expect(kept.files.get('requirements.txt')).toBe('typing-extensions==4.0\n');
    expect(codes(kept)).toEqual(['pip-decided']);
    expect(codes(install(kept, [python]))).toEqual(['pip-decided']);
  });

  test.each([['ms'], ['express'], ['zod', 'nothing']])(
    'of %s, which is no conflict, is refused',
    (...keep) => {
      const { code, message } = errorOf(() => install(start(files), [build], ['zod', ...keep]));
      const unused = keep.filter((name) => name !== 'zod');
      if (unused.length > 0) expect(message).toContain(`"${unused.at(-1)}", which is no conflict`);
      expect(code).toBe('ERR_USAGE');
    },
  );

  test('does not decide between builds alone: the project has no range', () => {
    const builds = [build, fetched('b/y', runtime({ zod: '^2.0.0' }))];
    const { code, hint } = errorOf(() => install(start({ 'package.json': '{}' }), builds, ['zod']));
    expect(code).toBe('ERR_DEPENDENCY');
    expect(hint).not.toContain('--keep');
  });
});
