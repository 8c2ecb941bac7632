/** What `new` asks, and its options for the answers: modules by the tags that they provide, without the example, another package manager. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from '../../client/commands/new.ts';
import type { Outcome } from '../../client/terminal/command.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { bringUpToDate, readProject, serveRegistry, stackyard } from './registry-fixture.ts';
import { typing } from './run-command.ts';

const PACKAGE = '{\n  "name": "start",\n  "dependencies": {\n    "express": "^5.0.0"\n  }\n}\n';

function startFiles(more: string): Record<string, string> {
  return {
    'package.json': PACKAGE,
    'README.md': '# Start\n\n- `GET /example` <!-- example -->\n- `GET /health`\n',
    'src/features/example/items.ts': 'export const items = [];\n',
    'src/modules.ts': `import { items } from './features/example/items.js'; // example\n\nexport const modules = [\n  items, // example\n${more}];\n`,
  };
}

const FOUNDATION = { kind: 'foundation', files: ['**'] };

async function answersRegistry(): Promise<{ url: string; git: GitFixture; index: string }> {
  const git = new GitFixture();
  const module = (id: string, provides: string[], more: object = {}): void => {
    const { requires = {}, ...rest } = more as { requires?: object };
    const base = `src/${id.slice(2)}`;
    git.commit(build(id, '1.0.0', { base, stack: { provides, requires }, ...rest }));
  };
  git.commit(build('a/start', '1.0.0', FOUNDATION, startFiles('')));
  git.commit(build('a/plain', '1.0.0', { kind: 'foundation' }));
  module('a/lite', ['database', 'sqlite']);
  module('a/pg', ['database', 'postgres']);
  module('a/users-lite', ['auth'], {
    builds: { 'a/lite': '^1.0.0' },
    requires: { express: '>=5' },
  });
  module('a/users-pg', ['auth'], { builds: { 'a/pg': '^1.0.0' }, requires: { express: '>=5' } });
  // In a database that the project has: never before one that stores in the chosen one.
  module('a/auth', ['auth'], { keywords: ['auth'], requires: { express: '>=5' } });
  module('a/users-hono', ['auth'], { requires: { hono: '>=4' } });
  return { ...(await serveRegistry(git)), git };
}

function lockedIds(project: string): string[] {
  const lock = JSON.parse(readProject(project)['stackyard.lock.json']!) as { builds: object };
  return Object.keys(lock.builds);
}

describe('new', () => {
  it.each([
    [[], ['a/start']],
    [['--database', 'none'], ['a/start']],
    [
      ['--database', 'sqlite'],
      ['a/lite', 'a/start'],
    ],
    [
      ['--database', 'postgres'],
      ['a/pg', 'a/start'],
    ],
    [
      ['--database', 'sqlite', '--accounts'],
      ['a/lite', 'a/start', 'a/users-lite'],
    ],
    [
      ['--database', 'postgres', '--accounts'],
      ['a/pg', 'a/start', 'a/users-pg'],
    ],
    // Accounts that need a database of the project do not fit one that has none.
    [['--accounts'], ['a/lite', 'a/start', 'a/users-lite']],
    [
      ['--database', 'postgres', '--with', 'users-pg'],
      ['a/pg', 'a/start', 'a/users-pg'],
    ],
  ])('%j adds the modules that fit', async (options, ids) => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const args = ['new', 'a/start', 'app', ...options, '--allow', 'all', '--no-install'];
    const ended = await stackyard([...args, '-C', folder, '--registry', url]);
    expect([ended.status, lockedIds(join(folder, 'app'))]).toEqual([0, ids]);
  });

  it.each([
    ['"database": "a/lite" and "a/pg" do', '--with', 'a/lite,a/pg'],
    ['"database": "a/lite" and "a/pg" do', '--database', 'postgres', '--with', 'a/lite'],
    ['"auth": "a/auth" and "a/users-lite" do', '--with', 'users-lite,auth'],
  ])('refuses two builds that provide %s', async (two, ...args) => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const fixed = ['--allow', 'all', '--no-install', '-C', folder, '--registry', url];
    const ended = await stackyard(['new', 'a/start', 'app', ...args, ...fixed]);
    const error = `error: Only one build of a project can provide ${two}`;
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining(error)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an example that the user deleted is not brought back by updates', async () => {
    const { url, git, index } = await answersRegistry();
    const folder = temporaryFolder();
    const project = join(folder, 'app');
    const common = ['--allow', 'all', '--no-install', '--registry', url];
    const made = await stackyard(['new', 'a/start', 'app', '-C', folder, ...common]);
    expect(made.status).toBe(0);
    rmSync(join(project, 'src/features'), { recursive: true });
    for (const path of ['README.md', 'src/modules.ts']) {
      const text = readProject(project)[path]!;
      const kept = text.split('\n').filter((line) => !/(?:\/\/|<!--) example/.test(line));
      writeFileSync(join(project, path), kept.join('\n'));
    }
    const more = { 'src/features/example/more.ts': 'export const more = 1;\n' };
    git.commit(build('a/start', '1.1.0', FOUNDATION, { ...startFiles("  'added',\n"), ...more }));
    await bringUpToDate(git, index);
    const updated = await stackyard(['update', '-C', project, ...common]);
    expect([updated.status, updated.stderr]).toEqual([0, expect.stringContaining('stay out')]);
    expect(existsSync(join(project, 'src/features'))).toBe(false);
    expect(readProject(project)['src/modules.ts']).toBe(
      "\nexport const modules = [\n  'added',\n];\n",
    );
  });

  it('--package-manager is the one of all later commands', async () => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const args = ['new', 'a/start', 'app', '--package-manager', 'bun', '--allow', 'all'];
    const ended = await stackyard([...args, '--no-install', '-C', folder, '--registry', url]);
    expect(ended.stdout).toContain('Next: bun install --ignore-scripts');
    const text = readProject(join(folder, 'app'))['package.json']!;
    expect(JSON.parse(text)).toMatchObject({
      name: 'app',
      dependencies: { express: '^5.0.0' },
      devEngines: { packageManager: { name: 'bun' } },
    });
    expect((await stackyard(['verify', '-C', join(folder, 'app')])).status).toBe(0);
  });
});

describe('new at a terminal', () => {
  const OPTIONS = {
    json: false,
    quiet: false,
    verbose: false,
    offline: false,
    with: [],
    dryRun: false,
    install: false,
    allow: ['all'],
  } as const;

  const start = (
    input: object,
    shared: object,
    answers: readonly string[],
    asked: string[] = [],
  ): Promise<Outcome> =>
    command.run({ ...OPTIONS, ...input } as never, shared as never, typing(answers, asked));

  it('asks for foundation, folder, database and accounts, and makes what was chosen', async () => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const shared = { ...OPTIONS, cwd: folder, registry: url };
    const asked: string[] = [];
    await start({}, shared, ['a/start', '', 'postgres', 'yes', '', ''], asked);
    expect(asked[0]).toMatch(/^Foundation:\n {2}1 {2}a\//);
    expect(asked.slice(1, 4)).toEqual([
      'Folder of the project (start):',
      expect.stringMatching(/^Database:\n\[n\]one, \[s\]qlite .*, \[p\]ostgres .* \(none\)\?$/),
      expect.stringMatching(/^Add sign-up and login\?\n\[n\]o, \[y\]es .* \(no\)\?$/),
    ]);
    expect(lockedIds(join(folder, 'start'))).toEqual(['a/pg', 'a/start', 'a/users-pg']);
  });

  it('takes the defaults for empty answers, and asks nothing that no build answers', async () => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const shared = { ...OPTIONS, cwd: folder, registry: url };
    const named = { foundation: 'a/start', folder: 'one' };
    await start(named, shared, ['', '', '']);
    expect(lockedIds(join(folder, 'one'))).toEqual(['a/start']);
    rmSync(join(folder, 'one'), { recursive: true });
    const none: string[] = [];
    await start({ ...named, with: ['a/lite'], packageManager: 'npm' }, shared, [], none);
    expect([none, lockedIds(join(folder, 'one'))]).toEqual([[], ['a/lite', 'a/start']]);
  });

  it.each([0, 1, 2, 3])('writes nothing when the input ends at question %i', async (at) => {
    const { url } = await answersRegistry();
    const folder = temporaryFolder();
    const shared = { ...OPTIONS, cwd: folder, registry: url };
    const answers = ['a/start', 'app', '', ''].slice(0, at);
    await expect(start({}, shared, answers)).rejects.toMatchObject({ code: 'ERR_INTERRUPTED' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
