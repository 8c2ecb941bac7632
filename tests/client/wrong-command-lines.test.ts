/** Wrong command lines, one a line of `wrong-command-lines.txt` after its exit status: each gets a sentence and a remedy. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const LINES = readFileSync(join(import.meta.dirname, 'wrong-command-lines.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [status, ...words] = [...line.matchAll(/"([^"]*)"|\S+/g)].map(
      ([all, quoted]) => quoted ?? all,
    );
    return { status: Number(status), words };
  });

it('answers each wrong command line with a sentence and a remedy, and writes nothing', async () => {
  const git = new GitFixture();
  const module = (id: string, more: object, files = {}): void =>
    void git.commit(build(id, '1.0.0', { base: `src/${id.slice(2)}`, ...more }, files));
  git.commit(build('a/start', '1.0.0', { kind: 'foundation' }, { 'package.json': '{}\n' }));
  module('a/web', {});
  module('a/tool', {});
  module('a/react', { stack: { requires: { react: '>=19' } } });
  module('a/needs', { builds: { 'a/react': '^1.0.0' } });
  module('a/taken', { base: 'taken' });
  module('a/hooks', { base: undefined, files: ['.husky/**'] }, { '.husky/pre-commit': 'true\n' });
  const { url } = await serveRegistry(git);
  const project = makeProject({
    'package.json': '{\n  "name": "app"\n}\n',
    'taken/src/index.ts': 'mine\n',
    'notes/mine.txt': 'mine\n',
    'no-lock/package.json': '{}\n',
    'broken-lock/package.json': '{}\n',
    'broken-lock/stackyard.lock.json': '{',
    'built/stackyard.json': '{}\n',
  });
  mkdirSync(join(project, 'empty'));
  const run = (words: readonly string[]) =>
    stackyard(words, { STACKYARD_REGISTRY: url, GITHUB_TOKEN: '' }, undefined, project);
  expect(await run(['add', 'a/web', '--no-install'])).toMatchObject({ status: 0 });
  const before = readProject(project);
  const wrong: unknown[] = [];
  for (const { status, words } of LINES) {
    const ended = await run(words);
    const text = status === 10 ? ended.stdout : ended.stderr;
    const isSaid =
      status === 10
        ? /stackyard init/.test(text)
        : /^error: [A-Z"].*\n(?:.*\n)*hint: \S/m.test(text);
    const isKept = JSON.stringify(readProject(project)) === JSON.stringify(before);
    if (ended.status !== status || !isSaid || !isKept || /defect|\bat file:/.test(text)) {
      wrong.push([status, words.join(' '), ended.status, isKept, text]);
    }
  }
  expect(wrong).toEqual([]);
});
