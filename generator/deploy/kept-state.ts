/**
 * The state of the generator in a store: `.deploy/state.json` names its parts, each a compressed piece of the file under the
 * digest of its bytes. The document is authenticated with a key that follows from the private key of the log: a state
 * decides what a run signs, and another program that can write to the store could give another one.
 */
import { z } from 'zod';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { isMadeBy, macOf } from './log-key-mac.ts';
import { DEPLOY_FOLDER } from './manifest.ts';

export const KEPT_STATE_PATH = `${DEPLOY_FOLDER}/state.json`;
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
export type KeptState = z.infer<typeof KeptStateSchema>;

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
