/** What is no lie and looks like one: caches on the way, a registry that publishes meanwhile, no network. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptLogs } from '../../client/registry/check-log.ts';
import { CacheFiles } from '../../client/registry/cache.ts';
import type { Registry, RegistryOptions } from '../../client/registry/registry.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { Scenario } from './log-scenario.ts';
import { emptyCache, open } from './network/network-fixture.ts';
import { makeProject, pathOf, readProject, serveChanged, serveFolder } from './registry-fixture.ts';
import { restate } from './state-files.ts';

/** The index of a scenario before its newest publication, and the scenario after it. */
async function published(): Promise<{ old: string; scenario: Scenario }> {
  const scenario = await Scenario.begin();
  const old = scenario.copy();
  scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
  await scenario.publish();
  return { old, scenario };
}

/** A host that answers with the old file of a path, where `isOld`. */
async function between(isOld: (path: string) => boolean): Promise<string> {
  const { old, scenario } = await published();
  return serveChanged(scenario.index, (request, response) => {
    const path = pathOf(request).slice(1);
    const file = join(isOld(path) ? old : scenario.index, '.', path);
    const retired = join(scenario.index, '.retired', path);
    const found = [file, retired].find((one) => existsSync(one));
    if (found === undefined) response.writeHead(404).end();
    else response.end(readFileSync(found));
    return true;
  });
}

function trusting(url: string, options: RegistryOptions = {}): Registry {
  const kept = new KeptLogs(new CacheFiles(temporaryFolder()));
  return open(url, { log: { kept }, ...options });
}

const newest = async (registry: Registry): Promise<string | undefined> =>
  (await registry.head('a/x'))?.versions[0]?.version;

describe('one state of a registry', () => {
  it.each([
    ['plain documents that a cache keeps', /^(?:heads|owners|builds)\/|^[\w.]+\.json$/, '1.1.0'],
    ['a checkpoint that a cache keeps', /^log\/checkpoint$/, '1.0.0'],
  ])('is read beside %s', async (_, kept, version) => {
    expect(await newest(trusting(await between((path) => kept.test(path))))).toBe(version);
  });

  it('is read to its end while a registry publishes the next one, from an address and from a folder', async () => {
    const scenario = await Scenario.begin();
    const readers = [scenario.index, await serveFolder(scenario.index)].map((one) => trusting(one));
    for (const reader of readers) await reader.info();
    for (let nth = 1; nth <= 3; nth += 1) {
      scenario.git.commit(build('a/x', `1.${nth}.0`, { base: 'src/x' }));
      await scenario.publish();
    }
    for (const reader of readers) {
      expect([await newest(reader), (await reader.info()).versions]).toEqual(['1.0.0', 2]);
      expect(await newest(trusting(reader.base))).toBe('1.3.0');
    }
  });

  it('has nothing of a version that was taken down meanwhile', async () => {
    const scenario = await Scenario.begin();
    const reader = trusting(scenario.index);
    await reader.info();
    const taken = { date: '2026-01-01', reference: 'x', reason: 'y' };
    scenario.git.commit({
      'builds/a/owner.json': JSON.stringify({ taken_down: { x: { '1.0.0': taken } } }),
    });
    await scenario.publish();
    await expect(newest(reader)).rejects.toMatchObject({
      code: 'ERR_LOG',
      message: expect.stringContaining('it is missing'),
    });
  });
});

describe('the cache of the user', () => {
  it('serves without network what was proved when it was fetched, and nothing that was refused', async () => {
    const scenario = await Scenario.begin();
    const { cache } = emptyCache();
    const url = await serveChanged(scenario.index, () => false);
    expect(await newest(trusting(url, { cache }))).toBe('1.0.0');
    scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
    await scenario.publish();
    // The cache has a newer log now than the head.
    expect((await trusting(url, { cache }).info()).versions).toBe(3);
    expect(await newest(trusting(url, { cache, isOffline: true }))).toBe('1.0.0');
    scenario.git.commit(build('a/x', '1.2.0', { base: 'src/x' }));
    await scenario.publish();
    const honest = readFileSync(join(scenario.index, 'registry.json'), 'utf8');
    scenario.replace('registry.json', Buffer.from(honest.replace('"name":"', '"name":"Evil')));
    await expect(trusting(url, { cache }).info()).rejects.toMatchObject({ code: 'ERR_LOG' });
    expect((await trusting(url, { cache, isOffline: true }).info()).versions).toBe(3);
  });

  it('keeps no file of the log that was not proved', async () => {
    const scenario = await Scenario.begin();
    const { cache } = emptyCache();
    let isDamaged = true;
    const url = await serveChanged(scenario.index, (request, response) => {
      const isTile = isDamaged && request.url!.startsWith('/log/tile/');
      if (isTile) response.end(Buffer.alloc(96));
      return isTile;
    });
    await expect(newest(trusting(url, { cache }))).rejects.toMatchObject({ code: 'ERR_LOG' });
    isDamaged = false;
    expect(await newest(trusting(url, { cache }))).toBe('1.0.0');
  });
});

it.each([
  ['requires', '"requires":{"node":">=1"}', /head lists "requires" as \{"node":">=1"\}/],
  ['provides', '"provides":["x"]', /head lists "provides" as \["x"\]/],
  ['builds', '"builds":{"a/y":"*"}', /head lists "builds" as \{"a\/y":"\*"\}/],
])('and a head that lists other %s than the manifest is refused', async (field, other, problem) => {
  const scenario = await Scenario.begin();
  await generateDocuments({ repo: scenario.git.folder, out: scenario.index, threads: 1 });
  const head = join(scenario.index, 'heads/a/x.json');
  const empty = new RegExp(`"${field}": ?(?:\\{\\}|\\[\\])`);
  const text = readFileSync(head, 'utf8').replace(empty, other);
  expect(text).toContain(other);
  writeFileSync(head, text);
  restate(scenario.index);
  const project = makeProject();
  const ended = await scenario.run(['add', 'a/x', '--json'], project);
  const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string } };
  expect([error.message, error.code]).toEqual([expect.stringMatching(problem), 'ERR_ARCHIVE']);
  expect(Object.keys(readProject(project))).toEqual(['package.json']);
});
