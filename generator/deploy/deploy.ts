/**
 * Brings a target up to an index, whatever happened to it before:
 *
 *     read -> announce -> remove what is old -> files by digest -> aliases and pages -> checkpoint -> inventory
 *
 * A client reads what the checkpoint names: all of it is there before, and stays for the grace time after the last checkpoint that
 * names it. A run that ends anywhere leaves all that it was writing in doubt: the next one writes it again.
 *
 * Of two runs at once, the one that announced last goes on. The other finds the inventory changed before it removes anything and
 * before it writes aliases or the checkpoint, and stops; where it has just replaced the checkpoint, the later one is refused. Aliases that
 * the loser has written, or still writes, stay in doubt until a run that begins after the winner has ended: it writes them again.
 */
import { hash } from 'node:crypto';
import { forAll } from '../../format/audit/audit-map.ts';
import { parseDocument } from '../../format/document/document.ts';
import { CHECKPOINT_PATH, LOG_FOLDER, REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import { Inventory, lost } from './inventory.ts';
import { keepState } from '../state/keep-state.ts';
import { besideIndex, readLocalFile, readLocalFiles } from '../state/local-files.ts';
import { readTarget, requireOwnInterface, type ConfiguredKeys } from './own-target.ts';
import { makePlan } from './plan.ts';
import { REQUESTS_AT_ONCE, STATE_FOLDER, replace, type Store } from './store.ts';

interface DeployOptions {
  /** The folder of the index. */
  readonly index: string;
  readonly store: Store;
  readonly isDryRun?: boolean;
  /** How long files stay that are not part of the index any more. */
  readonly graceMs: number;
  readonly keys?: ConfiguredKeys | undefined;
  /** Of the log: they make the inventory authentic. */
  readonly signers?: readonly NoteSigner[];
  /** The file with the state of the generator, to keep in the store. */
  readonly state?: string | undefined;
}

/** How many files are written or removed between two looks at the inventory. */
const BATCH = 256;

/**
 * @returns what was done, or in a dry run would be; paths are in the order of writing
 * @throws {GeneratorError} when the target is not this registry's, or cannot be brought up to the index
 */
export async function deploy(options: DeployOptions) {
  const { index, store, signers = [] } = options;
  const files = readLocalFiles(index);
  const read = (path: string): Buffer => {
    const bytes = readLocalFile(index, path, files.get(path));
    if (bytes !== undefined) return bytes;
    const problem = `File "${path}" of the index changed meanwhile, or is not on this machine`;
    throw new GeneratorError('ERR_DEPLOY_INDEX', problem, {
      hint: 'run again when the generator has ended; after "generate --from-store", run "generate --full"',
    });
  };
  const checkpoint = read(CHECKPOINT_PATH);
  requireOwnInterface(read(REGISTRY_PATH));
  const info = parseDocument(RegistryInfo, read(REGISTRY_PATH), REGISTRY_PATH);
  const inventory = await new Inventory(store, signers, besideIndex(index, 'inventory')).read();
  const { facts } = inventory;
  const readLog = (path: string): Buffer | undefined => {
    return readLocalFile(index, `${LOG_FOLDER}/${path}`, files.get(`${LOG_FOLDER}/${path}`));
  };
  const own = { info, checkpoint, readLog };
  const pointer = await readTarget(store, inventory, own, options.keys);
  const { origin, taken_down = 0 } = info;
  const isPurging = taken_down > facts.taken_down;
  const plan = await makePlan(store, { index, files }, inventory, options.graceMs, isPurging);
  const { fixed, aliases, found, expired, gone, left } = plan;
  const uploads = [...fixed, ...aliases];
  const isPointed = pointer !== undefined && checkpoint.equals(pointer.bytes);
  let bytes = 0;
  const result = (stateNote?: string) => ({
    uploads: isPointed ? uploads : [...uploads, CHECKPOINT_PATH],
    bytes,
    unchanged: files.size - uploads.length - (isPointed ? 0 : 1),
    removed: [...expired, ...gone],
    // When the grace time is over.
    later: left.length + plan.waiting,
    stateNote,
  });
  const ended = { origin, taken_down, checkpoint: hash('sha256', checkpoint) };
  const hasEnded = facts.checkpoint === ended.checkpoint && facts.taken_down === taken_down;
  const isCurrent =
    isPointed && hasEnded && [uploads, found, expired, gone, left].flat().length === 0;
  if (options.isDryRun === true || isCurrent) return result();

  const upload = async (path: string): Promise<void> => {
    const content = read(path);
    await store.write(path, content);
    bytes += content.length;
  };
  const inBatches = async (paths: readonly string[], act: Store['remove']): Promise<void> => {
    for (let at = 0; at < paths.length; at += BATCH) {
      await inventory.requireNewest();
      await forAll(paths.slice(at, at + BATCH), act, REQUESTS_AT_ONCE);
    }
  };
  // The run that announced these did not end: if it is still at work, it may write them once more.
  const isDoubtful = (path: string): boolean => inventory.marks.get(path) === '?';
  const doubtful = facts.checkpoint === undefined ? aliases.filter(isDoubtful) : [];
  const kept = isPurging ? undefined : facts.state;
  const announced = [...marked(uploads, '?'), ...marked(expired, '0')];
  const before = { origin, taken_down: facts.taken_down, state: kept };
  await inventory.change(announced, before).catch(async (error: unknown) => {
    if (!isCode(error, 'ERR_STORE_FULL')) throw error;
    // Old files make room for the announcement.
    await inBatches(expired, store.remove);
    await inventory.change(announced, before);
  });
  await inBatches(expired, store.remove);
  await forAll(fixed, upload, REQUESTS_AT_ONCE);
  await inBatches(aliases, upload);
  if (!isPointed) {
    await inventory.requireNewest();
    const tag = await replace(store, CHECKPOINT_PATH, checkpoint, pointer?.tag ?? '');
    if (tag === undefined) throw lost(store);
    bytes += checkpoint.length;
  }
  const registry = files.get(REGISTRY_PATH);
  const [state, note] = await keepState(store, options.state, signers, registry, kept);
  const there = [...uploads, ...found].map((path) => [path, files.get(path) ?? '?'] as const);
  const old = [...marked(expired, '-'), ...marked(gone, '0'), ...marked(left, String(store.now()))];
  const marks = [...there, ...marked(doubtful, '?'), ...old];
  try {
    await inventory.change(marks, { ...ended, state });
  } catch (error) {
    // The run that began meanwhile is refused: the checkpoint is another one by now. The next one goes on from its marks.
    if (isPointed || !isCode(error, 'ERR_DEPLOY_LOST')) throw error;
    return result();
  }
  if (gone.length > 0) {
    await inBatches(gone, store.remove);
    await inventory.change(marked(gone, '-'), { ...ended, state });
  }
  if (kept !== undefined && kept !== state) await store.remove(STATE_FOLDER + kept.sha256);
  return result(note);
}

function marked(paths: readonly string[], mark: string): (readonly [string, string])[] {
  return paths.map((path) => [path, mark]);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof GeneratorError && error.code === code;
}
