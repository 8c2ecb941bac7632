/**
 * Measures the transparency log: appending to a log of a million entries, what one install reads of it, and verifying
 * the proofs of 30 installed builds without network.
 *
 *     npm run bench:log [-- --entries 1000000]
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { checkLog } from '../client/registry/log/check-log.ts';
import type { LogProof, LoggedVersion } from '../client/registry/log/check-log.ts';
import { lockedLogProblem } from '../client/registry/log/verify-locked.ts';
import type { Head } from '../format/index/head.ts';
import type { RegistryInfo } from '../format/index/registry-info.ts';
import type { LockedBuild } from '../format/lock.ts';
import { appendLeaves } from '../format/log/append.ts';
import { encodeBase64 } from '../format/log/base64.ts';
import { formatCheckpoint } from '../format/log/checkpoint.ts';
import { formatLogEntry } from '../format/log/entry.ts';
import { HASH_BYTES, leafHash } from '../format/log/hash.ts';
import { formatNote, signNote } from '../format/log/note.ts';
import { formatNoteKey, noteSigner } from '../format/log/note-key.ts';
import { tilePath } from '../format/log/tile.ts';
import type { Tile } from '../format/log/tile.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const TIME = '2026-01-01T00:00:00.000Z';
const INSTALLS = 30;
const RUNS = 5;

const { values } = parseArgs({ options: { entries: { type: 'string', default: '1000000' } } });
const entries = Number(values.entries);
const signer = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

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
const key = formatNoteKey(signer);
const read = await install(Math.floor(entries / 3));
console.log(`one install at ${entries} entries: requests ${read.requests}, bytes ${read.bytes}`);

const locked: LockedBuild[] = [];
for (let at = 0; at < INSTALLS; at += 1) {
  const index = Math.floor(((at + 0.5) * entries) / INSTALLS);
  const { proof } = await install(index);
  const place = { index, commit: COMMIT, tree: COMMIT, published_at: TIME, key, checkpoint: note };
  const lockedLog = { ...place, proof: proof.proof.map(encodeBase64) };
  locked.push({ version: `1.0.${index}`, integrity: INTEGRITY, log: lockedLog } as never);
}
print(
  `verifying ${INSTALLS} installs offline`,
  measure(() => {
    const problems = locked.flatMap((build) => lockedLogProblem('a/x', build, key) ?? []);
    if (problems.length > 0) throw new Error(problems[0]);
  }),
);

/** The entry that publishes version 1.0.<index>. */
function entryOf(index: number): Uint8Array {
  const place = { commit: COMMIT, tree: COMMIT, published_at: TIME };
  const version = `1.0.${index}`;
  return formatLogEntry({ type: 'publish', id: 'a/x', version, integrity: INTEGRITY, ...place });
}

/** What the client reads for one version of a registry that it sees for the first time. */
async function install(
  index: number,
): Promise<{ requests: number; bytes: number; proof: LogProof }> {
  let [requests, bytes] = [0, 0];
  const logFile = (path: string): Promise<Uint8Array | undefined> => {
    const found = path === 'checkpoint' ? Buffer.from(note) : tiles.get(path);
    requests += 1;
    bytes += found?.length ?? 0;
    return Promise.resolve(found);
  };
  const info = { log: { origin: signer.name, key } } as RegistryInfo;
  const version = `1.0.${index}`;
  const place = { index, commit: COMMIT, tree: COMMIT };
  const listed = { version, integrity: INTEGRITY, published_at: TIME, yanked: false, log: place };
  const head = { id: 'a/x', versions: [listed] } as unknown as Head;
  const versions: LoggedVersion[] = [{ head, version }];
  const registry = { base: 'https://registry.example', info: () => Promise.resolve(info), logFile };
  const origin = 'registry.example';
  const proofs = await checkLog({ registry, origin, kept: undefined, versions, now: TIME });
  return { requests, bytes, proof: proofs!.get('a/x')! };
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
