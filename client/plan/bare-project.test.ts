/** Projects without the file in which a build's packages would be listed. */
import { describe, expect, test } from 'vitest';
import { fetched, install, remove, start } from '../../tests/client/edited-project-fixture.ts';

const npm = fetched('a/x', {
  dependencies: { npm: { zod: '^4.0.0' } },
  devDependencies: { npm: { vitest: '^5.0.0' } },
  scripts: { test: 'vitest' },
});
const python = fetched('b/y', {
  dependencies: { pip: { idna: '>=3.4' } },
  devDependencies: { pip: { pytest: '>=8' } },
});
const scripts = fetched('c/z', { scripts: { test: 'node x.js' } });

const notes = { 'notes.txt': 'mine\n' };

describe('a project without package.json', () => {
  test('gets one for packages, which goes with the last build', () => {
    const state = install(install(start(notes), [npm]), [scripts]);
    expect(JSON.parse(state.files.get('package.json')!)).toEqual({
      private: true,
      dependencies: { zod: '^4.0.0' },
      devDependencies: { vitest: '^5.0.0' },
      scripts: { test: 'vitest' },
    });
    const one = remove(state, ['a/x']);
    expect(one.warnings).toEqual([]);
    expect(Object.fromEntries(remove(one, ['c/z']).files)).toEqual(notes);
    expect(Object.fromEntries(remove(state, ['c/z', 'a/x']).files)).toEqual(notes);
  });

  test('keeps the one that was made when the user wrote into it', () => {
    const state = install(start(notes), [npm]);
    const edited = state.files
      .get('package.json')!
      .replace('"private"', '"name": "mine",\n  "private"');
    const files = new Map([...state.files, ['package.json', edited]]);
    expect(remove({ ...state, files }, ['a/x']).files.get('package.json')).toBe(
      '{\n  "name": "mine",\n  "private": true\n}\n',
    );
  });

  test('gets none for scripts alone, and a warning', () => {
    const state = install(start(notes), [scripts]);
    expect(Object.fromEntries(state.files)).toEqual(notes);
    expect(state.warnings).toMatchObject([{ code: 'scripts-left-out' }]);
    expect(state.lock?.builds['c/z']?.scripts).toEqual({});
  });

  test('of Deno gets commands', () => {
    const state = install(start(notes), [npm], [], { npm: 'deno' });
    expect(Object.fromEntries(state.files)).toEqual(notes);
    expect(state.byHand).toEqual([
      'deno add "npm:zod@^4.0.0"',
      'deno add --dev "npm:vitest@^5.0.0"',
    ]);
    const both = { ...notes, 'package.json': '{}' };
    expect(install(start(both), [npm], [], { npm: 'deno' }).byHand).toEqual([]);
  });
});

describe('a project without Python files', () => {
  test('gets requirements, which go with the build', () => {
    const state = install(start(notes), [python]);
    expect(Object.fromEntries(state.files)).toEqual({
      ...notes,
      'requirements.txt': 'idna>=3.4\n',
      'requirements-dev.txt': 'pytest>=8\n',
    });
    expect(Object.fromEntries(remove(state, ['b/y']).files)).toEqual(notes);
  });

  test.each([
    ['pipenv', ['pipenv install "idna>=3.4"', 'pipenv install --dev "pytest>=8"']],
    ['conda', ['python -m pip install "idna>=3.4"', 'python -m pip install "pytest>=8"']],
  ] as const)('of %s gets commands', (pip, commands) => {
    const state = install(start(notes), [python], [], { pip });
    expect(Object.fromEntries(state.files)).toEqual(notes);
    expect(state.byHand).toEqual(commands);
    expect(state.lock?.builds['b/y']?.pip).toEqual({});
  });
});

test('packages go into files with CRLF, tabs and a byte order mark as they are', () => {
  const files = {
    'package.json': '\u{FEFF}{\r\n\t"name": "mine"\r\n}\r\n',
    'pyproject.toml': '\u{FEFF}[project]\r\nname = "mine"\r\ndependencies = [\r\n\t"a",\r\n]\r\n',
  };
  const state = install(start(files), [npm, python]);
  expect(state.files.get('package.json')).toContain(
    '\u{FEFF}{\r\n\t"name": "mine",\r\n\t"dependencies": {\r\n\t\t"zod": "^4.0.0"\r\n\t},',
  );
  expect(state.files.get('pyproject.toml')).toContain('\t"a",\r\n\t"idna>=3.4",\r\n]');
  expect(Object.fromEntries(remove(state, ['a/x', 'b/y']).files)).toEqual(files);
});
