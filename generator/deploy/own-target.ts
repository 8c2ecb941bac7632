/** Whether an index may replace what a target holds. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { CHECKPOINT_PATH, REGISTRY_PATH } from '../../format/index/layout.ts';
import { INTERFACE_VERSION, RegistryInfo } from '../../format/index/registry-info.ts';
import { parseUnverifiedNote } from '../../format/log/checkpoint.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { isSigned } from '../../format/log/note.ts';
import { EMPTY_ROOT } from '../../format/log/hash.ts';
import { continuesLog } from '../log/continues-log.ts';
import { requireSignedBy } from '../log/record-log.ts';
import type { Inventory } from './inventory.ts';
import { DEPLOY_FOLDER, type Store, type StoredObject } from './store.ts';

/** What `registry.config.json` has of keys. */
export type ConfiguredKeys = Pick<RegistryConfig['log'], 'key' | 'dropped'>;

/**
 * Reads the checkpoint of a target. It may hold an older index of the same registry, and nothing else; and clients must accept the
 * new checkpoint: it is signed by its own key, the configured and the deployed one. While a key is replaced, both sign.
 * @throws {GeneratorError} `ERR_DEPLOY_TARGET`, `ERR_DEPLOY_LOG`, `ERR_LOG_KEY`
 */
export async function readTarget(
  store: Store,
  inventory: Inventory,
  own: {
    readonly info: RegistryInfo;
    readonly checkpoint: Uint8Array;
    readonly readLog: (path: string) => Uint8Array | undefined;
  },
  keys: ConfiguredKeys = { dropped: [] },
): Promise<StoredObject | undefined> {
  const { origin, log } = own.info;
  const [pointer, registry] = [await store.read(CHECKPOINT_PATH), await store.read(REGISTRY_PATH)];
  const found = registry && interfaceOf(registry.bytes);
  if (found !== undefined && found > INTERFACE_VERSION) {
    throw new GeneratorError(
      'ERR_DEPLOY_TARGET',
      `Cannot deploy to ${store.place}: ${newer(found)}`,
      {
        hint: 'use that version; to roll back, first replace registry.json there by the one of this index',
      },
    );
  }
  const theirs = registry && tried(() => parseDocument(RegistryInfo, registry.bytes, ''));
  // A first deployment that did not end has no registry.json.
  const isBegun = inventory.tag !== '' && inventory.facts.origin === origin;
  const isOurs = registry === undefined ? isBegun || (await isEmpty(store)) : theirs !== undefined;
  if (!isOurs) {
    // Another deployment may have begun meanwhile.
    await inventory.requireNewest();
    throw refused(store, 'ERR_DEPLOY_TARGET', 'it holds other files, and no index');
  }
  if (theirs !== undefined && theirs.origin !== origin) {
    const names = `origin ${theirs.origin ?? 'none'}, not ${origin ?? 'none'}`;
    throw refused(store, 'ERR_DEPLOY_TARGET', `it holds another registry: ${names}`);
  }
  requireSignedBy(own.checkpoint, [log?.key, keys.key, theirs?.log?.key], keys.dropped);
  const [ours, deployed] = [logIn(own.checkpoint), logIn(pointer?.bytes)];
  if (ours.size < deployed.size) {
    const problem = `the log has ${ours.size} entries, the deployed one ${deployed.size}`;
    throw refused(store, 'ERR_DEPLOY_LOG', problem);
  }
  const isPublished = isSigned(new TextDecoder().decode(pointer?.bytes));
  if (isPublished && !continuesLog(deployed, ours.size, own.readLog)) {
    throw refused(store, 'ERR_DEPLOY_LOG', 'the log does not continue the deployed one');
  }
  return pointer;
}

/** @throws {GeneratorError} `ERR_DEPLOY_INDEX` where another version of this software wrote the index */
export function requireOwnInterface(registry: Uint8Array): void {
  const found = interfaceOf(registry);
  if (found === undefined || found === INTERFACE_VERSION) return;
  const problem = found > INTERFACE_VERSION ? newer(found) : `it has interface ${found}`;
  throw new GeneratorError('ERR_DEPLOY_INDEX', `Cannot deploy the index: ${problem}`, {
    hint: 'run "stackyard-registry generate" with this version first',
  });
}

/** The interface that `registry.json` states, also where a newer version gave it another form. */
function interfaceOf(registry: Uint8Array): number | undefined {
  const Stated = RegistryInfo.pick({ interface: true });
  return tried(() => parseDocument(Stated, registry, REGISTRY_PATH))?.interface;
}

function newer(found: number): string {
  return `a newer version of this software wrote it (interface ${found}, this one has ${INTERFACE_VERSION})`;
}

/** An empty log for none, or one that cannot be read. */
function logIn(bytes: Uint8Array | undefined): { size: number; root: Uint8Array } {
  const found = tried(() => parseUnverifiedNote(new TextDecoder().decode(bytes)));
  return found ?? { size: 0, root: EMPTY_ROOT };
}

async function isEmpty(store: Store): Promise<boolean> {
  for await (const { path } of store.list()) if (!path.startsWith(DEPLOY_FOLDER)) return false;
  return true;
}

function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

const HINTS = {
  ERR_DEPLOY_TARGET: 'give an empty bucket, prefix or folder, or the one of this registry',
  ERR_DEPLOY_LOG:
    'generate the index of the newest commit, with --published and the address of the registry: entries of a log are never removed',
};

function refused({ place }: Store, code: keyof typeof HINTS, problem: string): GeneratorError {
  return new GeneratorError(code, `Cannot deploy to ${place}: ${problem}`, { hint: HINTS[code] });
}
