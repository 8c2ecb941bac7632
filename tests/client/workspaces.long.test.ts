/** The program `stackyard` in workspaces: which project is meant, and a real install into a member. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Two members that share a library of the workspace. */
const MEMBERS = {
  'apps/web/package.json': json({
    name: '@acme/web',
    version: '1.0.0',
    dependencies: { '@acme/ui': '1.0.0' },
  }),
  'packages/ui/package.json': json({ name: '@acme/ui', version: '1.0.0' }),
  'packages/ui/index.js': 'module.exports = 1;\n',
};
const ROOT = { name: 'acme', private: true, workspaces: { packages: ['apps/*', './packages/*/'] } };
const WORKSPACE = { 'package.json': json(ROOT), ...MEMBERS };

/** The packages come from a folder: no package registry is used. */
async function exampleRegistry(): Promise<string> {
  const git = new GitFixture();
  git.commit(
    build('a/web', '1.0.0', {
      base: 'src/web',
      dependencies: { npm: { '@acme/ui': '^1.0.0' } },
      scripts: { web: 'node src/web/src/index.ts' },
    }),
  );
  git.commit(build('a/needs', '1.0.0', { base: 'src/n', stack: { requires: { express: '>=5' } } }));
  return (await serveRegistry(git)).url;
}

const inFolder = (folder: string, args: readonly string[]): ReturnType<typeof stackyard> =>
  stackyard(args, {}, undefined, folder);

it('requires the choice of a project in the root of a workspace, and names the members', async () => {
  const root = makeProject(WORKSPACE);
  for (const folder of [root, join(root, 'packages')]) {
    const ended = await inFolder(folder, ['add', 'a/web']);
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain(`"${root}" is the root of a workspace`);
    expect(ended.stderr).toContain('-w @acme/web, -w @acme/ui; -w . is the root itself');
  }
});

it.each([
  ['nobody', 'No member of the workspace'],
  ['../outside', 'No member of the workspace'],
  ['twice', 'Several members of the workspace'],
])('refuses -w %s', async (member, problem) => {
  const twice = json({ name: 'twice' });
  const more = { 'apps/a/package.json': twice, 'apps/b/package.json': twice };
  const root = makeProject({ ...WORKSPACE, ...more });
  const ended = await stackyard(['list', '-C', root, '-w', member]);
  expect(ended.status).toBe(2);
  expect(ended.stderr).toContain(problem);
});

it('refuses -w where there is no workspace', async () => {
  const ended = await stackyard(['list', '-C', makeProject(), '-w', 'x']);
  expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('no workspace in or')]);
});

it.each([
  ['by name', '@acme/web', '.'],
  ['by path', 'apps/web', '.'],
  ['by a path as Windows writes it', '.\\apps\\web', '.'],
  ['by a path from the working folder', 'web', 'apps'],
])('finds a member %s', async (_, member, folder) => {
  const url = await exampleRegistry();
  const root = makeProject(WORKSPACE);
  const args = ['add', 'a/web', '-w', member, '--no-install', '--registry', url];
  const ended = await inFolder(join(root, folder), args);
  expect(ended.stderr).toBe('');
  const files = Object.keys(readProject(root));
  expect(files).toContain('apps/web/src/web/src/index.ts');
  expect(files).toContain('apps/web/stackyard.lock.json');
  expect(files).not.toContain('stackyard.lock.json');
});

it('finds the nearest project from a folder below it', async () => {
  const url = await exampleRegistry();
  const root = makeProject(WORKSPACE);
  mkdirSync(join(root, 'apps/web/src/deep'), { recursive: true });
  const args = ['add', 'a/web', '--no-install', '--registry', url];
  expect((await inFolder(join(root, 'apps/web/src/deep'), args)).status).toBe(0);
  expect(existsSync(join(root, 'apps/web/stackyard.lock.json'))).toBe(true);
});

it('uses the root with -w ., and recognises it later', async () => {
  const url = await exampleRegistry();
  const root = makeProject(WORKSPACE);
  const args = ['add', 'a/web', '-w', '.', '--no-install', '--registry', url];
  expect((await inFolder(join(root, 'apps/web'), args)).status).toBe(0);
  // The root has no TypeScript: its files are JavaScript.
  expect(existsSync(join(root, 'src/web/src/index.js'))).toBe(true);
  expect((await inFolder(root, ['list'])).stdout).toContain('a/web 1.0.0');
});

it('does not look above a git repository', async () => {
  const outer = makeProject({ 'package.json': '{}', 'repo/docs/x.md': '' });
  execFileSync('git', ['init', '--quiet', join(outer, 'repo')]);
  const ended = await inFolder(join(outer, 'repo/docs'), ['list']);
  expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining('no project in')]);
});

it('sees what is hoisted to the root, and the range of a catalog', async () => {
  const url = await exampleRegistry();
  const express = json({ name: 'web', dependencies: { express: 'catalog:http' } });
  const hoisted = makeProject({
    'package.json': json({ private: true, workspaces: ['*'] }),
    'web/package.json': express,
    'node_modules/express/package.json': json({ name: 'express', version: '5.1.0' }),
  });
  const catalog = (range: string): string =>
    makeProject({
      'pnpm-workspace.yaml': `packages:\n  - "**"\n  - '!**/test/**'\ncatalogs:\n  http:\n    express: ${range}\n`,
      'web/package.json': express,
      'web/test/package.json': json({ name: 'fixture' }),
    });
  const args = ['add', 'a/needs', '-w', 'web', '--no-install', '--registry', url, '-C'];
  expect((await stackyard([...args, hoisted])).stderr).toBe('');
  expect((await stackyard([...args, catalog('^5.0.0')])).stderr).toBe('');
  const old = await stackyard([...args, catalog('^4.0.0')]);
  expect([old.status, old.stderr]).toEqual([4, expect.stringContaining('express')]);
  const excluded = await stackyard(['list', '-C', catalog('^5.0.0'), '-w', 'fixture']);
  expect(excluded.stderr).toContain('No member of the workspace');
});

it('reports the place where a pnpm-workspace.yaml cannot be parsed', async () => {
  const root = makeProject({ 'pnpm-workspace.yaml': 'packages: [\n', 'web/package.json': '{}' });
  const ended = await inFolder(join(root, 'web'), ['list', '-w', 'web']);
  expect(ended.status).toBe(9);
  expect(ended.stderr).toContain('pnpm-workspace.yaml');
});

/** The project runs on the Node.js of this test. */
const VARIABLES = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };

it('installs packages of a member with npm, at the root', { timeout: 120_000 }, async () => {
  const url = await exampleRegistry();
  const root = makeProject(WORKSPACE);
  const web = join(root, 'apps/web');
  const args = ['add', 'a/web', '-w', '@acme/web', '-C', root, '--registry', url];
  const before = readFileSync(join(web, 'package.json'), 'utf8');
  // The member has the dependency already: this build adds none, so nothing is run.
  expect((await stackyard(args, VARIABLES)).status).toBe(0);
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
  expect((await stackyard(['remove', 'a/web', '-C', web], VARIABLES)).status).toBe(0);
  expect(readFileSync(join(web, 'package.json'), 'utf8')).toBe(before);
  const bare = makeProject({ ...WORKSPACE, 'apps/web/package.json': json({ name: '@acme/web' }) });
  const added = await stackyard(
    ['add', 'a/web', '-w', '@acme/web', '-C', bare, '--registry', url],
    VARIABLES,
  );
  expect([added.status, added.stderr]).toEqual([0, expect.stringContaining('Running npm install')]);
  expect(readdirSync(join(bare, 'node_modules/@acme'))).toContain('ui');
  const lock = readFileSync(join(bare, 'package-lock.json'), 'utf8');
  expect(JSON.parse(lock)).toMatchObject({
    packages: { 'apps/web': { dependencies: { '@acme/ui': '^1.0.0' } } },
  });
  expect(existsSync(join(bare, 'apps/web/package-lock.json'))).toBe(false);
  expect(existsSync(join(bare, 'apps/web/node_modules'))).toBe(false);
});
