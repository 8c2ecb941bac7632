import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { COPY_BOUNDS, copyProject, copyWorkspace } from './copy-project.ts';

const FILES = {
  'package.json': '{}',
  '.env': 'A=1',
  'src/a.ts': 'a',
  'node_modules/x/index.js': 'x',
  'node_modules/.cache/y': 'y',
  'node_modules/.bin-list': 'z',
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
  const absent = ['.git', 'outside', 'absolute', 'node_modules/.cache'];
  for (const path of absent) expect([path, isThere(join(copy, path))]).toEqual([path, false]);
  expect(lstatSync(join(copy, 'node_modules/x')).isSymbolicLink()).toBe(true);
  writeFileSync(join(copy, 'src/a.ts'), 'changed');
  writeFileSync(join(copy, 'node_modules/.bin-list'), 'changed');
  expect(readFileSync(join(project, 'src/a.ts'), 'utf8')).toBe('a');
  expect(readFileSync(join(project, 'node_modules/.bin-list'), 'utf8')).toBe('z');
});

it.each([
  [{ ...COPY_BOUNDS, files: 2 }, 'it has more than 2 files'],
  [{ ...COPY_BOUNDS, bytes: 4 }, 'it has more than 4 bytes'],
  [{ ...COPY_BOUNDS, timeMs: -1 }, 'it takes longer than -0.001 seconds'],
])('copyProject() states which bound it has reached: %j', async (bounds, why) => {
  const { project, copy } = folder();
  expect(await copyProject(project, copy, signal, bounds)).toBe(why);
});

const manifest = (name: string, ...needs: string[]): string =>
  JSON.stringify({ name, dependencies: Object.fromEntries(needs.map((one) => [one, '*'])) });
const WORKSPACE = {
  'package.json': '{ "workspaces": ["packages/*"] }',
  'tsconfig.json': '{}',
  'node_modules/x/index.js': 'x',
  'packages/api/package.json': manifest('api', '@a/shared', 'x'),
  'packages/shared/package.json': manifest('@a/shared', '@a/deep'),
  'packages/deep/package.json': manifest('@a/deep'),
  'packages/web/package.json': manifest('web'),
  'packages/web/large.bin': 'x'.repeat(1_000),
};

function linked(): { project: string; copy: string } {
  const made = folder(WORKSPACE);
  mkdirSync(join(made.project, 'node_modules/@a'));
  symlinkSync('../../packages/shared', join(made.project, 'node_modules/@a/shared'));
  symlinkSync('../../packages/deep', join(made.project, 'node_modules/@a/deep'));
  symlinkSync('../packages/web', join(made.project, 'node_modules/web'));
  return made;
}

it('copyWorkspace() copies all members, and links lead to those of the copy', async () => {
  const { project, copy } = linked();
  const made = await copyWorkspace(join(project, 'packages/api'), copy, signal);
  expect(made).toEqual({
    folder: join(copy, 'packages/api'),
    missing: undefined,
    pythonPath: [],
  });
  for (const path of ['tsconfig.json', 'packages/web/large.bin', 'node_modules/x/index.js'])
    expect([path, isThere(join(copy, path))]).toEqual([path, true]);
  const real = (path: string): string => realpathSync(join(copy, path));
  expect(real('node_modules/@a/shared')).toBe(real('packages/shared'));
  expect(real('node_modules/web')).toBe(real('packages/web'));
});

it('copyWorkspace() names the folders from which Python imports, instead of those of the user', async () => {
  const packages = '.venv/lib/python3.12/site-packages';
  const { project, copy } = folder({
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["api", "shared"]\n',
    'api/pyproject.toml': '[project]\nname = "api"\n',
    'shared/pyproject.toml': '[project]\nname = "shared"\n',
    'shared/src/shared/__init__.py': '',
    [`${packages}/other.pth`]: 'import _virtualenv\n/elsewhere\n',
  });
  writeFileSync(join(project, packages, '_shared.pth'), `${join(project, 'shared/src')}\n`);
  const made = await copyWorkspace(join(project, 'api'), copy, signal);
  expect(made).toMatchObject({ missing: undefined, pythonPath: [join(copy, 'shared/src')] });
});
