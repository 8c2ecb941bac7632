/** The program `stackyard new`: a project as a whole, or nothing. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { readProject, serveAnswers, serveRegistry, stackyard } from './registry-fixture.ts';

const PACKAGE = '{\n  "name": "start",\n  "dependencies": {\n    "express": "^5.0.0"\n  }\n}\n';

async function exampleRegistry(more: Files = {}): Promise<string> {
  const git = new GitFixture();
  git.commit(
    build(
      'a/start',
      '1.0.0',
      { kind: 'foundation', scripts: { start: 'node .' } },
      { 'package.json': PACKAGE, 'AGENTS.md': '# Agents\n', ...more },
    ),
  );
  git.commit(
    build('a/auth', '1.0.0', {
      base: 'src/auth',
      stack: { requires: { express: '>=5' } },
      dependencies: { npm: { zod: '^4.0.0' } },
    }),
  );
  git.commit(build('a/other', '1.0.0', { kind: 'foundation' }));
  git.commit(build('a/old', '1.0.0', { stack: { requires: { express: '^4.0.0' } } }));
  return (await serveRegistry(git)).url;
}

describe('new', () => {
  it('creates a project from a foundation and modules that fit it, which verify accepts', async () => {
    const url = await exampleRegistry();
    const folder = temporaryFolder();
    const args = [
      'new',
      'a/start',
      'app',
      '--allow',
      'all',
      '--with',
      'a/auth',
      '-C',
      folder,
      '--no-install',
      '--registry',
      url,
    ];
    const ended = await stackyard(args);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('Next: npm install');
    expect(readdirSync(folder)).toEqual(['app']);
    const files = readProject(join(folder, 'app'));
    expect(Object.keys(files)).toEqual([
      'AGENTS.md',
      'LICENSE',
      'README.md',
      'package.json',
      'src/auth/LICENSE',
      'src/auth/src/index.ts',
      'src/index.ts',
      'stackyard.lock.json',
    ]);
    expect(JSON.parse(files['package.json']!)).toMatchObject({
      dependencies: { express: '^5.0.0', zod: '^4.0.0' },
      scripts: { start: 'node .' },
    });
    const lock = JSON.parse(files['stackyard.lock.json']!) as { builds: Record<string, object> };
    expect(lock.builds).toMatchObject({
      'a/auth': { requested: '^1.0.0', kind: 'module' },
      'a/start': { requested: '^1.0.0', kind: 'foundation' },
    });
    const verified = await stackyard(['verify', '-C', join(folder, 'app')]);
    expect([verified.status, verified.stdout]).toEqual([
      0,
      'builds: 2, files: 6, all as installed\n',
    ]);
  });

  it('asks once for the whole folder, and writes nothing without a yes', async () => {
    const files = { '.github/workflows/ci.yml': 'on: push\n', '.vscode/launch.json': '{}\n' };
    const url = await exampleRegistry(files);
    const folder = temporaryFolder();
    const args = ['new', 'a/start', 'one', '-C', folder, '--no-install', '--registry', url];
    for (const more of [[], ['--yes'], ['--allow', 'ci,editor']]) {
      const without = await stackyard([...args, ...more]);
      expect(without.status).toBe(6);
      expect(without.stderr).toContain('without your consent');
      expect(without.stderr).toMatch(/^hint: .*--allow all$/m);
      expect(readdirSync(folder)).toEqual([]);
    }
    const asked = await stackyard(args);
    expect(asked.stderr).toContain('ci: .github/workflows/ci.yml\n    A build server');
    expect(asked.stderr).toContain('editor: .vscode/launch.json');
    expect(asked.stderr).toContain('agent: AGENTS.md');
    const allowed = await stackyard([...args, '--allow', 'all']);
    expect([allowed.status, allowed.stderr]).toEqual([0, '']);
    expect(Object.keys(readProject(join(folder, 'one')))).toEqual(
      expect.arrayContaining(Object.keys(files)),
    );
  });

  it('writes a README.md of the project, not that of the build', async () => {
    const url = await exampleRegistry({ 'README.md': '# Of the build\n' });
    const folder = temporaryFolder();
    await stackyard([
      'new',
      'a/start',
      'one',
      '--allow',
      'all',
      '-C',
      folder,
      '--no-install',
      '--registry',
      url,
    ]);
    expect(readProject(join(folder, 'one'))['README.md']).toMatch(
      /^# one\n\nStarted from `a\/start` 1\.0\.0\.\n/,
    );
  });

  it('uses an empty folder, and installs packages', async () => {
    const url = await exampleRegistry({ 'package.json': '{ "name": "start" }\n' });
    const folder = temporaryFolder();
    const app = join(folder, 'app');
    mkdirSync(app);
    const args = ['new', 'a/start', 'app', '--allow', 'all', '-C', folder, '--registry', url];
    expect((await stackyard(args)).status).toBe(0);
    expect(existsSync(join(app, 'package-lock.json'))).toBe(true);
    expect(JSON.parse(readProject(app)['package.json']!)).toMatchObject({ name: 'app' });
    expect((await stackyard(['verify', '-C', app])).status).toBe(0);
  });

  it('keeps the project when packages cannot be installed, and prints what to run', async () => {
    const url = await exampleRegistry();
    const folder = temporaryFolder();
    const offline = { npm_config_offline: 'true', npm_config_cache: temporaryFolder() };
    const ended = await stackyard(
      ['new', 'a/start', 'app', '--allow', 'all', '-C', folder, '--registry', url],
      offline,
    );
    expect([ended.status, ended.stdout]).toEqual([
      11,
      expect.stringContaining('Next: npm install'),
    ]);
    expect(existsSync(join(folder, 'app/package.json'))).toBe(true);
  });

  it('--dry-run prints the plan and creates nothing', async () => {
    const url = await exampleRegistry();
    const folder = temporaryFolder();
    const args = [
      'new',
      'a/start',
      'app',
      '--allow',
      'all',
      '--with',
      'a/auth',
      '--dry-run',
      '--json',
      '-C',
      folder,
    ];
    const ended = await stackyard([...args, '--registry', url]);
    expect(ended.status).toBe(0);
    const { data } = JSON.parse(ended.stdout) as { data: { plan: { builds: { id: string }[] } } };
    expect(data.plan.builds.map(({ id }) => id)).toEqual(['a/start', 'a/auth']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('new creates nothing', () => {
  it.each([
    [['a/auth', 'app'], 4, '"a/auth" is a module: it cannot start a project'],
    [['a/none', 'app'], 3, 'The registry has no build "a/none"'],
    [
      ['a/start', 'app', '--with', 'a/old'],
      4,
      '"a/old" 1.0.0 needs express ^4.0.0: found 5.0.0 in package.json',
    ],
    [['a/start', 'app', '--with', 'a/other'], 4, '"a/other" is a foundation'],
    [['a/start', 'full'], 5, 'it is not empty'],
    [['a/start', 'full/mine'], 5, 'it is not a folder'],
    [['a/start', 'nowhere/app'], 2, 'There is no folder'],
    [['a/start'], 2, 'Argument <folder> is missing'],
  ])('of %o: status %i', async (args, status, message) => {
    const url = await exampleRegistry();
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/mine'), 'mine');
    const ended = await stackyard([
      'new',
      ...args,
      '-C',
      folder,
      '--registry',
      url,
      '--no-install',
    ]);
    expect(ended.stderr).toContain(message);
    expect(ended.status).toBe(status);
    expect(readdirSync(folder)).toEqual(['full']);
    expect(readProject(folder)).toEqual({ 'full/mine': 'mine' });
  });

  it('of a registry that is down, or when interrupted', async () => {
    const folder = temporaryFolder();
    const down = await stackyard([
      'new',
      'a/start',
      'app',
      '-C',
      folder,
      '--registry',
      'http://127.0.0.1:9',
    ]);
    expect(down.status).toBe(7);
    let asked = (): void => {};
    const isRequested = new Promise<void>((resolve) => (asked = resolve));
    const url = await serveAnswers(() => asked());
    const interruption = new AbortController();
    const ended = stackyard(
      ['new', 'a/start', 'app', '--allow', 'all', '-C', folder, '--registry', url],
      {},
      interruption.signal,
    );
    await isRequested;
    interruption.abort();
    expect(await ended).toMatchObject({
      status: 130,
      stderr: 'error: Interrupted: nothing was changed\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
