/** Whether an index may replace what a target holds. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { CHECKPOINT_PATH, REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import { parseNoteKey } from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import type { Inventory } from './inventory.ts';
import { DEPLOY_FOLDER, type Store, type StoredObject } from './store.ts';

export type ConfiguredKeys = Pick<RegistryConfig['log'], 'key' | 'dropped'>;

/** The index that is to be deployed. */
interface OwnIndex {
  readonly info: RegistryInfo;
  readonly checkpoint: Uint8Array;
}

/**
 * Reads the checkpoint of a target, and refuses one that holds anything else than an older index of the same registry, and
 * an index whose checkpoint clients would refuse: not signed by its own key, by the configured one, or by the deployed one. While a
 * key is replaced, both sign.
 * @param configured what `registry.config.json` has of keys
 * @throws {GeneratorError} `ERR_DEPLOY_TARGET`, `ERR_DEPLOY_LOG`, `ERR_LOG_KEY`
 */
export async function readTarget(
  store: Store,
  inventory: Inventory,
  { info, checkpoint }: OwnIndex,
  configured: ConfiguredKeys | undefined,
): Promise<StoredObject | undefined> {
  const [registry, pointer] = await Promise.all([
    store.read(REGISTRY_PATH),
    store.read(CHECKPOINT_PATH),
  ]);
  const theirs = registry && unlessDamaged(() => parseDocument(RegistryInfo, registry.bytes, ''));
  const problem = await otherContent(store, inventory, registry, theirs, info.origin);
  if (problem !== undefined) {
    throw new GeneratorError('ERR_DEPLOY_TARGET', `Cannot deploy to ${store.place}: ${problem}`, {
      hint: 'give an empty bucket, prefix or folder, or the one of this registry',
    });
  }
  const [has, deployed] = [sizeOf(checkpoint), sizeOf(pointer?.bytes)];
  if (deployed > has) {
    const older = `The index is older than the one at ${store.place}`;
    throw new GeneratorError(
      'ERR_DEPLOY_LOG',
      `${older}: its log has ${has} entries, not ${deployed}`,
      {
        hint: 'generate the index from the newest commit; entries of a log are never removed',
      },
    );
  }
  const dropped = configured?.dropped ?? [];
  for (const key of [info.log?.key, configured?.key, theirs?.log?.key]) {
    if (key === undefined || dropped.includes(key) || isSignedBy(checkpoint, key)) continue;
    throw new GeneratorError(
      'ERR_LOG_KEY',
      `Cannot deploy to ${store.place}: the log of the index is not signed by "${key}", and clients would refuse it`,
      {
        hint: 'generate it with the private key in STACKYARD_LOG_KEY; while a key is replaced, with both: the new one first, the old one on a second line; one that is lost or leaked belongs into "log": { "dropped": [...] } of registry.config.json',
      },
    );
  }
  return pointer;
}

async function otherContent(
  store: Store,
  inventory: Inventory,
  registry: StoredObject | undefined,
  theirs: RegistryInfo | undefined,
  origin: string | undefined,
): Promise<string | undefined> {
  if (registry === undefined) {
    // A first deployment that did not end.
    if (inventory.tag !== '' && inventory.facts.origin === origin) return undefined;
    for await (const { path } of store.list()) {
      if (!path.startsWith(`${DEPLOY_FOLDER}/`)) return `it holds "${path}", and no index`;
    }
    return undefined;
  }
  if (theirs === undefined) return `its "${REGISTRY_PATH}" is that of another program`;
  if (theirs.origin === origin) return undefined;
  const names = `origin ${theirs.origin ?? 'none'}, not ${origin ?? 'none'}`;
  return `it holds the index of another registry: ${names}`;
}

/** Entries of the log; 0 for none, or one that cannot be read. */
function sizeOf(bytes: Uint8Array | undefined): number {
  return unlessDamaged(() => parseUnverifiedNote(new TextDecoder().decode(bytes)).size) ?? 0;
}

function isSignedBy(checkpoint: Uint8Array, key: string): boolean {
  const signers = unlessDamaged(() => signersOf(parseNote(checkpoint), [parseNoteKey(key)]));
  return signers !== undefined && signers.length > 0;
}

function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}
