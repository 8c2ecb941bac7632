/** What the code of published builds needs of the language, compared with projects by the real programs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { runClient } from './client-process.ts';
import type { Ended } from '../run/script-process.ts';

const root = mkdtempSync(join(tmpdir(), 'stackyard-language-'));
const index = join(root, 'index');
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  const git = new GitFixture(mkdtempSync(join(root, 'git-')));
  const own = { files: ['src/**'], stack: {} };
  git.commit({
    ...build('a/meta', '1.0.0', own, {
      'src/index.ts': '// One.\nexport const here = import.meta.url;\n',
    }),
    ...build('a/match', '1.0.0', own, { 'src/a.py': 'match 1:\n    case 1: pass\n' }),
  });
  // The first versions need nothing.
  const [later, python] = [
    { ...own, base: 'later' },
    { ...own, base: 'python' },
  ];
  git.commit({
    ...build('a/later', '1.0.0', later, { 'src/index.ts': 'export const here = 1;\n' }),
    ...build('a/later-py', '1.0.0', python, { 'src/a.py': 'x = 1\n' }),
  });
  git.commit({
    ...build('a/later', '1.1.0', later, { 'src/index.ts': '\nexport const here = import.meta;\n' }),
    ...build('a/later-py', '1.1.0', python, { 'src/a.py': 'match 1:\n    case 1: pass\n' }),
  });
  await generateDocuments({ repo: git.folder, out: index, threads: 1 });
});

async function run(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  return runIn(projectOf(files), ...args);
}

function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'project-'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

async function runIn(cwd: string, ...args: string[]): Promise<Ended> {
  mkdirSync(join(root, 'state'), { recursive: true });
  const variables = { STACKYARD_STATE: join(root, 'state'), STACKYARD_CACHE: join(root, 'cache') };
  return runClient([...args, '--registry', index], { cwd, variables });
}

const COMMONJS = {
  'package.json': '{ "name": "app" }\n',
  'tsconfig.json': '{\n  "extends": "./base.json"\n}\n',
  'base.json': '{\n  "compilerOptions": {\n    "module": "commonjs"\n  }\n}\n',
};
const WARNING =
  'a/meta: src/index.ts:2 uses import.meta, which "module": "commonjs" does not allow at base.json:3';

test.each([[['add', 'a/meta', '--dry-run']], [['add', 'a/meta']]])(
  '%j warns with the file and line of the build and of the setting',
  async (args) => {
    const { status, stderr } = await run(COMMONJS, ...args);
    expect(stderr).toContain(WARNING);
    expect(status).toBe(0);
  },
);

test('"search --fits" names what needs care, and leaves out what cannot run', async () => {
  const files = {
    ...COMMONJS,
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = "==3.9.*"\n',
  };
  const { stdout } = await run(files, 'search', '--fits', '--json');
  const { builds } = (
    JSON.parse(stdout) as { data: { builds: { id: string; language?: string[] }[] } }
  ).data;
  expect(builds.map(({ id, language }) => ({ id, language }))).toEqual([
    { id: 'a/later', language: [WARNING.replace('a/meta', 'a/later')] },
    { id: 'a/meta', language: [WARNING] },
  ]);
});

test('"update" warns and stops as "add" does, and leaves out what stays', async () => {
  const old = '[project]\nname = "a"\nversion = "1"\nrequires-python = "==3.9.*"\n';
  const folder = projectOf({ ...COMMONJS, 'pyproject.toml': old });
  expect((await runIn(folder, 'add', 'a/later@1.0.0', 'a/later-py@1.0.0')).status).toBe(0);
  const warned = await runIn(folder, 'update', 'a/later@^1.0.0');
  expect(warned.stderr).toContain(WARNING.replace('a/meta', 'a/later'));
  expect([warned.status, warned.stdout]).toEqual([
    0,
    expect.stringContaining('a/later 1.0.0 -> 1.1.0'),
  ]);
  const stopped = await runIn(folder, 'update', 'a/later-py@^1.0.0');
  expect(stopped.stderr).toContain('Cannot use "a/later-py": src/a.py:1 needs Python 3.10');
  expect(stopped.stderr).not.toContain('import.meta');
  expect(stopped.status).toBe(4);
});

test.each([['add'], ['add', '--dry-run']])(
  '"%s %s" stops where Python cannot read the code',
  async (...command) => {
    const files = {
      'package.json': '{}\n',
      'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = "==3.9.*"\n',
    };
    const { status, stderr } = await run(files, ...command, 'a/match');
    expect(stderr).toContain(
      'Cannot use "a/match": src/a.py:1 needs Python 3.10, and the project has 3.9.0 (pyproject.toml, requires-python)',
    );
    expect(status).toBe(4);
  },
);

test('"add" warns where the Python in use can read the code and the project admits one that cannot', async () => {
  const pyproject = '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\n';
  const { status, stderr } = await run({ 'pyproject.toml': pyproject }, 'add', 'a/match');
  expect(stderr).toContain(
    'a/match: src/a.py:1 needs Python 3.10, and the project has 3.9.0 (pyproject.toml, requires-python)',
  );
  expect(status).toBe(0);
});
