/** `init` in projects of several kinds; what it writes passes `check`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputSchema } from '../client/output-schema.ts';
import { Manifest } from '../../format/build/manifest.ts';
import { INTEGRATION_HEADINGS } from '../../scan/rules/quality/guide.ts';
import { makeProject, readProject, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';

interface Answer {
  readonly status: number | null;
  readonly data: any;
  readonly error: any;
  readonly warnings: readonly { readonly message: string }[];
}

async function run(...args: string[]): Promise<Answer> {
  const { status, stdout } = await stackyard([...args, '--json'], { GITHUB_TOKEN: '' });
  const document = JSON.parse(stdout) as Answer;
  expect((await outputSchema(args[0] ?? '')).safeParse(document).error?.message).toBeUndefined();
  return { ...document, status };
}

/** The result of `check` for a folder that `init` wrote into. */
async function codesOf(folder: string): Promise<string[]> {
  const checked = await run('check', folder);
  expect([checked.status, checked.data.publishable]).toEqual([0, true]);
  return checked.data.findings.map(({ code }: { code: string }) => code);
}

const TYPESCRIPT = {
  'package.json': JSON.stringify({
    name: '@acme/shop',
    version: '3.2.1',
    license: 'Apache-2.0',
    repository: 'git+https://host.example/acme/shop.git',
    engines: { node: '>=22.12.0' },
    dependencies: { express: '^5.1.0', zod: '^4.1.0', 'not-used': '^1.0.0' },
    devDependencies: { typescript: '^5.9.0', vitest: '^4.0.0', '@types/express': '^5.0.0' },
  }),
  '.env.example': '# Signs the links\nLINK_SECRET=\n\nVITE_TITLE="Shop"\n',
  'src/other.ts': "import leftpad from 'leftpad';\nexport const other = leftpad;\n",
  'src/links/index.ts': [
    "import { createHmac } from 'node:crypto';",
    "import { Router } from 'express';",
    "import { z } from 'zod';",
    "import missing from 'missing-one';",
    '// process.env.IN_A_COMMENT',
    "const text = 'process.env.IN_A_STRING';",
    'export const key = process.env.LINK_SECRET ?? text;',
    'export const title = import.meta.env.VITE_TITLE;',
    'export const links = [Router, z, createHmac, missing, process.env.NODE_ENV];',
  ].join('\n'),
  'src/links/index.test.ts': "import { it } from 'vitest';\nit('x', () => process.env.OF_TESTS);\n",
};

describe('init', () => {
  it('describes a subfolder of a TypeScript project', async () => {
    const project = makeProject(TYPESCRIPT);
    const folder = join(project, 'src/links');
    const { status, data, warnings } = await run('init', folder, '--owner', 'acme', '--yes');
    expect(status).toBe(0);
    expect(data.manifest).toEqual({
      name: 'links',
      version: '0.1.0',
      kind: 'module',
      description: expect.any(String),
      license: 'Apache-2.0',
      stack: { requires: { express: '^5.1.0', node: '>=22.12.0', typescript: '*' } },
      dependencies: { npm: { zod: '^4.1.0' } },
      devDependencies: { npm: { '@types/express': '^5.0.0', vitest: '^4.0.0' } },
      base: 'src/links',
      env: { LINK_SECRET: { description: 'Signs the links' }, VITE_TITLE: { example: 'Shop' } },
      repository: 'https://host.example/acme/shop',
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('description'),
      '"missing-one" is imported in index.ts but not declared: it was left out',
    ]);
    const written = readProject(folder);
    expect(Manifest.parse(JSON.parse(written['stackyard.json']!))).toEqual(data.manifest);
    const headings = Array.from(written['INTEGRATION.md']!.matchAll(/^## (.*)$/gm), (m) => m[1]);
    expect(headings).toEqual(INTEGRATION_HEADINGS);
    expect(written['README.md']).toContain('stackyard add acme/links');
    const codes = await codesOf(folder);
    expect(codes).toContain('dependency-undeclared');
    for (const code of [
      'env-undeclared',
      'env-unread',
      'dependency-unused',
      'guide-readme-short',
    ]) {
      expect(codes).not.toContain(code);
    }
  });

  it('describes a Python project', async () => {
    const project = makeProject({
      'pyproject.toml': [
        '[project]',
        'name = "Price Service"',
        'description = "Answers what things cost, in any currency of the world"',
        'license = "MIT"',
        'requires-python = ">=3.11"',
        'dependencies = ["fastapi>=0.115,<1", "PyYAML~=6.0", "httpx"]',
        '[dependency-groups]',
        'dev = ["pytest>=8"]',
      ].join('\n'),
      'prices/__init__.py': '',
      'prices/rates.py': [
        'import os',
        'import yaml',
        'from fastapi import APIRouter',
        'from prices import other',
        'KEY = os.environ["RATES_KEY"]',
        'URL = os.getenv("RATES_URL", "https://rates.example")',
        'router = APIRouter(), yaml, other',
      ].join('\n'),
      'prices/other.py': '',
      'prices/test_rates.py': 'import pytest\n',
    });
    const whole = await run('init', project, '--dry-run');
    expect([whole.status, whole.data.manifest]).toEqual([
      0,
      expect.objectContaining({
        name: 'price-service',
        kind: 'foundation',
        license: 'MIT',
        stack: { requires: { python: '>=3.11.0' } },
      }),
    ]);
    // Its own pyproject.toml is a file of the build, and declares these.
    expect(whole.data.manifest.dependencies).toBeUndefined();
    const { data } = await run('init', join(project, 'prices'), '--yes');
    expect(data.manifest).toMatchObject({
      base: 'prices',
      stack: { requires: { fastapi: '>=0.115.0', python: '>=3.11.0' } },
      dependencies: { pip: { pyyaml: '~=6.0' } },
      devDependencies: { pip: { pytest: '>=8' } },
      env: { RATES_KEY: {}, RATES_URL: {} },
    });
    expect(data.manifest.dependencies.pip).not.toHaveProperty('httpx');
    await codesOf(join(project, 'prices'));
  });

  it('uses the member of a monorepo as the project, with what the root declares', async () => {
    const git = new GitFixture();
    git.commit({
      'package.json': JSON.stringify({
        private: true,
        workspaces: ['packages/*'],
        devDependencies: { vitest: '^4.0.0' },
      }),
      LICENSE: MIT,
      'packages/api/package.json': JSON.stringify({
        name: 'api',
        dependencies: { nanoid: '^5.0.0' },
      }),
      'packages/api/src/ids/new-id.js':
        "import { nanoid } from 'nanoid';\nexport const newId = nanoid;\n",
      'packages/api/src/ids/new-id.test.js': "import { it } from 'vitest';\nit('x', () => {});\n",
    });
    git.git('remote', 'add', 'origin', 'https://user:secretword@host.example/Carol/mono.git');
    const folder = join(git.folder, 'packages/api/src/ids');
    const { status, data } = await run('init', folder, '--yes');
    expect(status).toBe(0);
    expect(data).toMatchObject({
      base: 'src/ids',
      owner: 'carol',
      manifest: {
        name: 'ids',
        license: 'MIT',
        dependencies: { npm: { nanoid: '^5.0.0' } },
        devDependencies: { npm: { vitest: '^4.0.0' } },
        repository: 'https://host.example/Carol/mono',
      },
    });
    await codesOf(folder);
  });

  it('starts in an empty folder, and in a missing one', async () => {
    const folder = join(temporaryFolder(), 'My New_Build');
    const unknown = await run('init', folder, '--yes');
    expect([unknown.status, unknown.error.hint]).toEqual([8, expect.stringContaining('--license')]);
    const { status, data } = await run('init', folder, '--yes', '--license', 'MIT');
    expect([status, data.manifest.name, data.manifest.kind]).toEqual([0, 'my-new-build', 'module']);
    // Without a file to place, it could not be published.
    writeFileSync(join(folder, 'index.ts'), 'export const one = 1;\n');
    await codesOf(folder);
  });

  it('keeps existing texts, and an existing manifest without --force', async () => {
    const project = makeProject({ ...TYPESCRIPT, 'src/links/README.md': '# Mine\n' });
    const folder = join(project, 'src/links');
    const first = await run('init', folder, '--yes');
    expect([first.data.kept, first.data.written]).toEqual([
      ['README.md'],
      ['INTEGRATION.md', 'stackyard.json'],
    ]);
    const again = await run('init', folder, '--yes');
    expect([again.status, again.error.code]).toEqual([5, 'ERR_CONFLICT']);
    const mine = {
      ...first.data.manifest,
      version: '2.0.0',
      description: 'My own words',
      dependencies: { npm: { zod: '>=3.23.0' } },
      env: { LINK_SECRET: { required: true } },
    };
    writeFileSync(join(folder, 'stackyard.json'), JSON.stringify(mine));
    const forced = await run('init', folder, '--yes', '--force');
    expect(forced.status).toBe(0);
    expect(forced.data.manifest).toEqual({
      ...mine,
      env: { LINK_SECRET: { required: true }, VITE_TITLE: { example: 'Shop' } },
    });
    expect(readProject(folder)['README.md']).toBe('# Mine\n');
  });

  it('reports which files in the folder the registry would refuse', async () => {
    const project = makeProject(TYPESCRIPT);
    mkdirSync(join(project, 'src/links/con'));
    writeFileSync(join(project, 'src/links/con/aux.ts'), '');
    const { warnings } = await run('init', join(project, 'src/links'), '--dry-run');
    expect(warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('con'));
  });
});

const MIT = `MIT License

Copyright (c) 2026 Carol

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.
`;
