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
  git.commit(build('a/other', '1.0.0', { kind: 'foundation' }));
  return (await serveRegistry(git)).url;
}

describe('new', () => {
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
