/** The program `stackyard new`: a project as a whole, or nothing. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import {
  bringUpToDate,
  readProject,
  serveAnswers,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';

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
  git.commit(build('a/other', '1.0.0', { kind: 'foundation' }));
  return (await serveRegistry(git)).url;
}

describe('new', () => {
  it('leaves out what steers tools unless it is allowed, and makes a repository', async () => {
    const files = { '.github/workflows/ci.yml': 'on: push\n', '.vscode/launch.json': '{}\n' };
    const url = await exampleRegistry({ ...files, '.gitignore': 'node_modules/\n' });
    const folder = temporaryFolder();
    const steering = ['.github/workflows/ci.yml', '.vscode/launch.json', 'AGENTS.md'];
    const cases: [string[], string[]][] = [
      [[], []],
      [['--yes', '--no-git'], []],
      [['--allow', 'ci,editor'], steering.slice(0, 2)],
      [['--allow', 'all'], steering],
    ];
    for (const [at, [more, there]] of cases.entries()) {
      const name = `app-${at}`;
      const args = ['new', 'a/start', name, '-C', folder, '--no-install', '--registry', url];
      const ended = await stackyard([...args, ...more]);
      expect([more, ended.status]).toEqual([more, 0]);
      const project = join(folder, name);
      expect(steering.filter((path) => existsSync(join(project, path)))).toEqual(there);
      const left = [...ended.stderr.matchAll(/^warning: (.+): left out; --allow \w+ writes it$/gm)];
      expect(new Set(left.map(([, path]) => path))).toEqual(
        new Set(steering.filter((path) => !there.includes(path))),
      );
      expect(existsSync(join(project, '.gitignore'))).toBe(true);
      expect(existsSync(join(project, '.git/refs/heads'))).toBe(!more.includes('--no-git'));
      expect((await stackyard(['verify', '-C', project])).status).toBe(0);
    }
  });

  it.each([
    ['a hook that fails', { GIT_CONFIG_KEY_0: 'core.hooksPath' }],
    [
      'a key that signs nothing',
      { GIT_CONFIG_KEY_0: 'commit.gpgSign', GIT_CONFIG_VALUE_0: 'true' },
    ],
  ])('keeps the files and the repository with %s', async (_, settings) => {
    const folder = temporaryFolder();
    const hook = join(temporaryFolder(), 'pre-commit');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const variables = { GIT_CONFIG_COUNT: '2', GIT_CONFIG_VALUE_0: dirname(hook), ...settings };
    const all = { ...variables, GIT_CONFIG_KEY_1: 'gpg.program', GIT_CONFIG_VALUE_1: 'false' };
    const args = ['new', 'a/start', 'app', '-C', folder, '--no-install'];
    const made = await stackyard([...args, '--registry', await exampleRegistry()], all);
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('"git commit" failed')]);
    expect(existsSync(join(folder, 'app/.git/HEAD'))).toBe(true);
    expect((await stackyard(['verify', '-C', join(folder, 'app')])).status).toBe(0);
  });

  it('takes over the rule on age that the registry recommends, which later commands follow', async () => {
    const git = new GitFixture();
    git.commit({ 'registry.config.json': JSON.stringify({ min_age_hours: 48 }) });
    git.commit(build('a/start', '1.0.0', { kind: 'foundation' }, { 'package.json': '{}\n' }));
    const { url, index } = await serveRegistry(git);
    const folder = temporaryFolder();
    const words = 'new a/start app --no-install'.split(' ');
    const made = await stackyard([...words, '-C', folder, '--registry', url]);
    expect(made.stderr).toContain('no version younger than 48 hours');
    git.wait(Math.floor(Date.now() / 1000) - git.now - 3600);
    git.commit(build('a/start', '1.1.0', { kind: 'foundation' }, { 'package.json': '{}\n' }));
    await bringUpToDate(git, index);
    const run = (...words: string[]) =>
      stackyard([...words, '-C', join(folder, 'app'), '--no-install']);
    expect((await run('update')).stdout).toContain('up to date');
    expect((await run('update', '--min-age', '0h')).stdout).toContain('a/start 1.0.0 -> 1.1.0');
    expect(readProject(join(folder, 'app'))['stackyard.lock.json']).toContain(
      '"min_age_hours": 48',
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
});

describe('new creates nothing', () => {
  it.each([
    [['a/start', 'app', '--with', 'a/other'], 4, '"a/other" is a foundation'],
    [['a/start', 'full/mine'], 5, 'it is not a folder'],
  ])('of %o: status %i', async (args, status, message) => {
    const url = await exampleRegistry();
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/mine'), 'mine');
    const rest = ['-C', folder, '--registry', url, '--no-install'];
    const ended = await stackyard(['new', ...args, ...rest]);
    expect(ended.stderr).toContain(message);
    expect(ended.status).toBe(status);
    expect(readdirSync(folder)).toEqual(['full']);
    expect(readProject(folder)).toEqual({ 'full/mine': 'mine' });
  });

  it('when interrupted', async () => {
    const folder = temporaryFolder();
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
