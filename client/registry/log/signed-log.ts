/** A state of a log that the right key signed and that continues what was seen before: what it proves of versions. */
import { FormatError } from '../../../format/errors.ts';
import type { VersionDocument } from '../../../format/index/version-document.ts';
import type { Head } from '../../../format/index/record.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import type { Checkpoint } from '../../../format/log/checkpoint.ts';
import { formatLogEntry, parseLogEntry } from '../../../format/log/entry.ts';
import { isNoteKey, parseNoteKey } from '../../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../../format/log/note.ts';
import { inclusionProof, verifyInclusion } from '../../../format/log/proof.ts';
import { leafHash } from '../../../format/log/hash.ts';
import type { LogPolicy } from '../../../format/project/lock.ts';
import type { KeptLog, KeptLogs } from './kept-logs.ts';
import { logError } from './log-error.ts';
import { statedCheckpoint } from './signed-checkpoint.ts';
import type { TreeReader } from './tree-reader.ts';

/** A version to install, in the head that lists it. */
export interface LoggedVersion {
  readonly head: Head;
  readonly version: string;
  /** Its document, which places it in the log. */
  readonly document: VersionDocument | undefined;
}

/** What the log proves about a version: enough to verify it later without network. */
export interface LogProof {
  readonly key: string;
  readonly checkpoint: string;
  readonly index: number;
  readonly commit: string;
  readonly tree: string;
  readonly proof: readonly Uint8Array[];
}

interface SignedState {
  /** The key that signed it, in its text form. */
  readonly key: string;
  /** The checkpoint, a whole note. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
  readonly tree: TreeReader;
  readonly before: KeptLog | undefined;
  /** The witnesses that the user demands. */
  readonly witnesses: LogPolicy['witnesses'];
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

  /** The version is in the log, with its digest. @throws {ClientError} `ERR_LOG` */
  async prove(one: LoggedVersion): Promise<LogProof> {
    const { head, version } = one;
    const { key, text, tree, checkpoint } = this.#state;
    const entry = publishEntry(one);
    if (entry === undefined || entry.index >= checkpoint.size) {
      throw logError(`"${head.id}" ${version} is not in it`);
    }
    const { index, bytes, commit, tree: folder } = entry;
    const proof = await tree.compute((subtree) => inclusionProof(index, checkpoint.size, subtree));
    if (!verifyInclusion({ hash: leafHash(bytes), index }, checkpoint, proof)) {
      throw logError(`entry ${index} is not "${head.id}" ${version} as the registry serves it`);
    }
    return { key, checkpoint: text, index, commit, tree: folder, proof };
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

/** `undefined` for a version that its document does not place in the log, or whose entry cannot be one. */
function publishEntry({ head: { id, versions }, version, document }: LoggedVersion):
  | {
      readonly index: number;
      readonly bytes: Uint8Array;
      readonly commit: string;
      readonly tree: string;
    }
  | undefined {
  const found = versions.find((one) => one.version === version);
  if (found === undefined || document === undefined) return undefined;
  const { index, entry: stated } = document.provenance.predicate;
  const { commit, tree } = stated;
  const { integrity, published_at } = found;
  const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
  try {
    const bytes = formatLogEntry(entry);
    parseLogEntry(bytes);
    return { index, bytes, commit, tree };
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
