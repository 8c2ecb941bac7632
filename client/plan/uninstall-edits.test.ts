/** Entries of leaving builds are removed, kept or assigned to another build. */
import { describe, expect, test } from 'vitest';
import { fetched, install, remove, start } from '../../tests/client/edited-project-fixture.ts';

const NPM = { dependencies: { npm: { zod: '^4.0.0' } }, scripts: { dev: 'vite' } };

describe('planUninstallEdits()', () => {
  test('removes created files and their lock entries', () => {
    const files = { 'package.json': '{}', 'requirements.txt': 'a\n' };
    const build = fetched('a/x', {
      ...NPM,
      devDependencies: { pip: { pytest: '>=8' } },
      env: { A: { description: 'The A' } },
    });
    const added = install(start(files), [build]);
    expect([...added.files.keys()]).toContain('requirements-dev.txt');
    expect(added.lock?.made).toEqual([
      '.env.example',
      'package.json#/dependencies',
      'package.json#/scripts',
      'package.json#{}',
      'requirements-dev.txt',
    ]);
    const removed = remove(added, ['a/x']);
    expect(Object.fromEntries(removed.files)).toEqual(files);
    expect(removed.lock).toBeUndefined();
    expect(removed.warnings).toEqual([]);
  });

  test('keeps what was changed, and names it', () => {
    const texts = {
      'package.json': '{}\n',
      'requirements.txt': '',
      '.env.example': '# mine\nB=1\n',
    };
    const build = fetched('a/x', {
      dependencies: { npm: { zod: '^4.0.0' }, pip: { fastapi: '>=0.1', httpx: '*' } },
      scripts: { dev: 'vite', test: 'vitest' },
      env: { A: {}, C: {} },
    });
    const added = install(start(texts), [build]);
    const files = new Map(added.files);
    files.set(
      'package.json',
      files.get('package.json')!.replace('^4.0.0', '^4.1.0').replace('"vite"', '"vite --host"'),
    );
    files.set('requirements.txt', files.get('requirements.txt')!.replace('httpx', 'httpx  # why'));
    files.set('.env.example', files.get('.env.example')!.replace('A=', 'A=5'));
    const removed = remove({ ...added, files }, ['a/x']);
    expect(removed.warnings.map(({ code, path, message }) => [code, path, message])).toEqual([
      ['edit-kept', 'package.json', '"zod" was changed since a build added it: it was kept'],
      ['edit-kept', 'package.json', '"dev" was changed since a build added it: it was kept'],
      ['edit-kept', 'requirements.txt', '"httpx" was changed since a build added it: it was kept'],
      ['edit-kept', '.env.example', '"A" was changed since a build added it: it was kept'],
    ]);
    expect(JSON.parse(removed.files.get('package.json')!)).toEqual({
      dependencies: { zod: '^4.1.0' },
      scripts: { dev: 'vite --host' },
    });
    expect(removed.files.get('requirements.txt')).toBe('httpx  # why\n');
    expect(removed.files.get('.env.example')).toBe('# mine\nB=1\n\n# a/x\n# (optional)\nA=5\n');
    expect(removed.lock).toBeUndefined();
  });

  test('assigns a shared entry to a staying build, and removes it with the last one', () => {
    const files = {
      'package.json': '{\n  "name": "x"\n}\n',
      'pyproject.toml': '[project]\nname = "x"\n',
    };
    const first = fetched('a/x', {
      ...NPM,
      dependencies: { npm: { zod: '^4.0.0' }, pip: { 'uvicorn[standard]': '>=0.20' } },
      env: { A: {} },
    });
    const second = fetched('b/y', {
      dependencies: { npm: { zod: '>=4.0.0' }, pip: { Uvicorn: '*' } },
      scripts: { dev: 'next' },
      env: { A: {}, B: {} },
    });
    const both = install(install(start(files), [first]), [second]);
    expect(both.lock?.builds['b/y']?.npm['zod']).toMatchObject({ action: 'kept' });
    const one = remove(both, ['a/x']);
    expect(one.lock?.builds['b/y']).toMatchObject({
      npm: { zod: { range: '^4.0.0', wanted: '>=4.0.0', action: 'added' } },
      pip: { 'Uvicorn[standard]': { specifier: '>=0.20', wanted: '*', action: 'added' } },
      scripts: { dev: { value: 'vite', action: 'added' } },
      env: { A: { text: '# (optional)\nA=', action: 'added' } },
    });
    expect(one.files.get('package.json')).toBe(both.files.get('package.json'));
    expect(one.files.get('pyproject.toml')).toBe(both.files.get('pyproject.toml'));
    const none = remove(one, ['b/y']);
    expect(Object.fromEntries(none.files)).toEqual(files);
    expect(none.warnings).toEqual([]);
  });
});
