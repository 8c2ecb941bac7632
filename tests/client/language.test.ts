/** What the code of published builds needs of the language, compared with projects by the real programs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { runClient } from './client-process.ts';
import type { Ended } from './client-process.ts';

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
  await generate({ repo: git.folder, out: index, threads: 1 });
});

async function run(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const cwd = mkdtempSync(join(root, 'project-'));
  mkdirSync(join(root, 'state'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text);
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

test.each([[['add', 'a/meta', '--dry-run']], [['fit', 'a/meta']]])(
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
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\n',
  };
  const { stdout } = await run(files, 'search', '--fits', '--json');
  const { builds } = (
    JSON.parse(stdout) as { data: { builds: { id: string; language?: string[] }[] } }
  ).data;
  expect(builds.map(({ id, language }) => ({ id, language }))).toEqual([
    { id: 'a/meta', language: [WARNING] },
  ]);
});

test.each(['add', 'fit'])('"%s" stops where Python cannot read the code', async (command) => {
  const files = {
    'package.json': '{}\n',
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\n',
  };
  const { status, stderr } = await run(files, command, 'a/match');
  expect(stderr).toContain(
    'Cannot use "a/match": src/a.py:1 needs Python 3.10, and the project has 3.9.0 (pyproject.toml, requires-python)',
  );
  expect(status).toBe(4);
});
