/**
 * Measures the transparency log: appending to a log of a million entries, what one install reads of it, and verifying
 * the proofs of 30 installed builds without network.
 *
 *     npm run bench:log [-- --entries 1000000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { KeptLogs, type LogProof } from '../client/registry/log/signed-log.ts';
import { lockedLogProblem } from '../client/registry/log/check-log.ts';
import { Cache, CacheFiles } from '../client/registry/network/cache.ts';
import { Registry } from '../client/registry/registry.ts';
import type { Head } from '../format/index/record.ts';
import type { LockedBuild } from '../format/project/lock.ts';
import { appendLeaves } from '../format/log/append.ts';
import {
  encodeBase64,
  formatNote,
  signNote,
  formatNoteKey,
  noteSigner,
} from '../format/log/note-key.ts';
import { integrityOf, sha256Hex } from '../format/archive/integrity.ts';
import { formatMapLeaf, formatMapRoot } from '../format/log/map.ts';
import { formatCheckpoint } from '../format/log/checkpoint.ts';
import { formatLogEntry } from '../format/log/entry.ts';
import { HASH_BYTES, leafHash } from '../format/log/proof.ts';
import { tilePath, type Tile } from '../format/log/tile.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const TIME = '2026-01-01T00:00:00.000Z';
const INSTALLS = 30;
const RUNS = 5;
/** What one install may read of the log. */
const [MAX_COLD_REQUESTS, MAX_COLD_BYTES, MAX_WARM_REQUESTS] = [9, 40_000, 2];

const { values } = parseArgs({ options: { entries: { type: 'string', default: '1000000' } } });
const entries = Number(values.entries);
const signer = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

const key = formatNoteKey(signer);
const info = { base_url: '', builds: 1, interface: 1, name: '', source_commit: '', versions: 1 };
const registryBytes = Buffer.from(JSON.stringify({ ...info, log: { origin: signer.name, key } }));
const mapLeaf = formatMapLeaf(new Map([['registry.json', sha256Hex(registryBytes)]]));
const mapRoot = formatMapRoot([Buffer.from(sha256Hex(mapLeaf), 'hex')]);
const mapEntry = formatLogEntry({
  type: 'map',
  integrity: integrityOf(mapRoot),
  commit: COMMIT,
  published_at: TIME,
});
const mapFiles = new Map([
  ['map-entry', mapEntry],
  [`map/${sha256Hex(mapRoot)}`, mapRoot],
  [`map/${sha256Hex(mapLeaf)}`, mapLeaf],
]);
const leaves = Array.from({ length: entries }, (_, index) => leafHash(entryOf(index)));
const started = performance.now();
const log = appendLeaves(0, () => new Uint8Array(), leaves);
print(`a log of ${entries} entries from nothing`, performance.now() - started);
const tiles = new Map(log.tiles.map(({ tile, bytes }) => [tilePath(tile), bytes]));
const edge = ({ level, index, width }: Tile): Uint8Array => {
  const partial = log.tiles.find(({ tile }) => tile.level === level && tile.index === index);
  return partial!.bytes.subarray(0, width * HASH_BYTES);
};
for (const count of [1, 1000]) {
  const added = Array.from({ length: count }, (_, at) => leafHash(entryOf(entries + at)));
  const times = measure(() => appendLeaves(entries, edge, added));
  const { tiles: written } = appendLeaves(entries, edge, added);
  print(`appending ${count}, ${written.length} tiles`, times);
}

const text = formatCheckpoint({ origin: signer.name, size: log.size, root: log.root });
const note = formatNote({ text, signatures: [signNote(text, signer)] });
const served = { requests: 0, bytes: 0 };
const server = createServer((request, response) => {
  const path = (request.url ?? '').slice('/log/'.length);
  const isRegistry = request.url === '/registry.json';
  const found = isRegistry
    ? registryBytes
    : path === 'checkpoint'
      ? note
      : (mapFiles.get(path) ?? tiles.get(path));
  served.requests += isRegistry ? 0 : 1;
  served.bytes += isRegistry ? 0 : (found?.length ?? 0);
  response.writeHead(found === undefined ? 404 : 200).end(found);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), 'stackyard-log-'));
for (const [what, maxRequests] of [
  ['cold', MAX_COLD_REQUESTS],
  ['warm', MAX_WARM_REQUESTS],
] as const) {
  Object.assign(served, { requests: 0, bytes: 0 });
  await install(Math.floor(entries / 3), folder);
  const { requests, bytes } = served;
  const targets = `targets: at most ${maxRequests} and ${MAX_COLD_BYTES}`;
  console.log(`one install, ${what}: requests ${requests}, bytes ${bytes} (${targets})`);
  if (requests > maxRequests || bytes > MAX_COLD_BYTES) process.exitCode = 1;
}

const locked: LockedBuild[] = [];
for (let at = 0; at < INSTALLS; at += 1) {
  const index = Math.floor(((at + 0.5) * entries) / INSTALLS);
  const proof = await install(index, join(folder, String(at)));
  const place = { index, commit: COMMIT, tree: COMMIT, published_at: TIME, key, checkpoint: note };
  const lockedLog = { ...place, proof: proof.proof.map(encodeBase64) };
  locked.push({ version: `1.0.${index}`, integrity: INTEGRITY, log: lockedLog } as never);
}
print(
  `verifying ${INSTALLS} installs offline (target: below 100 ms)`,
  measure(() => {
    const problems = locked.flatMap((build) => lockedLogProblem('a/x', build, key) ?? []);
    if (problems.length > 0) throw new Error(problems[0]);
  }),
);

server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true });

/** The entry that publishes version 1.0.<index>; the last one is that of the map. */
function entryOf(index: number): Uint8Array {
  if (index === entries - 1) return mapEntry;
  const place = { commit: COMMIT, tree: COMMIT, published_at: TIME };
  const version = `1.0.${index}`;
  return formatLogEntry({ type: 'publish', id: 'a/x', version, integrity: INTEGRITY, ...place });
}

/** The client installs one version. @param state folder of what it has seen and of its cache */
async function install(index: number, state: string): Promise<LogProof> {
  const cache = new Cache(new CacheFiles(join(state, 'cache')));
  const kept = new KeptLogs(new CacheFiles(join(state, 'state')));
  const registry = new Registry(base, new AbortController().signal, { cache, log: { kept } });
  const version = `1.0.${index}`;
  const place = { index, commit: COMMIT, tree: COMMIT };
  const listed = { version, integrity: INTEGRITY, published_at: TIME, yanked: false, log: place };
  const head = { id: 'a/x', versions: [listed] } as unknown as Head;
  const proof = await registry.log!.proved(async (log) => {
    const { signed, info } = await log;
    await info;
    return signed!.prove({ head, version });
  });
  await registry.close();
  return proof;
}

/** The median of some runs, in milliseconds. */
function measure(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
}

function print(what: string, ms: number): void {
  console.log(`${what}: ${ms.toFixed(1)} ms`);
}
