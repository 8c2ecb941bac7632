import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkParents, checkTargets } from './safe-path.ts';
import { makeProject, treeOf } from '../../tests/client/project-tree.ts';

async function project(): Promise<string> {
  const folder = await makeProject({ 'src/main.ts': 'm', 'README.md': 'r' });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink('/', join(folder, 'outside'));
  await symlink('src', join(folder, 'inside'));
  await symlink('src/main.ts', join(folder, 'link.ts'));
  await symlink('gone', join(folder, 'dangling'));
  return folder;
}

function checkWritten(folder: string, paths: readonly string[]): Promise<unknown> {
  return checkTargets(
    folder,
    paths.map((path) => ({ path, bytes: new Uint8Array() })),
  );
}

test('accepts files that are there and files that are not', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  await checkWritten(folder, ['src/main.ts', 'src/a/b/c.ts', 'README.md', 'new']);
  expect(await treeOf(folder)).toEqual(before);
});

test.each([
  ['a symlinked folder that leads outside', 'outside/tmp/x', '"outside" is a symlink'],
  ['a symlinked folder that leads inside', 'inside/main.ts', '"inside" is a symlink'],
  ['a target that is a symlink', 'link.ts', '"link.ts" is a symlink'],
  ['a target that is a dangling symlink', 'dangling', '"dangling" is a symlink'],
  ['a target that is a folder', 'src', '"src" is a folder'],
  ['a parent that is a file', 'README.md/x', '"README.md" is a file'],
  ['a way out of the project', '../x', 'not a safe relative path'],
  ['the working folder', '.stackyard/lock', "the client's own folder"],
  ['the working folder in another case', '.STACKYARD/lock', "the client's own folder"],
])('refuses %s', async (_, path, reason) => {
  const run = checkWritten(await project(), [path]);
  await expect(run).rejects.toMatchObject({
    code: 'ERR_PATH_POLICY',
    message: expect.stringContaining(reason),
  });
});

test('refuses a special file', { skip: process.platform === 'win32' }, async () => {
  const folder = await project();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expect(checkWritten(folder, ['pipe'])).rejects.toThrow('"pipe" is a special file');
});

test.each([
  [['readme.md']],
  [['SRC/other.ts']],
  [['src/Main.ts']],
  [['new.ts', 'New.ts']],
  [['new', 'new/file']],
  [['new.ts', 'new.ts']],
])('%j fall onto names that are there, or onto each other', async (paths) => {
  await expect(checkWritten(await project(), paths)).rejects.toMatchObject({
    code: 'ERR_CONFLICT',
  });
});

test('an existing name in another normal form is a conflict', async () => {
  const folder = await makeProject({ ['caf\u00E9'.normalize('NFD')]: 'x' });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = checkWritten(folder, ['caf\u00E9']);
  // macOS takes both for one file, which is then simply there.
  if (process.platform === 'darwin') await run;
  else await expect(run).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
});

test('missing folders are listed outermost first', async () => {
  const folder = await project();
  expect(await checkParents(folder, 'src/a/b/c.ts')).toEqual(['src/a', 'src/a/b']);
  expect(await checkParents(folder, 'src/main.ts')).toEqual([]);
  expect(await checkParents(folder, 'top')).toEqual([]);
});
