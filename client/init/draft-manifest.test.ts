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
