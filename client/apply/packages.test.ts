/** Which command installs packages, for every manager that a project can have. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PipEntry } from '../plan/planned-entries.ts';
import { checkOneManager, checkOnePythonManager } from '../project/package-managers.ts';
import { findByHand } from '../change/view-project.ts';
import { nodeCommand } from './packages.ts';
import { formatCommand } from './package-command.ts';
import { pipCommands, relockCommands } from './python-packages.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-manager-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries({ '.git/HEAD': '', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
  return folder;
}

const NPM = 'npm install --ignore-scripts --no-audit --no-fund';

describe('nodeCommand()', () => {
  test.each<[Record<string, string>, string]>([
    [{}, NPM],
    [{ 'package-lock.json': '{}' }, NPM],
    [{ 'pnpm-lock.yaml': '' }, 'pnpm install --ignore-scripts'],
    [{ 'yarn.lock': '' }, 'yarn install --ignore-scripts'],
    [{ 'package.json': '{"packageManager":"yarn@4.1.0"}' }, 'yarn install --mode=skip-build'],
    [{ 'bun.lock': '' }, 'bun install --ignore-scripts'],
    [{ 'deno.lock': '' }, 'deno install'],
    [{ 'deno.jsonc': '{}' }, 'deno install'],
    [{ 'deno.json': '{}', 'package-lock.json': '{}' }, NPM],
  ])('in a project with %o is %s', async (files, command) => {
    expect(formatCommand(await nodeCommand(folderWith(files)))).toBe(command);
  });

  test.each([
    ['pnpm-lock.yaml', '', 'pnpm install --ignore-scripts --no-frozen-lockfile'],
    [
      'package.json',
      '{"packageManager":"yarn@4.1.0"}',
      'yarn install --mode=skip-build --no-immutable',
    ],
    ['yarn.lock', '', 'yarn install --ignore-scripts'],
    ['package-lock.json', '{}', NPM],
  ])(
    'after a change of package.json, with %s, is allowed to change the lock',
    async (file, text, command) => {
      expect(formatCommand(await nodeCommand(folderWith({ [file]: text }), true))).toBe(command);
    },
  );

  test('of a manager that is not known is only printed', async () => {
    const command = await nodeCommand(folderWith({ 'nub.lock': '' }));
    expect([formatCommand(command), command.isRunnable]).toEqual(['nub install', false]);
  });
});

function entry(name: string, specifier: string, file: string): PipEntry {
  const table = 'dependencies';
  return { build: 'a/x', name, specifier, wanted: specifier, table, file, action: 'added' };
}

const STANDARD = '[project]\nname = "p"\n';
const PDM = ['pdm lock --update-reuse', 'pdm install'];
const VENV_PIP = '.venv/lib/python3.12/site-packages/pip/__init__.py';
const python = join('.venv', 'bin', 'python');

describe.skipIf(process.platform === 'win32')('pipCommands()', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['uv with its lock', { 'pyproject.toml': STANDARD, 'uv.lock': '' }, ['uv sync']],
    ['uv without', { 'pyproject.toml': `${STANDARD}[tool.uv]\n` }, ['uv sync']],
    ['pdm with its lock', { 'pyproject.toml': STANDARD, 'pdm.lock': '' }, PDM],
    [
      'pdm without',
      { 'pyproject.toml': `${STANDARD}[build-system]\nbuild-backend = "pdm.backend"\n` },
      ['pdm install'],
    ],
    [
      'poetry with its lock',
      { 'pyproject.toml': '[tool.poetry]\n', 'poetry.lock': '' },
      ['poetry lock', 'poetry install'],
    ],
    [
      'poetry without',
      {
        'pyproject.toml': `${STANDARD}[build-system]\nbuild-backend = "poetry.core.masonry.api"\n`,
      },
      ['poetry install'],
    ],
    [
      'hatch',
      { 'pyproject.toml': `${STANDARD}[tool.hatch.envs.default]\n` },
      ['hatch run python -m pip install "idna>=3.4,<4"'],
    ],
    [
      'pip without an environment',
      { 'pyproject.toml': STANDARD },
      ['python -m pip install --disable-pip-version-check "idna>=3.4,<4"'],
    ],
    [
      'pip with one',
      { 'pyproject.toml': STANDARD, '.venv/bin/python': '', [VENV_PIP]: '' },
      [`${python} -m pip install --disable-pip-version-check "idna>=3.4,<4"`],
    ],
    [
      'an environment that uv made',
      { 'pyproject.toml': STANDARD, '.venv/bin/python': '' },
      [`uv pip install --python ${python} "idna>=3.4,<4"`],
    ],
  ])('for pyproject.toml of %s', (_, files, commands) => {
    const project = folderWith(files);
    const found = pipCommands(project, [entry('idna', '>=3.4,<4', 'pyproject.toml')]);
    expect(found.map(formatCommand)).toEqual(commands);
  });

  test.each<[string, Record<string, string>, string[]]>([
    [
      'uv',
      { 'pyproject.toml': '[tool.uv.workspace]\nmembers = ["m"]\n', 'uv.lock': '' },
      ['uv sync --inexact'],
    ],
    ['pdm', { 'pyproject.toml': '[tool.pdm.workspace]\nmembers = ["m"]\n', 'pdm.lock': '' }, PDM],
    [
      'poetry, whose root depends on it',
      {
        'pyproject.toml': '[tool.poetry.dependencies]\nm = { path = "m" }\n',
        'poetry.lock': '',
        'm/poetry.lock': '',
      },
      ['poetry lock', 'poetry -C .. lock', 'poetry install'],
    ],
  ])('for a member of a workspace of %s', (_, files, commands) => {
    const root = folderWith({ ...files, 'm/pyproject.toml': STANDARD });
    const found = pipCommands(join(root, 'm'), [entry('idna', '*', 'pyproject.toml')]);
    expect(found.map(formatCommand)).toEqual(commands);
  });

  test('for requirements names the files', () => {
    const added = [entry('idna', '*', 'requirements.txt'), entry('q', '*', 'requirements-dev.txt')];
    expect(pipCommands(folderWith({}), added).map(formatCommand)).toEqual([
      'python -m pip install --disable-pip-version-check -r requirements.txt -r requirements-dev.txt',
    ]);
  });
});

describe('relockCommands()', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['the lock of uv', { 'uv.lock': '' }, ['uv sync']],
    ['the lock of pdm', { 'pdm.lock': '' }, PDM],
    ['the lock of poetry', { 'poetry.lock': '' }, ['poetry lock', 'poetry install']],
    ['no lock', { 'pyproject.toml': `${STANDARD}[tool.uv]\n` }, []],
    ['no manager', { 'pyproject.toml': STANDARD }, []],
  ])('with %s', (_, files, commands) => {
    const found = relockCommands(folderWith({ 'pyproject.toml': STANDARD, ...files }));
    expect(found.map(formatCommand)).toEqual(commands);
  });
});

describe('findByHand()', () => {
  test.each([
    [{ 'deno.json': '{}' }, { npm: 'deno' }],
    [{ Pipfile: '' }, { pip: 'pipenv' }],
    [{ 'environment.yml': 'name: x\n' }, { pip: 'conda' }],
    [{ 'environment.yml': 'name: x\n', 'requirements.txt': '' }, {}],
    [{ Pipfile: '', 'pyproject.toml': '[tool.ruff]\n' }, { pip: 'pipenv' }],
    [{ Pipfile: '', 'pyproject.toml': STANDARD }, {}],
    [{}, {}],
  ])('for %o is %o', (files, expected) => {
    expect(findByHand(folderWith(files as Record<string, string>))).toEqual({
      npm: undefined,
      pip: undefined,
      ...expected,
    });
  });
});

describe('several managers in one project', () => {
  const both = { 'package-lock.json': '{}', 'pnpm-lock.yaml': '' };

  test('are refused, unless the project names one', () => {
    expect(() => checkOneManager(folderWith(both))).toThrow(
      expect.objectContaining({
        code: 'ERR_PROJECT_FILE',
        message: expect.stringMatching(/has "package-lock\.json" and "pnpm-lock\.yaml"$/),
        hint: expect.stringContaining('packageManager'),
      }),
    );
    const named = { ...both, 'package.json': '{"packageManager":"pnpm@10.0.0"}' };
    expect(() => checkOneManager(folderWith(named))).not.toThrow();
  });

  test('of a workspace root count for its member', () => {
    const files = {
      ...both,
      'package.json': '{"workspaces":["apps/*"]}',
      'apps/web/package.json': '{"name":"web"}',
    };
    const member = join(folderWith(files), 'apps/web');
    expect(() => checkOneManager(member)).toThrow('Cannot choose a package manager');
    writeFileSync(join(member, 'package-lock.json'), '{}');
    expect(() => checkOneManager(member)).not.toThrow();
  });

  test('of Python are refused', () => {
    const project = folderWith({ 'poetry.lock': '', 'uv.lock': '' });
    expect(() => checkOnePythonManager(project)).toThrow(
      expect.objectContaining({ code: 'ERR_PROJECT_FILE' }),
    );
  });
});
