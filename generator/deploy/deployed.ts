/** What a target holds before a deployment, and whether it may be replaced. */
import { REGISTRY_PATH, CHECKPOINT_PATH } from '../../format/index/layout.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { parseNoteKey } from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { readClaim } from './claim.ts';
import { sha256Of } from './local-files.ts';
import { DEPLOY_FOLDER, MANIFEST_PATH, parseManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import type { Store, StoredObject } from './store.ts';

type SeenClaim = NonNullable<Awaited<ReturnType<typeof readClaim>>>;

/** Read in the order of the fields: the next holder of the claim finds the others as they are here. */
interface Deployed {
  readonly claim: SeenClaim | undefined;
  readonly registry: StoredObject | undefined;
  /** `undefined` where there is none, or a damaged one. */
  readonly manifest: Manifest | undefined;
}

export async function readDeployed(store: Store): Promise<Deployed> {
  const claim = await readClaim(store);
  const [registry, manifest] = await Promise.all([
    store.read(REGISTRY_PATH),
    store.read(MANIFEST_PATH),
  ]);
  return { claim, registry, manifest: manifest && tryParse(manifest.bytes, store.place) };
}

/** Whether the manifest lists what is there: the last deployment ended, and nothing else wrote `registry.json`. */
export function isSettled({ claim, registry, manifest }: Deployed): boolean {
  if (claim?.claim.state !== 'done' || registry === undefined) return false;
  return manifest?.registry === sha256Of(registry.bytes);
}

/**
 * Refuses a target that holds anything else than an index of the same registry.
 * @param origin of the registry that is to be deployed
 * @throws {GeneratorError} `ERR_DEPLOY_TARGET`
 */
export async function requireOwnTarget(
  store: Store,
  origin: string | undefined,
  { claim, registry }: Deployed,
): Promise<void> {
  if (registry === undefined) {
    if (isOfOrigin(claim, origin)) return;
    for await (const { path } of store.list()) {
      if (path.startsWith(`${DEPLOY_FOLDER}/`)) continue;
      // Another deployment may have begun after the claim was read.
      if (isOfOrigin(await readClaim(store), origin)) return;
      throw foreign(store, `it holds "${path.slice(0, 200)}", and no index`);
    }
    return;
  }
  const info = infoIn(registry.bytes);
  if (info === undefined) {
    throw foreign(store, `its "${REGISTRY_PATH}" is that of another program`);
  }
  const found = info.origin;
  if (found !== origin) {
    const [theirs, ours] = [found ?? 'none', origin ?? 'none'];
    throw foreign(store, `it holds the index of another registry: origin ${theirs}, not ${ours}`);
  }
}

/**
 * Refuses an index whose log has fewer entries than the deployed one: clients would see that entries are gone.
 * @param own the checkpoint of the index that is to be deployed
 * @throws {GeneratorError} `ERR_DEPLOY_LOG`
 */
export async function requireLongerLog(store: Store, own: Uint8Array | undefined): Promise<void> {
  const [theirs, ours] = [sizeIn((await store.read(CHECKPOINT_PATH))?.bytes), sizeIn(own)];
  if (theirs <= ours) return;
  throw new GeneratorError(
    'ERR_DEPLOY_LOG',
    `The index is older than the one at ${store.place}: its log has ${ours} entries, the deployed one ${theirs}`,
    { hint: 'generate the index from the newest commit; entries of a log are never removed' },
  );
}

export type ConfiguredKeys = Pick<RegistryConfig['log'], 'key' | 'dropped'>;

/** What an index states of its log. */
interface OwnLog {
  /** The public key that `registry.json` names. */
  readonly key: string | undefined;
  readonly checkpoint: Uint8Array | undefined;
}

/**
 * Refuses an index whose checkpoint clients would refuse: not signed by its own key, by the configured one, or by the key
 * that is deployed. While a key is replaced, both sign.
 * @param configured what `registry.config.json` has of keys
 * @throws {GeneratorError} `ERR_LOG_KEY`
 */
export function requireSigned(
  store: Store,
  { key, checkpoint }: OwnLog,
  configured: ConfiguredKeys | undefined,
  { registry }: Deployed,
): void {
  const deployed = registry && infoIn(registry.bytes)?.log?.key;
  const { key: named, dropped = [] } = configured ?? {};
  const wanted = new Set(
    [key, named, deployed].filter((one) => one !== undefined && !dropped.includes(one)),
  ) as Set<string>;
  if (wanted.size === 0) return;
  const refuse = (problem: string, hint: string): GeneratorError =>
    new GeneratorError(
      'ERR_LOG_KEY',
      `Cannot deploy to ${store.place}: ${problem}, and clients would refuse it`,
      { hint },
    );
  if (key === undefined) {
    throw refuse(
      `the log of the index is not signed, and must be by "${[...wanted].join('", "')}"`,
      'generate it with the private key in STACKYARD_LOG_KEY, without --unsigned',
    );
  }
  for (const one of wanted) {
    if (checkpoint !== undefined && isSignedBy(checkpoint, one)) continue;
    throw refuse(
      `the log of the index is not signed by "${one}"`,
      'while a key is replaced, generate with both: the new one first, the old one on a second line of STACKYARD_LOG_KEY; one that is lost or leaked belongs into "log": { "dropped": [...] } of registry.config.json',
    );
  }
}

function isSignedBy(checkpoint: Uint8Array, key: string): boolean {
  try {
    return signersOf(parseNote(checkpoint), [parseNoteKey(key)]).length > 0;
  } catch (error) {
    if (error instanceof StackyardError) return false;
    throw error;
  }
}

/** Entries of the log; 0 for none, or one that cannot be read. */
function sizeIn(bytes: Uint8Array | undefined): number {
  if (bytes === undefined) return 0;
  try {
    return parseUnverifiedNote(new TextDecoder().decode(bytes)).size;
  } catch (error) {
    if (error instanceof StackyardError) return 0;
    throw error;
  }
}

function isOfOrigin(seen: SeenClaim | undefined, origin: string | undefined): boolean {
  return seen !== undefined && seen.claim.origin === origin;
}

function infoIn(bytes: Uint8Array): RegistryInfo | undefined {
  try {
    return parseDocument(RegistryInfo, bytes, REGISTRY_PATH);
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

function tryParse(bytes: Uint8Array, place: string): Manifest | undefined {
  try {
    return parseManifest(bytes, place);
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

function foreign({ place }: Store, why: string): GeneratorError {
  return new GeneratorError('ERR_DEPLOY_TARGET', `Cannot deploy to ${place}: ${why}`, {
    hint: 'give an empty bucket or prefix, or the one of this registry',
  });
}
