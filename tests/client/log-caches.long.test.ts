/** What is no lie and looks like one: caches on the way, deployments in progress, logs of older registries, no network. */
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptLogs } from '../../client/registry/log/kept-logs.ts';
import { CacheFiles } from '../../client/registry/network/cache-files.ts';
import type { Registry, RegistryOptions } from '../../client/registry/registry.ts';
import { parseCheckpoint } from '../../format/log/checkpoint.ts';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { formatNote, signNote } from '../../format/log/note.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { SIGNER, Scenario } from './log-scenario.ts';
import { emptyCache, open } from './network/network-fixture.ts';
import { makeProject, readProject, serveChanged } from './registry-fixture.ts';

/** The files of a scenario before its newest publication, and the address of a host that chooses between both. */
async function published(
  isOld: (path: string, isFresh: boolean) => boolean,
): Promise<{ url: string; asked: string[] }> {
  const scenario = await Scenario.begin();
  const old = scenario.copy();
  scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
  await scenario.publish();
  const asked: string[] = [];
  const url = await serveChanged(scenario.index, (request, response) => {
    asked.push(request.url ?? '');
    const [path = '', query] = (request.url ?? '').slice(1).split('?');
    if (!isOld(path, query !== undefined)) return false;
    const isThere = readdirSync(old, { recursive: true, encoding: 'utf8' }).includes(path);
    if (isThere) response.end(readFileSync(join(old, path)));
    else response.writeHead(404).end();
    return true;
  });
  return { url, asked };
}

function trusting(url: string, options: RegistryOptions = {}): Registry {
  const kept = new KeptLogs(new CacheFiles(temporaryFolder()));
  const log = { kept };
  return open(url, { log, ...options, limits: { deploymentMs: 1 } });
}

const newest = async (registry: Registry): Promise<string | undefined> =>
  (await registry.head('a/x'))?.versions[0]?.version;

describe('what contradicts the log for a moment', () => {
  it.each([
    ['a head that a cache keeps', /^heads\//],
    ['a registry.json that a cache keeps', /^registry\.json$/],
    ['a checkpoint that a cache keeps', /^log\/checkpoint$/],
    ['a checkpoint and an entry of the map that caches keep', /^log\/(?:checkpoint|map-entry)$/],
    ['documents that a cache keeps', /\.json$/],
  ])('is read around caches: %s', async (_, kept) => {
    const { url, asked } = await published((path, isFresh) => !isFresh && kept.test(path));
    expect(await newest(trusting(url))).toBe('1.1.0');
    expect(asked.filter((path) => path.includes('?fresh=')).length).toBeGreaterThan(0);
  });

  it('is read without a retry where only the entry of the map is old', async () => {
    const { url, asked } = await published((path) => path === 'log/map-entry');
    expect(await newest(trusting(url))).toBe('1.1.0');
    expect(asked.filter((path) => path.includes('?'))).toEqual([]);
  });

  it('is read again after a pause while a registry is deployed', async () => {
    let answers = 0;
    const { url } = await published((path) => {
      if (path !== 'heads/a/x.json') return false;
      answers += 1;
      return answers < 3;
    });
    expect(await newest(trusting(url))).toBe('1.1.0');
    expect(answers).toBe(3);
  });

  it('is refused when it stays, with what is served and what was published', async () => {
    const { url } = await published((path) => path === 'heads/a/x.json');
    const refused =
      /heads\/a\/x\.json has the SHA-256 (\w+), and the map .* has it with (?!\1)\w+; evidence: /;
    await expect(newest(trusting(url))).rejects.toMatchObject({
      code: 'ERR_LOG',
      message: expect.stringMatching(refused),
    });
  });
});

describe('the cache of the user', () => {
  it('is proved again where the host states that nothing changed', async () => {
    let isFrozen = false;
    const scenario = await Scenario.begin();
    const url = await serveChanged(scenario.index, (request, response) => {
      if (!request.url!.startsWith('/heads/')) return false;
      response.setHeader('etag', '"1"');
      if (!isFrozen) return false;
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.writeHead(404).end();
      return true;
    });
    const { cache } = emptyCache();
    expect(await newest(trusting(url, { cache }))).toBe('1.0.0');
    scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
    await scenario.publish();
    isFrozen = true;
    await expect(newest(trusting(url, { cache }))).rejects.toMatchObject({ code: 'ERR_LOG' });
    isFrozen = false;
    expect(await newest(trusting(url, { cache }))).toBe('1.1.0');
  });

  it('serves without network what was proved when it was fetched, and nothing that was refused', async () => {
    const scenario = await Scenario.begin();
    const { cache } = emptyCache();
    const url = await serveChanged(scenario.index, () => false);
    expect(await newest(trusting(url, { cache }))).toBe('1.0.0');
    scenario.git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
    await scenario.publish();
    // The cache has a newer log now than the head.
    expect((await trusting(url, { cache }).info())?.versions).toBe(3);
    expect(await newest(trusting(url, { cache, mode: 'offline' }))).toBe('1.0.0');
    const info = join(scenario.index, 'registry.json');
    const honest = readFileSync(info, 'utf8');
    writeFileSync(info, JSON.stringify({ ...JSON.parse(honest), name: 'Evil' }));
    await expect(trusting(url, { cache }).info()).rejects.toMatchObject({ code: 'ERR_LOG' });
    expect((await trusting(url, { cache, mode: 'offline' }).info())?.name).not.toBe('Evil');
  });
});

/** As an older version of the generator wrote it: the log is signed and has no map. */
async function unmapped(): Promise<Scenario> {
  const scenario = await Scenario.begin();
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: scenario.git.folder, out, threads: 1 });
  const file = join(out, 'registry.json');
  const info = JSON.parse(readFileSync(file, 'utf8')) as { log: object };
  const log = { ...info.log, key: formatNoteKey(SIGNER) };
  writeFileSync(file, JSON.stringify({ ...info, log }));
  const checkpoint = join(out, 'log/checkpoint');
  const text = readFileSync(checkpoint, 'utf8').replace(/\n\n.*$/s, '\n');
  expect(parseCheckpoint(text).size).toBe(2);
  writeFileSync(checkpoint, formatNote({ text, signatures: [signNote(text, SIGNER)] }));
  const entry = join(scenario.index, 'log/map-entry');
  cpSync(entry, join(out, 'log/map-entry'));
  scenario.url = await serveChanged(out, () => false);
  return Object.assign(scenario, { index: out });
}

describe('a signed log without a map', () => {
  it('is used as before, with a note that is printed once, also where the host invents a map', async () => {
    const scenario = await unmapped();
    const note = `note: The transparency log of ${scenario.url} proves its versions and not`;
    const first = await scenario.run(['add', 'a/x']);
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining(note)]);
    const second = await scenario.run(['add', 'a/y']);
    expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining('note:')]);
  });

  it.each([
    ['requires', '"requires":{"node":">=1"}', /head lists "requires" as \{"node":">=1"\}/],
    ['provides', '"provides":["x"]', /head lists "provides" as \["x"\]/],
    ['builds', '"builds":{"a/y":"*"}', /head lists "builds" as \{"a\/y":"\*"\}/],
  ])(
    'and a head that lists other %s than the manifest is refused',
    async (field, other, problem) => {
      for (const isSigned of [true, false]) {
        const scenario = isSigned ? await unmapped() : await Scenario.begin();
        if (!isSigned) {
          await generateDocuments({ repo: scenario.git.folder, out: scenario.index, threads: 1 });
        }
        const head = join(scenario.index, 'heads/a/x.json');
        const text = readFileSync(head, 'utf8').replace(
          new RegExp(`"${field}": ?(?:\\{\\}|\\[\\])`),
          other,
        );
        expect(text).toContain(other);
        writeFileSync(head, text);
        const project = makeProject();
        const ended = await scenario.run(['add', 'a/x', '--json'], project);
        const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string } };
        expect(error.message).toMatch(problem);
        expect(error.code).toBe(isSigned ? 'ERR_LOG' : 'ERR_ARCHIVE');
        expect(Object.keys(readProject(project))).toEqual(['package.json']);
      }
    },
  );
});
