/**
 * What clients read of an index at each moment of a run, as if it ended there: the state before or the one after, also where they
 * have the checkpoint of before. The next run completes it.
 */
import fs, { cpSync, existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ClientError } from '../../client/errors.ts';
import { KeptLogs } from '../../client/registry/check-log.ts';
import { readRecord } from '../../client/record/read-record.ts';
import { CacheFiles } from '../../client/registry/cache.ts';
import type { RegistryOptions } from '../../client/registry/registry.ts';
import { CatalogShard } from '../../format/index/record.ts';
import { noteSigner, type NoteSigner } from '../../format/log/note-key.ts';
import { open } from '../client/network/network-fixture.ts';
import { generateDocuments } from './generate-documents.ts';
import { type Files, GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const IDS = ['a/x', 'a/y', 'a/z'];
/** One in so many is completed by another run. */
const COMPLETED = 9;

/** What a client answers where there is no index yet. */
const NO_INDEX = 'ERR_REGISTRY_ANSWER';

/** All that a client reads of an index, or the code of the error. */
async function readByClient(
  out: string,
  ids: readonly string[],
  options: RegistryOptions = {},
): Promise<string> {
  try {
    const registry = open(out, options);
    const info = await registry.info();
    const { shards = [] } = (await registry.catalog()) ?? {};
    const read = [
      ...shards.map(({ sha256 }) => registry.shard(sha256, CatalogShard)),
      ...ids.map(async (id) => {
        const head = await registry.head(id);
        const records = head?.versions.map((one) => readRecord(registry, id, one)) ?? [];
        return [head, await Promise.all(records)];
      }),
      registry.hasOwner('a'),
    ];
    return JSON.stringify([info, shards, ...(await Promise.all<unknown>(read))]);
  } catch (error) {
    // Before the first run there is no folder.
    if (error instanceof ClientError) return error.code.replace('ERR_USAGE', NO_INDEX);
    throw error;
  }
}

type Change = (...args: unknown[]) => unknown;

/** Calls `before` before each change of names in the file system. */
function watchChanges(before: () => void): void {
  const room = fs as unknown as Record<string, Change>;
  for (const name of ['renameSync', 'rmSync']) {
    const original = room[name]!;
    room[name] = (...args) => {
      before();
      return original(...args);
    };
    onTestFinished(() => {
      room[name] = original;
      syncBuiltinESMExports();
    });
  }
  syncBuiltinESMExports();
}

const config = (fields: object): Record<string, string> => ({
  'registry.config.json': JSON.stringify({ origin: 'registry.example', ...fields }),
});
const FILES = { ...build('a/x', '1.0.0'), ...build('a/y', '1.0.0') };
const yanked = JSON.stringify({ yanked: { x: { '1.0.0': 'broken' } } });

it.each<[string, readonly NoteSigner[], Files]>([
  ['a publication', [SIGNER], { ...build('a/x', '1.1.0'), ...build('a/z', '1.0.0') }],
  ['a publication that nobody signs', [], { ...build('a/x', '1.1.0'), ...build('a/z', '1.0.0') }],
  ['a yank', [SIGNER], { 'builds/a/owner.json': yanked }],
  ['a changed setting', [SIGNER], config({ name: 'Other' })],
])('%s is seen as a whole', async (_, signers, change) => {
  const [git, place] = [new GitFixture(), temporaryFolder()];
  const out = join(place, 'index');
  const state = join(place, '.index.state.sqlite');
  const moments: string[] = [];
  let isWatching = true;
  watchChanges(() => {
    if (!isWatching) return;
    isWatching = false;
    const copy = join(temporaryFolder(), 'index');
    if (existsSync(out)) cpSync(out, copy, { recursive: true });
    if (existsSync(state)) cpSync(state, join(dirname(copy), basename(state)));
    moments.push(copy);
    isWatching = true;
  });
  const run = async (): Promise<string[]> => {
    moments.length = 0;
    isWatching = true;
    await generateDocuments({ repo: git.folder, out, threads: 1, signers });
    isWatching = false;
    return [...moments];
  };
  const kept = new KeptLogs(new CacheFiles(temporaryFolder()));
  git.commit({ ...config({}), ...FILES });
  const first = await run();
  const before = await readByClient(out, IDS, { log: { kept } });
  for (const moment of first) expect([NO_INDEX, before]).toContain(await readByClient(moment, IDS));
  git.commit(change);
  const second = await run();
  const after = await readByClient(out, IDS);
  expect(after).not.toBe(before);
  const seen: string[] = [];
  for (const moment of second) {
    const read = await readByClient(moment, IDS, { log: { kept } });
    expect([before, after]).toContain(read);
    seen.push(read);
  }
  // Some of them, and the last one.
  for (const [nth, moment] of second.entries()) {
    if (nth % COMPLETED !== 0 && nth !== second.length - 1) continue;
    await generateDocuments({ repo: git.folder, out: moment, threads: 1, signers });
    expect(readTree(moment)).toEqual(readTree(out));
  }
  // Once it is the newer one, it stays that.
  expect(seen).toEqual(seen.toSorted((a, b) => Number(a === after) - Number(b === after)));
});
