/**
 * Checks who vouches for a state of a registry: its checkpoint is signed by the key that was seen first, or that the user
 * gave, and by the witnesses that the user demands; and its log continues the one that was seen before. The host is
 * hostile until all of it holds.
 */
import { type RegistryInfo, statedOrigin } from '../../format/index/registry-info.ts';
import { type Checkpoint, parseCheckpoint } from '../../format/log/checkpoint.ts';
import { isSigned, parseNote, signersOf } from '../../format/log/note.ts';
import {
  consistencyProof,
  verifyConsistency,
  inclusionProof,
  verifyInclusion,
} from '../../format/log/proof.ts';
import type { LogPolicy, LockedLog, LockedBuild } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { type KeptLog, type KeptLogs, logError, unsignedError } from './kept-logs.ts';
import type { Snapshot, TreeReader } from './snapshot.ts';
import { FormatError, StackyardError } from '../../format/errors.ts';
import { encodeBase64, decodeBase64 } from '../../format/log/base64.ts';
import { formatLogEntry, parseLogEntry } from '../../format/log/entry.ts';
import { isNoteKey, parseNoteKey } from '../../format/log/note-key.ts';
import { leafHash } from '../../format/log/hash.ts';
import { cosignaturesOf } from '../../format/log/cosignature.ts';

/** Whom the user trusts about logs. */
export interface LogTrust {
  readonly kept?: KeptLogs | undefined;
  /** What the lock demands of the log of a registry with this name, or at this address. */
  readonly policyOf?: (origin: string, base: string) => LogPolicy | undefined;
  /** What the user demands now: it replaces what is kept. */
  readonly stated?: LogPolicy | undefined;
}

interface LogCheck {
  readonly trust: LogTrust;
  /** The address of the registry. */
  readonly base: string;
  readonly state: Snapshot;
  /** `registry.json` of this state, whose statements are claims. */
  readonly info: RegistryInfo;
  /** Called with what contradicts each other, if it does. */
  readonly onRead: (sides: Sides) => void;
}

/** The checkpoint that was seen before and the one that is served. */
export interface Sides {
  readonly origin: string;
  readonly kept: string | undefined;
  readonly served: string;
}

/**
 * Runs the checks.
 * @returns `undefined` for a registry whose log nobody signs and nobody demands
 * @throws {ClientError} `ERR_LOG`; {FormatError} for a damaged file
 */
export async function checkLog({
  trust,
  base,
  state,
  info,
  onRead,
}: LogCheck): Promise<SignedLog | undefined> {
  const origin = statedOrigin(info, base);
  const before = await trust.kept?.read(origin);
  const { note: text } = state.pointer;
  onRead({ origin, kept: before?.note, served: text });
  const isStated = trust.stated !== undefined;
  const policy = trust.stated ?? trust.policyOf?.(origin, base);
  const expected = expectedKey(origin, policy, isStated, before);
  const statedWitnesses = isStated ? policy?.witnesses : before?.witnesses;
  const witnesses = policy?.witnesses ?? statedWitnesses;
  const named = info.log?.key;
  const key = expected ?? named;
  if (!isSigned(text)) {
    if (key === undefined && witnesses === undefined) return undefined;
    const by = key === undefined ? '' : ` by "${key}"`;
    throw unsignedError(`${base} has a log that is not signed, and it must be signed${by}`);
  }
  if (named === undefined) {
    throw logError(`${base} names no key in registry.json, and its checkpoint is signed`);
  }
  const checkpoint = readCheckpoint(text, key!);
  requireWitnesses(text, witnesses);
  await requireContinued(checkpoint, state, before);
  const { tree } = state;
  const signed = { key: key!, text, checkpoint, tree, before, statedWitnesses };
  return new SignedLog(origin, signed);
}

/** The key that must sign: what the user states, what this user has seen, what the lock names, in this order. */
function expectedKey(
  origin: string,
  policy: LogPolicy | undefined,
  isStated: boolean,
  before: KeptLog | undefined,
): string | undefined {
  const named = policy?.key;
  if (isStated || before === undefined) return named ?? before?.key;
  const isKnown = named === before.key || before.former_keys?.includes(named ?? '') === true;
  if (named === undefined || isKnown) return before.key;
  throw new ClientError(
    'ERR_LOG',
    `The lock names "${named}" as the key of the log of "${origin}", and you have seen it signed by "${before.key}"`,
    {
      hint: 'if the registry announced a new key after its old one leaked: stackyard registry add <name> <address> --key <key>',
    },
  );
}

/** The log begins with what was seen of it; or it is what a newer one begins with that was seen since this run began. */
async function requireContinued(
  checkpoint: Checkpoint,
  state: Snapshot,
  before: KeptLog | undefined,
): Promise<void> {
  if (before === undefined) return;
  const old = readCheckpoint(before.note, before.key);
  const { origin, size } = checkpoint;
  if (old.origin !== origin) throw logError(`its name is "${origin}", and was "${old.origin}"`);
  const isOlder = size < old.size;
  if (isOlder && before.seen_at < state.pointer.begunAt) {
    throw logError(
      `it has ${size} entries, and had ${old.size}: an old or another state is served`,
    );
  }
  const [first, then] = isOlder ? [checkpoint, old] : [old, checkpoint];
  const tree = state.treeOf(then.size);
  const proof = await tree.compute((subtree) => consistencyProof(first.size, then.size, subtree));
  if (verifyConsistency(first, then, proof)) return;
  throw logError(`its ${size} entries do not begin with the ${old.size} that were seen before`);
}
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
/**
 * @param text of the whole note
 * @param key public key in its text form
 * @throws {ClientError} `ERR_LOG` when `key` has not signed it; {FormatError} when it is no signed checkpoint
 */
function readCheckpoint(text: string, key: string): Checkpoint {
  if (!isNoteKey(key)) throw logError(`its key ${JSON.stringify(key)} is none`);
  const note = parseNote(new TextEncoder().encode(text));
  const [signer] = signersOf(note, [parseNoteKey(key)]);
  if (signer === undefined) throw unsignedError(`its checkpoint is not signed by "${key}"`);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin === signer.name) return checkpoint;
  throw logError(`its checkpoint is of "${checkpoint.origin}", and its key of "${signer.name}"`);
}

/** Name and size of the log that a checkpoint states, which `readCheckpoint` accepted. */
export function statedCheckpoint(text: string): Pick<Checkpoint, 'origin' | 'size'> {
  const note = parseNote(new TextEncoder().encode(text));
  return parseCheckpoint(note.text);
}
/**
 * Requires that enough of the named witnesses signed the checkpoint.
 * @param text of the whole note
 * @throws {ClientError} `ERR_LOG`
 */
export function requireWitnesses(text: string, witnesses: LogPolicy['witnesses']): void {
  if (witnesses === undefined) return;
  const keys = [...new Set(witnesses.keys)];
  const note = parseNote(new TextEncoder().encode(text));
  const { length: confirmed } = cosignaturesOf(note, keys.map(parseNoteKey));
  const { count } = witnesses;
  if (confirmed >= count) return;
  throw logError(
    `of its ${keys.length} witnesses ${confirmed} confirmed this state, and ${count} must`,
  );
}
/**
 * Why the proof of an installed version does not hold; `undefined` when it does, and for a version without one.
 * The lock is untrusted: all of it may have been edited, but not the key that the user knows.
 * @param key the key that this user has seen for the registry, if any
 */
export function lockedLogProblem(
  id: string,
  { version, integrity, log }: LockedBuild,
  key: string | undefined,
): string | undefined {
  if (log === undefined) return undefined;
  const { index, commit, tree, published_at } = log;
  const trusted = key ?? log.key;
  try {
    const { size, root } = readCheckpoint(log.checkpoint, trusted);
    const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
    const proof = log.proof.map((hash) => decodeBase64(hash) ?? new Uint8Array());
    const leaf = { hash: leafHash(formatLogEntry(entry)), index };
    if (verifyInclusion(leaf, { size, root }, proof)) return undefined;
    return `the log does not have "${id}" ${version} with ${integrity} as entry ${index}`;
  } catch (error) {
    if (error instanceof StackyardError || error instanceof RangeError) return error.message;
    throw error;
  }
}
