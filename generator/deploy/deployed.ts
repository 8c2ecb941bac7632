/** What a target holds before a deployment, and whether it may be replaced. */
import { REGISTRY_PATH, CHECKPOINT_PATH } from '../../format/index/layout.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
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
  const found = originIn(registry.bytes);
  if (found === null) throw foreign(store, `its "${REGISTRY_PATH}" is that of another program`);
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

/** `null` for bytes that are no `registry.json`. */
function originIn(bytes: Uint8Array): string | undefined | null {
  try {
    return parseDocument(RegistryInfo, bytes, REGISTRY_PATH).origin;
  } catch (error) {
    if (error instanceof StackyardError) return null;
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
