/** `registry.json` names the registry and its upstreams, as `registry.config.json` has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readRecord, readTree } from './index-reader.ts';

async function generated(git: GitFixture): Promise<Record<string, unknown>> {
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  expectWholeIndex(out);
  return JSON.parse(readFileSync(join(out, 'registry.json'), 'utf8')) as Record<string, unknown>;
}

test.each([
  [{}, undefined, undefined],
  [{ base_url: 'https://registry.example/main/' }, 'registry.example/main', undefined],
  [{ base_url: 'https://registry.example', origin: 'example/main' }, 'example/main', undefined],
  [
    {
      origin: 'corp.example',
      upstreams: [
        { address: 'https://public.example/builds/' },
        { address: 'https://mirror.example', origin: 'other.example/main' },
      ],
    },
    'corp.example',
    [
      { origin: 'public.example/builds', address: 'https://public.example/builds' },
      { origin: 'other.example/main', address: 'https://mirror.example' },
    ],
  ],
])('generate() of the configuration %j', async (config, origin, upstreams) => {
  const git = new GitFixture();
  git.commit({ ...build('a/x', '1.0.0'), 'registry.config.json': JSON.stringify(config) });
  const registry = await generated(git);
  expect([registry['origin'], registry['upstreams']]).toEqual([origin, upstreams]);
});

test('generate() changes only registry.json and the name of the log with the names', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0'));
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  const before = readTree(out);
  const upstreams = [{ address: 'https://public.example' }];
  const config = JSON.stringify({ origin: 'corp.example', upstreams });
  git.commit({ 'registry.config.json': config });
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  const after = readTree(out);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  const plain = changed.filter((path) => !/^(?:documents|log\/map)\//.test(path));
  expect(plain).toEqual(['log/checkpoint', 'registry.json']);
});

test('generate() gives each record a repository: of its manifest, or its git tree', async () => {
  const git = new GitFixture();
  const repository = 'https://code.example/own';
  const config = { repository: 'https://code.example/registry' };
  git.commit({
    'registry.config.json': JSON.stringify(config),
    ...build('a/own', '1.0.0', { repository }),
    ...build('a/x', '1.0.0'),
  });
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: git.folder, out, threads: 1 });
  const tree = `swh:1:dir:${git.git('rev-parse', 'HEAD:builds/a/x').trim()}`;
  const shown = ['a/own', 'a/x'].map((id) => readRecord(out, id).repository);
  expect(shown).toEqual([repository, tree]);
});
