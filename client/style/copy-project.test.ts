import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { COPY_BOUNDS, copyProject } from './copy-project.ts';

const FILES = {
  'package.json': '{}',
  '.env': 'A=1',
  'src/a.ts': 'a',
  'node_modules/x/index.js': 'x',
  '.git/config': '',
};
const { signal } = new AbortController();

function folder(files: Readonly<Record<string, string>> = FILES): {
  project: string;
  copy: string;
} {
  const made = mkdtempSync(join(tmpdir(), 'copy-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made, 'project', dirname(path)), { recursive: true });
    writeFileSync(join(made, 'project', path), text);
  }
  return { project: join(made, 'project'), copy: join(made, 'copy/project') };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

it('copyProject() copies files, shares packages, and leaves out what tools make', async () => {
  const { project, copy } = folder();
  symlinkSync('src/a.ts', join(project, 'inside'));
  symlinkSync('../../etc', join(project, 'outside'));
  symlinkSync('/etc', join(project, 'absolute'));
  expect(await copyProject(project, copy, signal)).toBeUndefined();
  const there = ['package.json', '.env', 'src/a.ts', 'inside', 'node_modules/x/index.js'];
  for (const path of there) expect([path, isThere(join(copy, path))]).toEqual([path, true]);
  const absent = ['.git', 'outside', 'absolute'];
  for (const path of absent) expect([path, isThere(join(copy, path))]).toEqual([path, false]);
  expect(lstatSync(join(copy, 'node_modules')).isSymbolicLink()).toBe(true);
  writeFileSync(join(copy, 'src/a.ts'), 'changed');
  expect(readFileSync(join(project, 'src/a.ts'), 'utf8')).toBe('a');
});

it.each([
  [{ ...COPY_BOUNDS, files: 2 }, 'it has more than 2 files'],
  [{ ...COPY_BOUNDS, bytes: 4 }, 'it has more than 4 bytes'],
  [{ ...COPY_BOUNDS, timeMs: -1 }, 'it takes longer than -0.001 seconds'],
])('copyProject() states which bound it has reached: %j', async (bounds, why) => {
  const { project, copy } = folder();
  expect(await copyProject(project, copy, signal, bounds)).toBe(why);
});
