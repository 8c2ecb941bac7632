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

  test('with dotenv-safe, optional variables are comments that come, are renewed and go', () => {
    const manifest = '{\n  "dependencies": {\n    "dotenv-safe": "^9.0.0"\n  }\n}\n';
    const own = { 'package.json': manifest, '.env.example': 'MINE=1\n' };
    const at = (port: string): ReturnType<typeof fetched> =>
      fetched('a/x', { env: { KEY: { required: true }, PORT: { example: port }, MODE: {} } });
    const first = install(start(own), [at('1')]);
    const block = (port: string): string =>
      `MINE=1\n\n# a/x\n# (required)\nKEY=\n# (optional)\n# PORT=${port}\n# (optional)\n# MODE=\n`;
    expect(first.files.get('.env.example')).toBe(block('1'));
    expect(install(first, [at('1')]).files.get('.env.example')).toBe(block('1'));
    const unlocked = install(start(Object.fromEntries(first.files)), [at('1')]);
    expect(unlocked.files.get('.env.example')).toBe(block('1'));
    const second = install(first, [at('2')]);
    expect(second.files.get('.env.example')).toBe(block('2'));
    const removed = remove(second, ['a/x']);
    expect(removed.files.get('.env.example')).toBe('MINE=1\n');
    expect(removed.warnings).toEqual([]);
    const before = install(start({ '.env.example': 'MINE=1\n' }), [at('1')]);
    const files = new Map([...before.files, ['package.json', manifest]]);
    const stricter = install({ ...before, files }, [at('2')]);
    expect(stricter.files.get('.env.example')).toBe(block('2'));
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
