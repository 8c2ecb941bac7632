/** Keeps the state of the generator in the store of its index, for runs on machines that have none. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { HOUR_MS } from '../../format/duration.ts';
import { StackyardError } from '../../format/errors.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { marksOfState } from '../state/run-marks.ts';
import { atOnce } from './difference.ts';
import { sha256Of } from './local-files.ts';
import type { Store } from './store.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { isMadeBy, macOf } from './mac.ts';
import { DEPLOY_FOLDER } from './manifest.ts';

interface StateToKeep {
  /** The state file. */
  readonly file: string;
  /** Of the log: without one, nothing is kept. */
  readonly signers: readonly NoteSigner[];
}

/** A younger state stays: it is large, and runs go on from an older one as well. */
const KEPT_MS = 24 * HOUR_MS;
const PARTS_AT_ONCE = 4;
const HEADERS = { cacheControl: 'no-store', contentType: 'application/octet-stream' };

/**
 * @param registry digest of the deployed `registry.json`
 * @returns what was done, or why nothing was
 */
export async function keepState(
  store: Store,
  { file, signers }: StateToKeep,
  { origin, registry }: { readonly origin: string | undefined; readonly registry: string },
): Promise<string> {
  const [signer] = signers;
  if (signer === undefined || origin === undefined) {
    return 'The state was not kept: that needs STACKYARD_LOG_KEY and an origin';
  }
  const marks = marksOfState(file);
  if (marks?.registry !== registry) return 'The state was not kept: it is of another index';
  const before = await readKept(store, signers);
  const now = store.now();
  if (before !== undefined && now - before.kept_at < KEPT_MS) return 'The kept state is new enough';
  const known = new Set(before?.parts);
  const parts: string[] = [];
  let [size, sent] = [0, 0];
  await atOnce(partsOf(file), PARTS_AT_ONCE, async (part) => {
    const bytes = gzipSync(part.bytes, { level: 1 });
    const sha256 = sha256Of(bytes);
    parts[part.at] = sha256;
    size += part.bytes.length;
    if (known.has(sha256)) return;
    await store.write(partPath(sha256), bytes, HEADERS);
    sent += bytes.length;
  });
  const state: KeptState = {
    format: 1,
    origin,
    head: marks.head,
    registry,
    kept_at: now,
    size,
    parts,
  };
  await store.settle();
  const json = { ...HEADERS, contentType: 'application/json' };
  await store.write(KEPT_STATE_PATH, Buffer.from(formatKeptState(state, signer)), json);
  await store.settle();
  const current = new Set(parts);
  const old = [...known].filter((sha256) => !current.has(sha256));
  await atOnce(old, PARTS_AT_ONCE, (sha256) => store.remove(partPath(sha256)));
  return `The state was kept: ${(sent / 1e6).toFixed(1)} MB sent`;
}

/** The kept state of this registry; `undefined` without one, and for one that is not authentic. */
export async function readKept(
  store: Store,
  signers: readonly NoteSigner[],
): Promise<KeptState | undefined> {
  const object = await store.read(KEPT_STATE_PATH);
  if (object === undefined) return undefined;
  try {
    return parseKeptState(object.bytes, signers, KEPT_STATE_PATH);
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

/** Removes the kept state with all its parts, whatever wrote them. */
export async function removeKept(store: Store): Promise<void> {
  const kept: string[] = [];
  for await (const { path } of store.list()) {
    if (path === KEPT_STATE_PATH || path.startsWith(partPath('').slice(0, -3))) kept.push(path);
  }
  await atOnce(kept, PARTS_AT_ONCE, (path) => store.remove(path));
}

/** One part. @throws {Error} for bytes that are none */
export function openPart(bytes: Uint8Array): Buffer {
  return gunzipSync(bytes, { maxOutputLength: PART_BYTES });
}

function* partsOf(file: string): Generator<{ readonly at: number; readonly bytes: Buffer }> {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    for (let start = 0; start < size; start += PART_BYTES) {
      const bytes = Buffer.alloc(Math.min(PART_BYTES, size - start));
      readSync(descriptor, bytes, 0, bytes.length, start);
      yield { at: start / PART_BYTES, bytes };
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The state of the generator in a store: `.deploy/state.json` names its parts, each a compressed piece of the file under the
 * digest of its bytes. The document is authenticated with a key that follows from the private key of the log: a state
 * decides what a run signs, and another program that can write to the store could give another one.
 */
const KEPT_STATE_PATH = `${DEPLOY_FOLDER}/state.json`;
/** Bytes of the file in one part: few parts of a large file change with a publication. */
export const PART_BYTES = 1_048_576;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const KeptStateSchema = z.object({
  /** The version of this form. */
  format: z.literal(1),
  origin: z.string(),
  /** The commit that the state knows last. */
  head: z.string(),
  /** Digest of the `registry.json` that it belongs to. */
  registry: Sha256,
  /** Milliseconds since 1970, by the clock of the store. */
  kept_at: z.number(),
  /** Of the whole file. */
  size: z.int().min(1),
  /** Digests of the parts as they are stored. */
  parts: z.array(Sha256),
});
type KeptState = z.infer<typeof KeptStateSchema>;

const Authenticated = z.object({ state: KeptStateSchema, mac: Sha256 });

export function partPath(sha256: string): string {
  return `${DEPLOY_FOLDER}/state/${sha256}.gz`;
}

/** The bytes of the document. @param signer of the log of this registry */
export function formatKeptState(state: KeptState, signer: NoteSigner): string {
  return canonicalJson({ state, mac: macOf('state', state, signer) });
}

/**
 * The inverse of `formatKeptState`; `undefined` when none of `signers` made it.
 * @throws {FormatError} `ERR_DOCUMENT`
 */
export function parseKeptState(
  bytes: Uint8Array,
  signers: readonly NoteSigner[],
  place: string,
): KeptState | undefined {
  const { state, mac } = parseDocument(Authenticated, bytes, place);
  return isMadeBy(mac, 'state', state, signers) ? state : undefined;
}
