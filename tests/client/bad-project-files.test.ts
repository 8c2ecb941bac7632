/** Project files that cannot be edited safely: the error names the place, and nothing is written. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

async function exampleRegistry(): Promise<string> {
  const git = new GitFixture();
  git.commit(build('a/npm', '1.0.0', { base: 'src/n', scripts: { web: 'node .' } }));
  git.commit(
    build('a/pip', '1.0.0', { base: 'src/p', dependencies: { pip: { fastapi: '>=0.1' } } }),
  );
  git.commit(build('a/env', '1.0.0', { base: 'src/e', env: { A: { example: 'a "b" c' } } }));
  const typed = { base: 'src/t', stack: { requires: { typescript: '>=5' } } };
  git.commit(build('a/typed', '1.0.0', typed));
  return (await serveRegistry(git)).url;
}

it.each([
  ['package.json', 'a/npm', '{\n  // why\n  "name": "x"\n}', 'line 2, column 3'],
  [
    'package.json',
    'a/npm',
    '\u{FEFF}{\r\n  "scripts": {},\r\n  "scripts": {}\r\n}',
    'line 3, column 3',
  ],
  ['package.json', 'a/npm', '{ "dependencies": "zod" }', '"dependencies" is not an object'],
  ['pyproject.toml', 'a/pip', '[project]\nname = \n', 'line 2'],
  ['pyproject.toml', 'a/pip', '[project]\ndependencies = "a"\n', 'is not an array'],
  ['requirements.txt', 'a/pip', 'a==1 \\', 'not complete'],
  ['.env.example', 'a/env', 'B="x\n', 'close the quotes'],
])('%s for %s: %j', async (path, id, text, problem) => {
  const url = await exampleRegistry();
  const project = makeProject({ 'package.json': '{}', [path]: text });
  const before = readProject(project);
  const ended = await stackyard(['add', id, '-C', project, '--registry', url, '--no-install']);
  expect([ended.status, ended.stdout]).toEqual([9, '']);
  expect(ended.stderr).toContain(problem);
  expect(ended.stderr).toContain(path);
  expect(readProject(project)).toEqual(before);
});

it('keeps a byte order mark and CRLF, and restores both', async () => {
  const url = await exampleRegistry();
  const text = '\u{FEFF}{\r\n\t"name": "x"\r\n}';
  const project = makeProject({ 'package.json': text });
  const file = join(project, 'package.json');
  await stackyard(['add', 'a/npm', '-C', project, '--registry', url, '--no-install']);
  const edited = '\u{FEFF}{\r\n\t"name": "x",\r\n\t"scripts": {\r\n\t\t"web": "node ."\r\n\t}\r\n}';
  expect(readFileSync(file, 'utf8')).toBe(edited);
  writeFileSync(join(project, 'mine.txt'), 'mine');
  expect((await stackyard(['remove', 'a/npm', '-C', project, '--no-install'])).status).toBe(0);
  expect(readProject(project)).toEqual({ 'mine.txt': 'mine', 'package.json': text });
});

describe('a package.json that cannot be read', () => {
  it.each([['add', 'a/npm'], ['add', '--dry-run', 'a/npm'], ['search', '--fits'], ['doctor']])(
    'is reported by %s, with the place, and not read as one without packages',
    async (...args) => {
      const url = await exampleRegistry();
      const project = makeProject({ 'package.json': '{\n  // mine\n}\n' });
      const ended = await stackyard([...args, '-C', project, '--registry', url]);
      expect(ended.status).toBe(args[0] === 'doctor' ? 10 : 9);
      expect(ended.stdout + ended.stderr).toContain('"package.json", line 2, column 3');
    },
  );

  it('is not reported because of its byte order mark', async () => {
    const url = await exampleRegistry();
    const text = '\u{FEFF}{\r\n  "devDependencies": { "typescript": "^5.0.0" }\r\n}\r\n';
    const project = makeProject({ 'package.json': text });
    const args = ['add', '--dry-run', 'a/typed', '-C', project, '--registry', url];
    const ended = await stackyard(args);
    expect([ended.status, ended.stdout]).toEqual([0, expect.stringContaining('typescript 5.0.0')]);
  });
});
