/** An OSV dump of the operator: what heads show of the packages of builds, and dumps that cannot be read. */
import { mkdirSync, writeFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { Head } from '../../format/index/record.ts';
import { generateDocuments } from './generate-documents.ts';
import { build, temporaryFolder, GitFixture } from './git-fixture.ts';
import { readHead, readTree } from './index-reader.ts';
import { Regenerated } from './regenerated.ts';

function entry(id: string, ecosystem: string, name: string, events: object[], more = {}): string {
  const type = ecosystem === 'npm' ? 'SEMVER' : 'ECOSYSTEM';
  const affected = [{ package: { ecosystem, name }, ranges: [{ type, events }] }];
  return JSON.stringify({ id, modified: '2026-01-01T00:00:00Z', affected, ...more });
}

const LODASH = entry('GHSA-a', 'npm', 'lodash', [{ introduced: '0' }, { fixed: '4.17.21' }]);
const JINJA = entry('PYSEC-1', 'PyPI', 'Jinja2', [{ introduced: '0' }, { fixed: '2.11.3' }]);
const WITHDRAWN = entry('GHSA-b', 'npm', 'lodash', [{ introduced: '0' }], {
  withdrawn: '2026-01-02T00:00:00Z',
});
const OTHER = entry('GO-1', 'Go', 'lodash', [{ introduced: '0' }]);

function dump(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function zip(files: Readonly<Record<string, string>>): Uint8Array {
  const bytes = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  return zipSync(Object.fromEntries(bytes));
}

function packagesIn(out: string): Record<string, Head['versions'][number]['packages']> {
  const { versions } = readHead(out, 'a/x');
  return Object.fromEntries(versions.map(({ version, packages }) => [version, packages]));
}

it('heads name packages whose admitted versions are all affected, incrementally as in full', async () => {
  const made = new Regenerated();
  const { git, out } = made;
  const old = { npm: { lodash: '~4.16.0' }, pip: { jinja2: '<2.11' } };
  git.commit(build('a/x', '1.0.0', { dependencies: old }));
  git.commit(build('a/x', '1.1.0', { dependencies: { npm: { lodash: '^4.17.0' } } }));
  const osv = dump({
    'npm/all.zip': zip({ 'GHSA-a.json': LODASH, 'GHSA-b.json': WITHDRAWN, 'README.md': '#' }),
    'PyPI/PYSEC-1.json': JINJA,
    'other.json': OTHER,
  });
  await made.run();
  expect(packagesIn(out)).toEqual({ '1.1.0': undefined, '1.0.0': undefined });

  expect(await made.run({ osv })).toMatchObject({ isFull: false, unusable: 0 });
  const packages = [
    { ecosystem: 'npm', name: 'lodash', range: '~4.16.0', advisories: ['GHSA-a'] },
    { ecosystem: 'PyPI', name: 'jinja2', range: '<2.11', advisories: ['PYSEC-1'] },
  ];
  expect(packagesIn(out)).toEqual({ '1.1.0': undefined, '1.0.0': packages });
  expect(await made.run({ osv })).toMatchObject({ written: 0 });

  // A version that is published later is compared with the same dump, and a newer dump with all versions.
  git.commit(build('a/x', '1.2.0', { devDependencies: { npm: { lodash: '4.17.20' } } }));
  await made.run({ osv });
  expect(packagesIn(out)['1.2.0']).toMatchObject([{ range: '4.17.20', advisories: ['GHSA-a'] }]);
  rmSync(join(osv, 'npm'), { recursive: true });
  writeFileSync(join(osv, 'broken.json'), '{');
  expect(await made.run({ osv })).toMatchObject({ unusable: 1 });
  expect(packagesIn(out)).toEqual({
    '1.2.0': undefined,
    '1.1.0': undefined,
    '1.0.0': packages.slice(1),
  });
});

it.each([
  ['no folder', undefined, 'is no folder that can be read'],
  ['an empty folder', {}, 'has no .json and no .zip file'],
  ['an archive that is none', { 'npm/all.zip': 'PK?' }, '"npm/all.zip" is no whole zip archive'],
  [
    'a cut archive',
    { 'all.zip': zip({ 'A.json': LODASH.repeat(99) }).subarray(0, 90) },
    '"all.zip" is no whole',
  ],
  ['a huge entry', { 'A.json': ' '.repeat(5_000_001) }, '"A.json" has over 5000000 bytes'],
  ['a huge entry in an archive', { 'a.zip': zip({ 'A.json': ' '.repeat(5_000_001) }) }, 'has over'],
])('refuses %s, and changes nothing', async (_, files, message) => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0'));
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  const before = readTree(out);
  const osv = files === undefined ? join(temporaryFolder(), 'missing') : dump(files);
  const failed = generateDocuments({ repo: git.folder, out, threads: 1, osv });
  await expect(failed).rejects.toMatchObject({
    code: 'ERR_OSV',
    message: expect.stringContaining(message) as string,
  });
  expect(readTree(out)).toEqual(before);
});
