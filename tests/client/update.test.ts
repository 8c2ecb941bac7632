/** `update`, `remove` and `undo` through the program: edits of the user's are kept, removal is exact. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Files } from '../generate/git-fixture.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

/** A file of twenty numbered lines, some of them changed. */
function lines(name: string, changes: Readonly<Record<number, string>> = {}): string {
  const all = Array.from({ length: 20 }, (_, at) => changes[at + 1] ?? `${name} ${at + 1}`);
  return `${all.join('\n')}\n`;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const FILES_1_0: Files = {
  ...Object.fromEntries('abcdefg'.split('').map((n) => [`src/${n}.ts`, lines(n)])),
  'src/logo.png': PNG,
  'src/old-name.ts': lines('old'),
  'src/gone.ts': lines('gone'),
  'src/run.sh': '#!/bin/sh\n',
};
const FILES_1_1: Files = {
  ...FILES_1_0,
  'src/a.ts': lines('a', { 2: 'a two of 1.1' }),
  'src/b.ts': lines('b', { 18: 'b eighteen of 1.1' }),
  'src/c.ts': lines('c', { 10: 'c ten of 1.1' }),
  'src/logo.png': Buffer.concat([PNG, Buffer.from([9])]),
  'src/new.ts': lines('new'),
};
const { 'src/old-name.ts': _old, 'src/gone.ts': _gone, ...REST } = FILES_1_1;
const FILES_2_0: Files = {
  ...REST,
  'src/new-name.ts': lines('old', { 3: 'old three of 2.0' }),
  'src/a.ts': lines('a', { 2: 'a two of 2.0' }),
  'src/d.ts': lines('d', { 5: 'd five of 2.0' }),
};

const OPTIONS = { base: 'lib', files: ['src/**'] };

async function twelveFiles(): Promise<{ project: string; url: string }> {
  const git = new GitFixture();
  git.commit(build('a/kit', '1.0.0', OPTIONS, FILES_1_0));
  const first = await serveRegistry(git);
  const project = makeProject({ 'package.json': '{}\n', 'notes/mine.txt': 'mine\n' });
  const added = await stackyard([
    'add',
    'a/kit@^1.0.0',
    '-C',
    project,
    '--registry',
    first.url,
    '--allow',
    'program',
  ]);
  expect([added.status, added.stderr]).toEqual([0, '']);
  expect(Object.keys(readProject(project)).filter((path) => path.startsWith('lib/'))).toHaveLength(
    12,
  );
  git.commit(build('a/kit', '1.1.0', OPTIONS, FILES_1_1));
  git.commit({
    'builds/a/kit/src/old-name.ts': null,
    'builds/a/kit/src/gone.ts': null,
    ...build('a/kit', '2.0.0', OPTIONS, FILES_2_0),
  });
  return { project, url: (await serveRegistry(git)).url };
}

function edit(project: string, path: string, change: (text: string) => string): void {
  const file = join(project, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe('a project with edits in six of twelve files', () => {
  it('is updated to 1.1.0 and 2.0.0 and loses nothing; remove restores the tree', async () => {
    const { project, url } = await twelveFiles();
    const run = (...args: string[]): ReturnType<typeof stackyard> =>
      stackyard([...args, '-C', project, '--registry', url]);
    const untouched = readProject(project);
    // Six edits: apart from the publisher's, beside it, in CRLF, in a file that moves, in two that stay.
    edit(project, 'lib/src/a.ts', (text) => text.replace('a 15', 'my a 15'));
    edit(project, 'lib/src/b.ts', (text) => text.replace('b 2\n', 'my b 2\nand more\n'));
    edit(project, 'lib/src/c.ts', (text) =>
      text.replaceAll('\n', '\r\n').replace('c 1\r', 'my c 1\r'),
    );
    edit(project, 'lib/src/old-name.ts', (text) => text.replace('old 17', 'my old 17'));
    edit(project, 'lib/src/e.ts', (text) => `${text}my own end`);
    edit(project, 'lib/src/gone.ts', (text) => text.replace('gone 1\n', 'my gone 1\n'));
    rmSync(join(project, 'lib/src/f.ts'));

    const one = await run('update');
    expect([one.status, one.stderr]).toEqual([0, expect.not.stringContaining('lib/')]);
    const tree = readProject(project);
    expect(tree['lib/src/a.ts']).toBe(lines('a', { 2: 'a two of 1.1', 15: 'my a 15' }));
    expect(tree['lib/src/b.ts']).toBe(
      lines('b', { 2: 'my b 2\nand more', 18: 'b eighteen of 1.1' }),
    );
    expect(tree['lib/src/c.ts']).toBe(
      lines('c', { 1: 'my c 1', 10: 'c ten of 1.1' }).replaceAll('\n', '\r\n'),
    );
    expect(tree['lib/src/new.ts']).toBe(lines('new'));
    expect(tree['lib/src/f.ts']).toBeUndefined();
    expect(readFileSync(join(project, 'lib/src/logo.png'))).toEqual(FILES_1_1['src/logo.png']);

    expect((await run('update')).stdout).toBe('All builds are up to date\n');
    const two = await run('update', 'a/kit', '--latest');
    expect(two.status).toBe(0);
    expect(two.stderr).toMatch(
      /lib\/src\/gone\.ts: the new version no longer has it; you edited it/,
    );
    const last = readProject(project);
    expect(last['lib/src/a.ts']).toBe(lines('a', { 2: 'a two of 2.0', 15: 'my a 15' }));
    expect(last['lib/src/d.ts']).toBe(FILES_2_0['src/d.ts']);
    expect(last['lib/src/old-name.ts']).toBeUndefined();
    expect(last['lib/src/new-name.ts']).toBe(
      lines('old', { 3: 'old three of 2.0', 17: 'my old 17' }),
    );
    expect(last['lib/src/e.ts']).toBe(`${lines('e')}my own end`);
    expect(last['lib/src/gone.ts']).toBe(lines('gone', { 1: 'my gone 1' }));
    expect(last['stackyard.lock.json']).toContain('"requested": "^2.0.0"');

    const removed = await run('remove', 'a/kit');
    expect(removed.status).toBe(0);
    const kept = ['a', 'b', 'c', 'e', 'gone', 'new-name'].map((name) => `lib/src/${name}.ts`);
    expect(Object.keys(readProject(project)).sort()).toEqual(
      ['package.json', 'notes/mine.txt', ...kept].sort(),
    );
    // Files that 2.0.0 no longer had belong to the user since then.
    const edited = kept.filter((path) => !path.endsWith('/gone.ts'));
    for (const path of edited) expect(removed.stderr).toContain(`${path}: you edited it`);
    expect((await run('undo')).status).toBe(0);
    expect(readProject(project)).toEqual(last);
    rmSync(join(project, 'lib/src/gone.ts'));
    expect((await run('remove', 'a/kit', '--force')).status).toBe(0);
    const { 'package.json': manifest, 'notes/mine.txt': notes } = untouched;
    expect(readProject(project)).toEqual({ 'package.json': manifest, 'notes/mine.txt': notes });
    expect(() => statSync(join(project, 'lib'))).toThrow('ENOENT');
  });
});

describe('conflicting edits', () => {
  async function clash(): Promise<{
    project: string;
    run: (...args: string[]) => ReturnType<typeof stackyard>;
  }> {
    const { project, url } = await twelveFiles();
    edit(project, 'lib/src/a.ts', (text) => text.replace('a 2\n', 'my a 2\n'));
    edit(project, 'lib/src/b.ts', (text) => text.replace('b 1\n', 'my b 1\n'));
    writeFileSync(join(project, 'lib/src/logo.png'), Buffer.from([0, 7]));
    return { project, run: (...args) => stackyard([...args, '-C', project, '--registry', url]) };
  }

  it('stop the update by default, naming every file, and nothing is written', async () => {
    const { project, run } = await clash();
    const before = readProject(project);
    const stopped = await run('update');
    expect(stopped.status).toBe(5);
    expect(stopped.stderr).toMatch(
      /lib\/src\/a\.ts \(you and the new version edited the same lines\)/,
    );
    expect(stopped.stderr).toMatch(/lib\/src\/logo\.png \(.* it is not text\)/);
    expect(readProject(project)).toEqual(before);
    // A binary file cannot have markers.
    expect((await run('update', '--conflict', 'markers')).status).toBe(5);
    expect(readProject(project)).toEqual(before);
  });

  it.each([
    ['ours', 'my a 2', Buffer.from([0, 7])],
    ['theirs', 'a two of 1.1', FILES_1_1['src/logo.png']],
  ])(
    '--conflict %s takes that side where they meet and merges the rest',
    async (side, a2, logo) => {
      const { project, run } = await clash();
      expect((await run('update', '--conflict', side)).status).toBe(0);
      const tree = readProject(project);
      expect(tree['lib/src/a.ts']).toBe(lines('a', { 2: a2 }));
      expect(tree['lib/src/b.ts']).toBe(lines('b', { 1: 'my b 1', 18: 'b eighteen of 1.1' }));
      expect(readFileSync(join(project, 'lib/src/logo.png'))).toEqual(logo);
    },
  );

  it('--conflict markers shows both; verify fails until they are resolved', async () => {
    const { project, run } = await clash();
    writeFileSync(join(project, 'lib/src/logo.png'), PNG);
    const before = readProject(project);
    const marked = await run('update', '--conflict', 'markers', '--json');
    expect(marked.status).toBe(5);
    const answer = JSON.parse(marked.stdout) as { status: string; ok: boolean; next: object[] };
    expect(answer).toMatchObject({ status: 'conflicts', ok: false });
    expect(answer.next[0]).toMatchObject({ command: 'stackyard resolve lib/src/a.ts' });
    expect(readProject(project)['lib/src/a.ts']).toContain(
      '<<<<<<< yours\nmy a 2\n||||||| base 1.0.0\na 2\n=======\na two of 1.1\n>>>>>>> theirs 1.1.0\n',
    );
    const verified = await run('verify');
    expect([verified.status, verified.stdout]).toEqual([
      10,
      expect.stringMatching(/^open conflict {2}lib\/src\/a\.ts/m),
    ]);
    expect((await run('resolve', 'lib/src/a.ts')).status).toBe(5);
    expect((await run('resolve', 'lib/src/a.ts', '--take', 'theirs')).status).toBe(0);
    expect(readProject(project)['lib/src/a.ts']).toBe(FILES_1_1['src/a.ts']);
    expect((await run('undo')).status).toBe(0);
    expect((await run('undo')).status).toBe(0);
    expect(readProject(project)).toEqual(before);
  });
});

describe('a foundation', () => {
  it('updates its package.json, and keeps the entries of modules and the user', async () => {
    const git = new GitFixture();
    const manifest = (express: string, more: object = {}): Files => {
      const value = { name: 'x', dependencies: { express }, scripts: { dev: 'node .' }, ...more };
      return { 'package.json': `${JSON.stringify(value, null, 2)}\n`, 'src/app.ts': lines('app') };
    };
    const kind = { kind: 'foundation', files: ['package.json', 'src/**'] };
    git.commit(build('f/api', '1.0.0', kind, manifest('^5.0.0')));
    git.commit(
      build('m/mod', '1.0.0', { base: 'mod', dependencies: { npm: { fastify: '^5.0.0' } } }),
    );
    const first = await serveRegistry(git);
    const project = join(makeProject({}), 'app');
    const made = await stackyard([
      'new',
      'f/api',
      project,
      '--allow',
      'all',
      '--with',
      'm/mod',
      '--registry',
      first.url,
      '--no-install',
    ]);
    expect(made.status).toBe(0);
    edit(project, 'package.json', (text) => text.replace('"app"', '"mine"'));
    git.commit(build('f/api', '1.1.0', kind, manifest('^5.1.0', { engines: { node: '>=22' } })));
    const { url } = await serveRegistry(git);
    const update = ['update', '-C', project, '--registry', url, '--no-install'];
    expect((await stackyard(update)).status).toBe(6);
    const updated = await stackyard([...update, '--allow', 'packages']);
    expect(updated.status).toBe(0);
    expect(JSON.parse(readProject(project)['package.json']!)).toEqual({
      name: 'mine',
      dependencies: { express: '^5.1.0', fastify: '^5.0.0' },
      scripts: { dev: 'node .' },
      engines: { node: '>=22' },
    });
    const removed = await stackyard(['remove', 'f/api', '-C', project]);
    expect([removed.status, removed.stderr]).toEqual([4, expect.stringContaining('foundation')]);
  });
});
