/** What `init` derives from a folder and the project around it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import { readFolder } from '../project/build-folder.ts';
import { findBuildPlace } from './build-place.ts';
import { draftManifest } from './draft-manifest.ts';
import { projectFacts } from './project-facts.ts';

const NOTHING = { owner: 'a', name: undefined, kind: undefined, license: 'MIT' } as const;

async function draft(files: Readonly<Record<string, string>>, folder: string): Promise<Manifest> {
  const parent = mkdtempSync(join(tmpdir(), 'stackyard-draft-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const root = join(parent, 'shop');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const place = findBuildPlace(join(root, folder));
  const facts = await projectFacts(place.project, new AbortController().signal);
  const { source } = await readFolder(join(root, folder));
  return draftManifest(place, source, facts, { ...NOTHING, description: 'Does things' }).manifest;
}

test.each([
  [
    'the package',
    { 'package.json': '{"name":"@acme/Dates"}', 'src/index.ts': '' },
    'src',
    'dates',
    'src/dates',
  ],
  ['the folder above', { 'package.json': '{}', 'src/main.ts': '' }, 'src', 'shop', 'src/shop'],
  [
    'the folder itself',
    { 'package.json': '{}', 'src/dates/index.ts': '' },
    'src/dates',
    'dates',
    'src/dates',
  ],
  [
    'the project, without an entry file',
    { 'package.json': '{}', 'lib/x.ts': '' },
    'lib',
    'shop',
    'lib',
  ],
])('the name is that of %s', async (_, files, folder, name, base) => {
  expect(await draft(files as Record<string, string>, folder)).toMatchObject({ name, base });
});

test('imports inside try and except count, those for types alone do not', async () => {
  const code = [
    'try:',
    '    import tomllib',
    'except ImportError:',
    '    import tomli as tomllib',
    'from typing import TYPE_CHECKING',
    'if TYPE_CHECKING:',
    '    import attrs',
  ].join('\n');
  const files = { 'requirements.txt': 'tomli>=2\nattrs>=24\n', 'tools/x.py': `${code}\n` };
  const { dependencies } = await draft(files, 'tools');
  expect(Object.keys(dependencies?.pip ?? {})).toEqual(['tomli']);
});

test.each<[string, Record<string, string>, object]>([
  [
    'types of a framework',
    { 'a.ts': "import type { Request } from 'express';" },
    { express: '^5.0.0' },
  ],
  ['its types alone', { 'a.ts': "import type { Context } from 'koa';" }, { koa: '^3.0.0' }],
  ['types in a test', { 'a.test.ts': "import type { Request } from 'express';" }, {}],
  ['a module of Node.js', { 'a.ts': "import { join } from 'node:path';" }, { node: '>=22' }],
  ['a global of Node.js', { 'a.ts': 'export const a = process.env.A;' }, { node: '>=22' }],
  ['neither', { 'a.ts': '// A Buffer. The process.\nexport const a = location.href;' }, {}],
])('the stack by %s', async (_, files, requires) => {
  const dependencies = { express: '^5.0.0' };
  const devDependencies = { '@types/koa': '^3.0.0', '@types/node': '^24.0.0' };
  const json = { name: 'shop', dependencies, devDependencies, engines: { node: '>=22' } };
  const placed = Object.entries(files).map(([path, text]) => [`lib/x/${path}`, text]);
  const all = { 'package.json': JSON.stringify(json), ...Object.fromEntries(placed) };
  const manifest = await draft(all as Record<string, string>, 'lib/x');
  const isServer = 'express' in requires || 'koa' in requires;
  const node = isServer ? { node: '>=22' } : {};
  expect(manifest.stack?.requires).toEqual({ typescript: '*', ...node, ...requires });
  const isTyped = manifest.devDependencies?.npm?.['@types/node'] !== undefined;
  expect(isTyped).toBe('node' in requires);
});
