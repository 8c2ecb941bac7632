/** `remove` through the program: it restores the previous tree exactly, or refuses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeOf } from './project-tree.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const FILES = ['src/**'];

async function registry(): Promise<string> {
  const git = new GitFixture();
  git.commit(
    build('b/db', '1.0.0', {
      base: 'src/db',
      files: FILES,
      dependencies: { npm: { zod: '^4.0.0' }, pip: { httpx: '>=0.27' } },
      env: { DATABASE_URL: { required: true, description: 'Where the data is' } },
    }),
  );
  git.commit(
    build('a/web', '1.0.0', {
      base: 'src/web',
      files: FILES,
      builds: { 'b/db': '^1.0.0' },
      stack: { provides: ['web'] },
      dependencies: { npm: { zod: '^4.1.0', hono: '^4.0.0' } },
      devDependencies: { npm: { vitest: '^5.0.0' }, pip: { pytest: '>=8' } },
      scripts: { web: 'node web.js' },
      env: { WEB_PORT: { description: 'Port' } },
    }),
  );
  git.commit(
    build('c/shop', '1.0.0', { base: 'shop', files: FILES, stack: { requires: { web: '*' } } }),
  );
  return (await serveRegistry(git)).url;
}

const PROJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a small project': { 'package.json': '{}\n', 'requirements.txt': '' },
  'a project with entries of its own': {
    'package.json':
      '{\n\t"name": "app",\n\t"scripts": { "dev": "vite" },\n\t"dependencies": {\n\t\t"express": "^5.0.0"\n\t}\n}',
    'requirements.txt': '# mine\nfastapi\n',
    'requirements-dev.txt': 'ruff\n',
    '.env.example': '# mine\nPORT=1\n',
    'src/main.ts': 'main();\n',
  },
  'a project with CRLF and pyproject.toml': {
    'package.json': '{\r\n  "name": "app",\r\n  "devDependencies": {}\r\n}\r\n',
    'pyproject.toml':
      '[project]\r\nname = "app"  # mine\r\nversion = "0"\r\ndependencies = ["fastapi"]\r\n',
    '.env.example': 'PORT=1',
  },
};

describe.each(Object.entries(PROJECTS))('in %s', (_, files) => {
  it('removing builds restores the previous tree exactly', async () => {
    const url = await registry();
    for (const order of [['a/web'], ['b/db', 'a/web', 'c/shop']]) {
      const project = makeProject(files);
      const before = await treeOf(project);
      const run = (...args: string[]): ReturnType<typeof stackyard> =>
        stackyard([...args, '-C', project, '--registry', url, '--no-install']);
      for (const id of order) {
        const added = await run('add', id);
        expect([added.status, added.stderr]).toEqual([0, '']);
      }
      expect(readProject(project)['src/db/src/index.ts']).toBeDefined();
      for (const id of order.toReversed()) {
        const removed = await run('remove', id);
        expect([removed.status, removed.stderr]).toEqual([0, '']);
      }
      expect(await treeOf(project)).toEqual(before);
    }
  });
});

describe('remove', () => {
  async function installed(): Promise<{
    project: string;
    run: (...args: string[]) => ReturnType<typeof stackyard>;
  }> {
    const url = await registry();
    const project = makeProject({ 'package.json': '{}\n', 'requirements.txt': '' });
    const run = (...args: string[]): ReturnType<typeof stackyard> =>
      stackyard([...args, '-C', project, '--registry', url, '--no-install']);
    await run('add', 'c/shop', 'a/web');
    return { project, run };
  }

  it('refuses a build that another build requires, or whose stack tag it needs', async () => {
    const { project, run } = await installed();
    const before = readProject(project);
    const required = await run('remove', 'b/db');
    expect([required.status, required.stderr]).toEqual([
      4,
      expect.stringContaining('Cannot remove "b/db": "a/web" needs it'),
    ]);
    const provided = await run('remove', 'a/web');
    expect([provided.status, provided.stderr]).toEqual([
      4,
      expect.stringContaining('Cannot remove "a/web": "c/shop" needs it for web'),
    ]);
    expect((await run('remove', 'x/y')).status).toBe(3);
    expect(readProject(project)).toEqual(before);
  });

  it('keeps what the user changed, and reports it', async () => {
    const { project, run } = await installed();
    const file = join(project, 'package.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"^4.0.0"', '"~4.2.0"'));
    writeFileSync(join(project, '.env.example'), 'DATABASE_URL=mine\n');
    const removed = await run('remove', 'c/shop', 'a/web');
    expect(removed.status).toBe(0);
    expect(removed.stderr).toMatch(/package\.json: "hono" was changed since a build added it/);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ dependencies: { hono: '~4.2.0' } });
    expect(readProject(project)['.env.example']).toBe('DATABASE_URL=mine\n');
  });
});
