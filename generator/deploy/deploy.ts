/**
 * Brings a target up to an index, whatever happened to it before:
 *
 *     read -> announce -> remove what is old -> files by digest -> aliases and pages -> checkpoint -> inventory
 *
 * A client reads what the checkpoint names. All of that is there before it, and stays for the grace time after the last checkpoint
 * that names it. The checkpoint is replaced only where it is the one that was read at first.
 *
 * A run that ends anywhere leaves an inventory in which all that it was writing is in doubt: the next one writes it again.
 *
 * Of two runs at once, the one that announced last goes on. The other finds the inventory changed before it removes anything and
 * before it writes aliases or the checkpoint, and stops; where it has just replaced the checkpoint, the later one is refused. Aliases that
 * the loser has written, or still writes, stay in doubt until a run that begins after the winner has ended: it writes them again.
 */
import { hash } from 'node:crypto';
import { forAll } from '../../format/audit/audit-map.ts';
import { parseDocument } from '../../format/document/document.ts';
import { CHECKPOINT_PATH, REGISTRY_PATH, writingOrder } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import { Inventory, lost } from './inventory.ts';
import { keepState } from './keep-state.ts';
import { besideIndex, readLocalFile, readLocalFiles } from './local-files.ts';
import { readTarget, type ConfiguredKeys } from './own-target.ts';
import { makePlan } from './plan.ts';
import { REQUESTS_AT_ONCE, STATE_FOLDER, replace, type Store } from './store.ts';

interface DeployOptions {
  /** The folder of the index. */
  readonly index: string;
  readonly store: Store;
  readonly isDryRun?: boolean;
  /** How long files stay that are not part of the index any more. */
  readonly graceMs: number;
  /** What `registry.config.json` has of keys, where that is at hand. */
  readonly keys?: ConfiguredKeys | undefined;
  /** Of the log: they make the inventory authentic. */
  readonly signers?: readonly NoteSigner[];
  /** The file with the state of the generator, to keep in the store. */
  readonly state?: string | undefined;
}

interface Deployment {
  /** Paths, in the order of writing. */
  readonly uploads: readonly string[];
  readonly bytes: number;
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** How many are removed when the grace time is over. */
  readonly later: number;
  /** What was done with the state of the generator. */
  readonly stateNote?: string | undefined;
}

/** How many files are written or removed between two looks at the inventory. */
const BATCH = 256;

/** @throws {GeneratorError} when the target is not this registry's, or cannot be brought up to the index */
export async function deploy(options: DeployOptions): Promise<Deployment> {
  const { index, store, signers = [], keys } = options;
  const files = readLocalFiles(index);
  const bytesOf = (path: string): Buffer => {
    const bytes = readLocalFile(index, path, files.get(path));
    if (bytes !== undefined) return bytes;
    const problem = `File "${path}" of the index changed meanwhile, or is not on this machine`;
    throw new GeneratorError('ERR_DEPLOY_INDEX', problem, {
      hint: 'run again when the generator has ended; after "generate --from-store", run "generate --full"',
    });
  };
  const checkpoint = bytesOf(CHECKPOINT_PATH);
  const info = parseDocument(RegistryInfo, bytesOf(REGISTRY_PATH), REGISTRY_PATH);
  const access = { store, signers, cache: besideIndex(index, 'inventory') };
  const inventory = await Inventory.read(access);
  const { facts } = inventory;
  const pointer = await readTarget(store, inventory, { info, checkpoint }, keys);
  const { origin, taken_down = 0 } = info;
  // What was taken down must not wait: which of the old files have something of it, nobody can tell.
  const isPurging = taken_down > facts.taken_down;
  const graceMs = isPurging ? 0 : options.graceMs;
  const plan = await makePlan(store, { index, files }, inventory, graceMs, isPurging);
  const { uploads, found, expired, left } = plan;
  const isPointed = pointer !== undefined && checkpoint.equals(pointer.bytes);
  const result = {
    uploads: isPointed ? uploads : [...uploads, CHECKPOINT_PATH],
    bytes: 0,
    unchanged: files.size - uploads.length - (isPointed ? 0 : 1),
    removed: graceMs === 0 ? [...expired, ...left] : expired,
    later: graceMs === 0 ? 0 : left.length + plan.waiting,
  };
  const ended = { origin, taken_down, checkpoint: hash('sha256', checkpoint) };
  const hasEnded = facts.checkpoint === ended.checkpoint && facts.taken_down === taken_down;
  const isCurrent = isPointed && hasEnded && [uploads, found, expired, left].flat().length === 0;
  if (options.isDryRun === true || isCurrent) return result;

  const [fixed, aliases] = [0, 1].map((order) => {
    return uploads.filter((path) => writingOrder(path) === order);
  }) as [string[], string[]];
  // The run that announced these did not end: if it is still at work, it may write them once more.
  const isDoubtful = (path: string): boolean => inventory.marks.get(path) === '?';
  const doubtful = facts.checkpoint === undefined ? aliases.filter(isDoubtful) : [];
  const upload = async (path: string): Promise<void> => {
    const bytes = bytesOf(path);
    await store.write(path, bytes);
    result.bytes += bytes.length;
  };
  const inBatches = async (
    paths: readonly string[],
    act: (path: string) => Promise<void>,
  ): Promise<void> => {
    for (let at = 0; at < paths.length; at += BATCH) {
      await inventory.requireNewest();
      await forAll(paths.slice(at, at + BATCH), act, REQUESTS_AT_ONCE);
    }
  };

  const announced = [...marked(uploads, '?'), ...marked(expired, '0')];
  const kept = isPurging ? undefined : facts.state;
  const announce = (): Promise<void> =>
    inventory.change(new Map(announced), { origin, taken_down: facts.taken_down, state: kept });
  await announce().catch(async (error: unknown) => {
    if (!isCode(error, 'ERR_STORE_FULL')) throw error;
    // Old files make room for the announcement.
    await inBatches(expired, store.remove);
    await announce();
  });
  await inBatches(expired, store.remove);
  await forAll(fixed, upload, REQUESTS_AT_ONCE);
  await inBatches(aliases, upload);
  if (!isPointed) {
    await inventory.requireNewest();
    const tag = await replace(store, CHECKPOINT_PATH, checkpoint, pointer?.tag ?? '');
    if (tag === undefined) throw lost(store);
    result.bytes += checkpoint.length;
  }

  const { state, note } = await keepState(options, files.get(REGISTRY_PATH), kept);
  const now = graceMs === 0 ? '0' : String(store.now());
  const there = [...uploads, ...found].map((path) => [path, files.get(path) ?? ''] as const);
  const gone = [...marked(expired, '-'), ...marked(left, now)];
  const marks = new Map([...there, ...marked(doubtful, '?'), ...gone]);
  try {
    await inventory.change(marks, { ...ended, state });
  } catch (error) {
    // The run that began meanwhile is refused: the checkpoint is another one by now. The next one goes on from its marks.
    if (isPointed || !isCode(error, 'ERR_DEPLOY_LOST')) throw error;
    return result;
  }
  if (graceMs === 0 && left.length > 0) {
    await inBatches(left, store.remove);
    await inventory.change(new Map(marked(left, '-')), { ...ended, state });
  }
  if (kept !== undefined && kept !== state) await store.remove(STATE_FOLDER + kept.sha256);
  return { ...result, stateNote: note };
}

function marked(paths: readonly string[], mark: string): (readonly [string, string])[] {
  return paths.map((path) => [path, mark]);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof GeneratorError && error.code === code;
}
