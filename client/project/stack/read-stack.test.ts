import { lowestPipVersion, toSemver } from '../../../format/project/requirement.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readStack } from './read-stack.ts';

const NODE = '24.1.0';

/** The tags of a project with these files, as `version (source)`. */
async function stackOf(
  files: Readonly<Record<string, string>>,
  member = '.',
): Promise<Record<string, string>> {
  const project = mkdtempSync(join(tmpdir(), 'stackyard-stack-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  for (const [path, text] of Object.entries({ '.git/HEAD': '', ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const facts = await readStack(join(project, member), NODE);
  return Object.fromEntries(
    [...facts].map(([tag, { version, source }]) => [tag, `${version} (${source})`]),
  );
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

describe('node', () => {
  test.each([
    [{}, '24.1.0 (the Node.js in use)'],
    [{ '.nvmrc': 'v22.14.0\n' }, '22.14.0 (.nvmrc)'],
    [{ '.nvmrc': '22\n', '.node-version': '20.1.0' }, '22.0.0 (.nvmrc)'],
    [{ '.nvmrc': 'lts/*\n', '.node-version': '24' }, '24.1.0 (.node-version)'],
    [{ '.tool-versions': 'python 3.12.1\nnodejs 22.1.0 # pin\n' }, '22.1.0 (.tool-versions)'],
    [{ 'package.json': json({ engines: { node: '>=20' } }) }, '24.1.0 (package.json, engines)'],
    [{ 'package.json': json({ engines: { node: '^20.5.0' } }) }, '20.5.0 (package.json, engines)'],
    [{ 'package.json': json({ engines: { node: 24 } }) }, '24.1.0 (the Node.js in use)'],
  ])('%o is %s', async (files, expected) => {
    expect((await stackOf(files))['node']).toBe(expected);
  });
});

describe('npm packages', () => {
  const declared = { 'package.json': json({ dependencies: { express: '^5.0.0' } }) };

  test.each([
    [declared, '5.0.0 (package.json, dependencies: ^5.0.0)'],
    [
      {
        ...declared,
        'package-lock.json': json({ packages: { 'node_modules/express': { version: '5.1.0' } } }),
      },
      '5.1.0 (package-lock.json)',
    ],
    [
      {
        ...declared,
        'package-lock.json': json({ packages: { 'node_modules/express': { version: '5.1.0' } } }),
        'node_modules/express/package.json': json({ version: '5.2.0' }),
      },
      '5.2.0 (node_modules/express)',
    ],
    [
      { 'package.json': json({ devDependencies: { express: 'latest' } }) },
      'undefined (package.json, devDependencies)',
    ],
    [{ 'node_modules/express/package.json': json({ version: '5.2.0' }) }, undefined],
    [
      { 'package.json': `\u{FEFF}${declared['package.json']}` },
      '5.0.0 (package.json, dependencies: ^5.0.0)',
    ],
    [{ 'package.json': json({ dependencies: ['express'] }) }, undefined],
  ])('%o give express %s', async (files, expected) => {
    expect((await stackOf(files))['express']).toBe(expected);
  });

  test.each([
    [{}, '5.0.0 (../../package.json, devDependencies: ^5.0.0)'],
    [
      { 'node_modules/express/package.json': json({ version: '5.2.0' }) },
      '5.2.0 (node_modules/express)',
    ],
    [
      { 'apps/web/package.json': json({ dependencies: { express: '^4.0.0' } }) },
      '4.0.0 (package.json, dependencies: ^4.0.0)',
    ],
  ])('of the root count for a member of a workspace: %o', async (more, expected) => {
    const root = { workspaces: ['apps/*'], devDependencies: { express: '^5.0.0' } };
    const files = { 'package.json': json(root), 'apps/web/package.json': '{}', ...more };
    expect((await stackOf(files, 'apps/web'))['express']).toBe(expected);
    // A folder that is no member has nothing of it.
    const other = { ...files, 'tools/x/package.json': '{}' };
    expect((await stackOf(other, 'tools/x'))['express']).toBeUndefined();
  });

  test('of a package.json that cannot be read are no fact but an error', async () => {
    await expect(stackOf({ 'package.json': '{' })).rejects.toMatchObject({
      code: 'ERR_PROJECT_FILE',
    });
  });

  test('a name cannot lead out of node_modules', async () => {
    const files = {
      'package.json': json({ dependencies: { '../outside': '^1.0.0' } }),
      'outside/package.json': json({ version: '9.9.9' }),
    };
    expect((await stackOf(files))['../outside']).toBe('1.0.0 (package.json, dependencies: ^1.0.0)');
  });
});

describe('python', () => {
  test('is no tag of a project without Python', async () => {
    expect(await stackOf({ 'package.json': '{}' })).not.toHaveProperty('python');
  });

  test.each([
    [{ '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.4\n' }, '3.12.4 (.venv)'],
    [{ 'requirements.txt': '', '.python-version': '3.11\n' }, '3.11.0 (.python-version)'],
    [
      { 'pyproject.toml': '[project]\nname = "a"\nrequires-python = ">=3.14,<4"\n' },
      '3.14.0 (pyproject.toml, requires-python)',
    ],
    [
      { 'pyproject.toml': '[project]\nname = "a"\nrequires-python = ">=3.10,<4"\n' },
      '3.11.7 (the python3 in use)',
    ],
    [
      { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.9"\n' },
      '3.11.7 (the python3 in use)',
    ],
    [
      { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "~3.12"\n' },
      '3.12.0 (pyproject.toml, tool.poetry.dependencies.python)',
    ],
  ])('%o is %s', async (files, expected) => {
    const bin = mkdtempSync(join(tmpdir(), 'stackyard-python-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, 'python3'), '#!/bin/sh\necho Python 3.11.7\n', { mode: 0o755 });
    vi.stubEnv('PATH', bin);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await stackOf(files))['python']).toBe(expected);
  });

  test('its distributions: installed before declared', async () => {
    const stack = await stackOf({
      'requirements.txt': 'FastAPI>=0.115,<1\npydantic==2.9.*\nplain\n',
      'pyproject.toml': '[project]\nname = "a"\ndependencies = ["ruff~=0.6.2", "fastapi>=0.100"]\n',
      '.venv/lib/python3.12/site-packages/pydantic-2.10.1.dist-info/METADATA': '',
      '.venv/pyvenv.cfg': 'version = 3.12.4\n',
    });
    expect(stack).toMatchObject({
      fastapi: '0.115.0 (requirements.txt)',
      pydantic: '2.10.1 (.venv)',
      plain: '0.0.0 (requirements.txt)',
      ruff: '0.6.2 (pyproject.toml)',
    });
  });

  test('versions are read in the form that ranges use', () => {
    expect(['3.12', '2.0rc1', '1!4.5.6.7', 'x'].map(toSemver)).toEqual([
      '3.12.0',
      '2.0.0',
      '4.5.6',
      undefined,
    ]);
    expect(['>=1.2,<2', '<2', '!=1.5,>1', '~=1.4', '*'].map(lowestPipVersion)).toEqual([
      '1.2.0',
      '0.0.0',
      '1.0.0',
      '1.4.0',
      '0.0.0',
    ]);
  });

  test('a pyproject.toml that cannot be read is named', async () => {
    await expect(stackOf({ 'pyproject.toml': '[project\n' })).rejects.toMatchObject({
      code: 'ERR_PROJECT_FILE',
      message: expect.stringContaining('pyproject.toml'),
    });
  });
});
