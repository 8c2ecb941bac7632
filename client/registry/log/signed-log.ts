/** A state of a log that the right key signed and that continues what was seen before: what it proves of versions. */
import { FormatError } from '../../../format/errors.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import { encodeBase64 } from '../../../format/log/base64.ts';
import type { Checkpoint } from '../../../format/log/checkpoint.ts';
import { formatLogEntry, parseLogEntry } from '../../../format/log/entry.ts';
import { isNoteKey, parseNoteKey } from '../../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../../format/log/note.ts';
import { inclusionProof, verifyInclusion } from '../../../format/log/proof.ts';
import { leafHash } from '../../../format/log/hash.ts';
import type { LockedLog, LogPolicy } from '../../../format/project/lock.ts';
import type { KeptLog, KeptLogs } from './kept-logs.ts';
import { logError } from './log-error.ts';
import { statedCheckpoint } from './signed-checkpoint.ts';
import type { TreeReader } from './tree-reader.ts';

/** A published version. */
export interface LoggedVersion {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly published_at: string;
  /** Where its document says that the log has it. */
  readonly place: Pick<LockedLog, 'index' | 'commit' | 'tree'> | undefined;
}

interface SignedState {
  /** The key that signed it, in its text form. */
  readonly key: string;
  /** The checkpoint, a whole note. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
  readonly tree: TreeReader;
  readonly before: KeptLog | undefined;
  /** Those that the user states now, or stated before: they are kept. */
  readonly statedWitnesses: LogPolicy['witnesses'];
}

export class SignedLog {
  /** Name of the registry, by which the state is kept. */
  readonly origin: string;
  readonly #state: SignedState;

  constructor(origin: string, state: SignedState) {
    [this.origin, this.#state] = [origin, state];
  }

  /** The key that this user knew before this run. */
  get keyBefore(): string | undefined {
    return this.#state.before?.key;
  }

  /**
   * The version is in the log, with its digest.
   * @returns enough to verify it later without network
   * @throws {ClientError} `ERR_LOG`
   */
  async prove(one: LoggedVersion): Promise<LockedLog> {
    const { key, text, tree: reader, checkpoint } = this.#state;
    const { id, version, published_at, place } = one;
    const bytes = publishEntry(one);
    if (place === undefined || bytes === undefined || place.index >= checkpoint.size) {
      throw logError(`"${id}" ${version} is not in it`);
    }
    const { index, commit, tree } = place;
    const found = await reader.compute((subtree) =>
      inclusionProof(index, checkpoint.size, subtree),
    );
    if (!verifyInclusion({ hash: leafHash(bytes), index }, checkpoint, found)) {
      throw logError(`entry ${index} is not "${id}" ${version} as the registry serves it`);
    }
    const proof = found.map(encodeBase64);
    return { index, commit, tree, published_at, key, checkpoint: text, proof };
  }

  /** The key that signs from now on: another one that the proved `registry.json` names and that signed as well. */
  nextKey(info: RegistryInfo): string {
    const { key, text } = this.#state;
    const named = info.log?.key;
    if (named === undefined || !isNoteKey(named)) return key;
    const note = parseNote(new TextEncoder().encode(text));
    return signersOf(note, [parseNoteKey(named)]).length > 0 ? named : key;
  }

  /** Keeps the state for later runs. @param info the proved `registry.json` */
  async keep(kept: KeptLogs | undefined, info: RegistryInfo): Promise<void> {
    const { before, key: signer, statedWitnesses: witnesses, text: note } = this.#state;
    if (before !== undefined && statedCheckpoint(before.note).size > this.#state.checkpoint.size)
      return;
    const key = this.nextKey(info);
    // The keys before, which prove what was installed with them.
    const formerKeys = new Set([...(before?.former_keys ?? []), signer]);
    formerKeys.delete(key);
    const former = formerKeys.size === 0 ? {} : { former_keys: [...formerKeys] };
    const demands = witnesses === undefined ? {} : { witnesses };
    const seen_at = new Date().toISOString();
    await kept?.keep({ origin: this.origin, key, note, seen_at, ...former, ...demands });
  }
}

/** `undefined` for a version that nothing places in the log, or whose entry cannot be one. */
function publishEntry(one: LoggedVersion): Uint8Array | undefined {
  if (one.place === undefined) return undefined;
  const { id, version, integrity, published_at } = one;
  const { commit, tree } = one.place;
  const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
  try {
    const bytes = formatLogEntry(entry);
    parseLogEntry(bytes);
    return bytes;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
