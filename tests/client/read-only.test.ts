/** A project that nobody may write to: each command that changes it ends with a clear error, and others work. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import {
  bringUpToDate,
  makeProject,
  readProject,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';

/** Makes `folder` read-only until the returned function is called. A mode does not stop root: a mount does. */
function makeReadOnly(folder: string): () => void {
  if (process.getuid?.() !== 0) {
    const setMode = (mode: number): void => {
      for (const path of ['', 'src', 'src/src']) chmodSync(join(folder, path), mode);
    };
    setMode(0o555);
    return () => setMode(0o755);
  }
  execFileSync('mount', ['--bind', folder, folder], { stdio: 'pipe' });
  let isMounted = true;
  const release = (): void => {
    if (isMounted) execFileSync('umount', [folder]);
    isMounted = false;
  };
  onTestFinished(release);
  execFileSync('mount', ['-o', 'remount,ro,bind', folder], { stdio: 'pipe' });
  return release;
}

it('refuses to change a read-only project with its path and a hint, and reads it', async () => {
  const git = new GitFixture();
  git.commit(build('a/b', '1.0.0', { base: 'src' }));
  git.commit(build('c/d', '1.0.0', { base: 'lib' }));
  const { url, index } = await serveRegistry(git);
  const project = makeProject();
  mkdirSync(join(project, 'src/src'), { recursive: true });
  const run = (...words: string[]) => stackyard([...words, '-C', project, '--registry', url]);
  expect((await run('add', 'a/b')).status).toBe(0);
  git.commit(build('a/b', '1.1.0', { base: 'src' }));
  await bringUpToDate(git, index);
  const before = readProject(project);

  const release = makeReadOnly(project);
  for (const words of [['add', 'c/d'], ['update'], ['remove', 'a/b'], ['undo']]) {
    const { status, stderr } = await run(...words);
    expect([words, status, stderr]).toEqual([
      words,
      9,
      expect.stringMatching(/^error: Cannot write ".+": .+ \((?:EROFS|EACCES)\)\nhint: \S/),
    ]);
    expect(readProject(project)).toEqual(before);
  }
  for (const words of [['verify'], ['list'], ['outdated'], ['add', 'c/d', '--dry-run']]) {
    expect([words, (await run(...words)).status]).toEqual([words, 0]);
  }
  release();
  expect((await run('update')).status).toBe(0);
});
