/** A folder that brings its own git configuration: no program that it names is started. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { serveRegistry, stackyard } from './registry-fixture.ts';

const MANIFEST = {
  name: 'dates',
  version: '1.0.0',
  kind: 'module',
  description: 'Days of the calendar',
  license: 'MIT',
};

/** A repository whose configuration, attributes and hooks start programs, each of which leaves a file. */
function hostileFolder(): { folder: string; started: () => string[] } {
  const folder = join(temporaryFolder(), 'dates');
  const marks = temporaryFolder();
  mkdirSync(folder);
  const program = (name: string): string => {
    const file = join(marks, `${name}.sh`);
    writeFileSync(file, `#!/bin/sh\ntouch '${join(marks, name)}'\nexit 1\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  };
  git('init', '--quiet');
  writeFileSync(join(folder, 'stackyard.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, '.gitignore'), 'src/x/src/\n');
  writeFileSync(join(folder, 'index.js'), 'export const day = 1;\n');
  writeFileSync(join(folder, 'old.js'), 'export const old = 1;\n');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'x');
  writeFileSync(join(folder, '.git/info/attributes'), '* filter=evil diff=evil\n');
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'pager.status',
    'diff.external',
    'diff.evil.textconv',
    'filter.evil.clean',
    'filter.evil.process',
    'core.sshCommand',
    'credential.helper',
  ]) {
    git('config', key, program(key));
  }
  for (const alias of ['status', 'ls-files', 'remote', 'config']) {
    git('config', `alias.${alias}`, `!${program(`alias-${alias}`)}`);
  }
  git('config', 'remote.origin.url', 'git@example.org:a/dates.git');
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
    const file = join(folder, '.git/hooks', hook);
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\ntouch '${join(marks, `hook-${hook}`)}'\n`);
    chmodSync(file, 0o755);
  }
  // Another time: git compares the content, through the filter.
  utimesSync(join(folder, 'old.js'), 1, 1);
  const started = (): string[] => readdirSync(marks).filter((name) => !name.endsWith('.sh'));
  return { folder, started };
}

it.each([
  ['check', ['check'], 0],
  ['pack', ['pack'], 0],
  ['publish', ['publish', '--dry-run', '--owner', 'alice'], 8],
  ['add', ['add', 'a/x', '--no-install', '-C'], 0],
])('%s starts nothing of a folder', async (_, args, status) => {
  const { folder, started } = hostileFolder();
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'src/x' }));
  const env = { STACKYARD_REGISTRY: (await serveRegistry(git)).url };
  const ended = await stackyard([...args, folder], env, undefined, temporaryFolder());
  expect(started(), ended.stderr).toEqual([]);
  expect(existsSync(join(folder, '.git'))).toBe(true);
  expect(ended.status, ended.stdout + ended.stderr).toBe(status);
  // git was really called.
  if (args[0] === 'add') expect(ended.stderr).toContain('git ignores src/x/src/index.ts');
});
