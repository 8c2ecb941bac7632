import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WorkingCopy } from './working-copy.ts';

it('WorkingCopy shows changed files of a version as its next patch, and files of a newer version as that', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'source');
  const build = join(source, 'builds/a/x');
  const git = (at: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: at,
      encoding: 'utf8',
    });
  const write = (version: string, text: string): void => {
    mkdirSync(build, { recursive: true });
    writeFileSync(join(build, 'stackyard.json'), `{ "version": "${version}", "name": "x" }`);
    writeFileSync(join(build, 'README.md'), text);
  };
  write('1.0.0', 'one');
  git(folder, 'init', '-q', 'source');
  git(source, 'add', '-A');
  git(source, 'commit', '-qm', 'First');
  const copy = new WorkingCopy(source, join(folder, 'copy'));
  const shown = (): string =>
    git(copy.folder, 'show', 'HEAD:builds/a/x/stackyard.json', 'HEAD:builds/a/x/README.md');

  expect(copy.update()).toEqual([]);
  write('1.0.0', 'two');
  expect(copy.update()).toEqual(['a/x 1.0.1']);
  expect(shown()).toBe('{ "version": "1.0.1", "name": "x" }two');
  expect(copy.update()).toEqual([]);
  write('1.0.0', 'three');
  expect(copy.update()).toEqual(['a/x 1.0.2']);
  write('2.0.0', 'three');
  expect(copy.update()).toEqual(['a/x 2.0.0']);
  expect(git(source, 'status', '--porcelain').trim().split('\n')).toHaveLength(2);
  expect(git(copy.folder, 'log', '--format=%s').split('\n')).toContain('First');
});
