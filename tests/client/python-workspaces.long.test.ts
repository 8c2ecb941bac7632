/** Workspaces of uv, poetry and pdm: members by name, and their manifests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkspace } from '../../client/project/workspace.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

const API = `[project]
name = "acme-api"
version = "0.1.0"
requires-python = ">=3.9"
dependencies = []
`;
const CORE = API.replace('acme-api', 'acme-core');

/** The root of a workspace with the members `apps/api` and `libs/core`, and `libs/old`, which is left out. */
const WORKSPACES: Readonly<Record<string, string>> = {
  uv: `[tool.uv.workspace]
members = ["apps/*", "./libs/*/"]
exclude = ["libs/old"]
`,
  pdm: `[project]
name = "acme"
version = "0.1.0"
requires-python = ">=3.9"
dependencies = []

[tool.pdm.workspace]
members = ["apps/api", "libs/c*"]
`,
  poetry: `[tool.poetry]
name = "acme"
version = "0.1.0"
description = ""
authors = []
package-mode = false

[tool.poetry.dependencies]
python = ">=3.9"
acme-api = { path = "apps/api", develop = true }

[tool.poetry.group.dev.dependencies]
acme-core = { path = "./libs/core" }
outside = { path = "../outside" }
`,
};

function workspace(tool: string): string {
  return makeProject({
    'pyproject.toml': WORKSPACES[tool]!,
    'apps/api/pyproject.toml': API,
    'libs/core/pyproject.toml': CORE,
    'libs/old/pyproject.toml': CORE,
    'libs/readme/README.md': '',
  });
}

async function registry(): Promise<string> {
  const git = new GitFixture();
  const pip = {
    dependencies: { pip: { 'acme-core': '*' } },
    devDependencies: { pip: { idna: '>=3.4' } },
  };
  git.commit(
    build('a/py', '1.0.0', { base: 'app/py', stack: { requires: { python: '>=3.9' } }, ...pip }),
  );
  return (await serveRegistry(git)).url;
}

describe.each(Object.keys(WORKSPACES))('a workspace of %s', (tool) => {
  it('has the members that the tool finds', () => {
    const root = workspace(tool);
    expect(findWorkspace(join(root, 'apps/api'))?.members).toEqual([
      { name: 'acme-api', path: 'apps/api', python: tool },
      { name: 'acme-core', path: 'libs/core', python: tool },
    ]);
  });

  it.each(['acme-api', 'apps/api'])(
    'has the member -w %s, whose manifest is edited',
    async (member) => {
      const root = workspace(tool);
      const args = ['add', 'a/py', '-w', member, '--no-install', '--registry', await registry()];
      const ended = await stackyard(args, {}, undefined, root);
      expect([ended.status, ended.stderr]).toEqual([0, '']);
      const files = readProject(root);
      expect(files['pyproject.toml']).toBe(WORKSPACES[tool]);
      expect(files['apps/api/pyproject.toml']).toBe(
        `${API.replace('[]', '["acme-core"]')}\n[dependency-groups]\ndev = [\n    "idna>=3.4",\n]\n`,
      );
      expect(Object.keys(files)).toContain('apps/api/stackyard.lock.json');
      // Byte for byte as before.
      await stackyard(
        ['remove', 'a/py', '-w', member, '--yes', '--no-install'],
        {},
        undefined,
        root,
      );
      expect(readProject(root)).toEqual(readProject(workspace(tool)));
    },
  );
});

it('requires the choice of a member where the root of uv is no project, and not where it is one', async () => {
  const url = await registry();
  const add = ['add', 'a/py', '--no-install', '--registry', url];
  const ended = await stackyard(add, {}, undefined, workspace('uv'));
  expect([ended.status, ended.stderr]).toEqual([
    2,
    expect.stringContaining('-w acme-api, -w acme-core'),
  ]);
  const pdm = workspace('pdm');
  expect((await stackyard(add, {}, undefined, pdm)).status).toBe(0);
  expect(readFileSync(join(pdm, 'pyproject.toml'), 'utf8')).toContain('"acme-core"');
});

it('has members of both languages in one root', () => {
  const root = makeProject({
    'package.json': JSON.stringify({ workspaces: ['web'] }),
    'web/package.json': JSON.stringify({ name: 'web' }),
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
    'backend/pyproject.toml': API,
  });
  expect(findWorkspace(root)?.members).toEqual([
    { name: 'acme-api', path: 'backend', python: 'uv' },
    { name: 'web', path: 'web' },
  ]);
});
