/**
 * Checks who vouches for a state of a registry: its checkpoint is signed by the key that was seen first, or that the user
 * gave, and by the witnesses that the user demands; and its log continues the one that was seen before. The host is
 * hostile until all of it holds.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import { decodeBase64, encodeBase64 } from '../../format/log/base64.ts';
import { type Checkpoint, parseCheckpoint } from '../../format/log/checkpoint.ts';
import { cosignaturesOf } from '../../format/log/cosignature.ts';
import { formatLogEntry, parseLogEntry } from '../../format/log/entry.ts';
import { leafHash } from '../../format/log/hash.ts';
import { isNoteKey, parseNoteKey } from '../../format/log/note-key.ts';
import { isSigned, parseNote, signersOf } from '../../format/log/note.ts';
import {
  consistencyProof,
  inclusionProof,
  verifyConsistency,
  verifyInclusion,
} from '../../format/log/proof.ts';
import { type LockedBuild, type LockedLog, LogPolicy } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { CacheFiles } from './cache.ts';
import { logError, type Snapshot, tryParse, unsignedError } from './snapshot.ts';

export const KeptLog = z.object({
  origin: z.string(),
  key: z.string().describe('The public key that signed it.'),
  note: z.string().describe('The checkpoint, whole.'),
  seen_at: z.string(),
  former_keys: z
    .array(z.string())
    .optional()
    .describe('Keys that it replaced: they prove what was installed before.'),
  witnesses: LogPolicy.shape.witnesses.describe('What the user demanded with "registry add".'),
});
export type KeptLog = z.infer<typeof KeptLog>;

const MAX_KEPT_BYTES = 2_000_000;

/**
 * What this user has seen of logs: for each registry the newest checkpoint and the key that signs it.
 *
 *     <state>/logs/<SHA-256 of the origin>.json        { "origin", "key", "note", "seen_at" }
 *     <state>/logs/<SHA-256 of the origin>.evidence.json   both sides of a contradiction
 *     <state>/logs/<SHA-256 of the origin>.unsigned.json   the user knows that nobody signs its log
 */
export class KeptLogs {
  readonly #files: CacheFiles;

  constructor(files: CacheFiles) {
    this.#files = files;
  }

  /** What is kept of the log of a registry. */
  async read(origin: string): Promise<KeptLog | undefined> {
    const bytes = await this.#files.read(pathOf(origin, ''), MAX_KEPT_BYTES);
    const kept = bytes && tryParse(() => parseDocument(KeptLog, bytes, 'the kept checkpoint'));
    return kept?.origin === origin ? kept : undefined;
  }

  async keep(log: KeptLog): Promise<void> {
    await this.#files.write(pathOf(log.origin, ''), Buffer.from(JSON.stringify(log)));
  }

  /** Whether this is the first call for a registry whose log nobody signs. */
  async isFirstNote(origin: string): Promise<boolean> {
    const path = pathOf(origin, '.unsigned');
    if ((await this.#files.read(path, MAX_KEPT_BYTES)) !== undefined) return false;
    await this.#files.write(path, Buffer.from(`${JSON.stringify({ origin })}\n`));
    return true;
  }

  /** Keeps both sides of a contradiction. @returns the file */
  async keepEvidence(origin: string, sides: Readonly<Record<string, unknown>>): Promise<string> {
    const path = pathOf(origin, '.evidence');
    const text = `${JSON.stringify({ origin, ...sides }, null, 2)}\n`;
    await this.#files.write(path, Buffer.from(text));
    return join(this.#files.root, path);
  }
}

function pathOf(origin: string, kind: string): string {
  return `logs/${sha256Hex(Buffer.from(origin))}${kind}.json`;
}

/** Whom the user trusts about logs. */
export interface LogTrust {
  readonly kept?: KeptLogs | undefined;
  /** What the lock demands of the log of a registry with this name, or at this address. */
  readonly policyOf?: (origin: string, base: string) => LogPolicy | undefined;
  /** What the user demands now: it replaces what is kept. */
  readonly stated?: LogPolicy | undefined;
}

/**
 * Runs the checks.
 * @param info `registry.json` of this state, whose statements are claims
 * @param before what this user has seen of the log
 * @returns `undefined` for a registry whose log nobody signs and nobody demands
 * @throws {ClientError} `ERR_LOG`; {FormatError} for a damaged file
 */
export async function checkLog(
  state: Snapshot,
  info: RegistryInfo,
  known: {
    readonly trust: LogTrust;
    readonly base: string;
    readonly origin: string;
    readonly before: KeptLog | undefined;
  },
): Promise<SignedLog | undefined> {
  const { trust, base, origin, before } = known;
  const { note: text } = state.pointer;
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
  return new SignedLog(state, { origin, key: key!, checkpoint, before, statedWitnesses });
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

/**
 * Requires that enough of the named witnesses signed the checkpoint: they confirm that everybody is shown the same log.
 * @param text of the whole note
 * @throws {ClientError} `ERR_LOG`
 */
export function requireWitnesses(text: string, witnesses: LogPolicy['witnesses']): void {
  if (witnesses === undefined) return;
  const keys = [...new Set(witnesses.keys)];
  const { length: confirmed } = cosignaturesOf(noteOf(text), keys.map(parseNoteKey));
  const { count } = witnesses;
  if (confirmed >= count) return;
  throw logError(
    `of its ${keys.length} witnesses ${confirmed} confirmed this state, and ${count} must`,
  );
}

/** A published version. */
export interface LoggedVersion {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly published_at: string;
}

/** Where the log has a version. */
type Place = Pick<LockedLog, 'index' | 'commit' | 'tree'>;

interface Checked {
  /** Name of the registry, by which the state is kept. */
  readonly origin: string;
  /** The key that signed it, in its text form. */
  readonly key: string;
  readonly checkpoint: Checkpoint;
  readonly before: KeptLog | undefined;
  /** Those that the user states now, or stated before: they are kept. */
  readonly statedWitnesses: LogPolicy['witnesses'];
}

/** A state of a log that the right key signed and that continues what was seen before: what it proves of versions. */
export class SignedLog {
  readonly #state: Snapshot;
  readonly #checked: Checked;

  constructor(state: Snapshot, checked: Checked) {
    [this.#state, this.#checked] = [state, checked];
  }

  /** The key that this user knew before this run. */
  get keyBefore(): string | undefined {
    return this.#checked.before?.key;
  }

  /**
   * The version is in the log, with its digest.
   * @param place where its document says that the log has it
   * @returns enough to verify it later without network
   * @throws {ClientError} `ERR_LOG`
   */
  async prove(one: LoggedVersion, place: Place | undefined): Promise<LockedLog> {
    const { key, checkpoint } = this.#checked;
    const { size } = checkpoint;
    const bytes = place && tryParse(() => publishEntry(one, place));
    if (place === undefined || bytes === undefined || place.index >= size) {
      throw logError(`"${one.id}" ${one.version} is not in it`);
    }
    const { index, commit, tree } = place;
    const found = await this.#state.tree.compute((subtree) => inclusionProof(index, size, subtree));
    if (!verifyInclusion({ hash: leafHash(bytes), index }, checkpoint, found)) {
      throw logError(`entry ${index} is not "${one.id}" ${one.version} as the registry serves it`);
    }
    const { published_at } = one;
    const proof = found.map(encodeBase64);
    const { note } = this.#state.pointer;
    return { index, commit, tree, published_at, key, checkpoint: note, proof };
  }

  /** The key that signs from now on: another one that the proved `registry.json` names and that signed as well. */
  nextKey(info: RegistryInfo): string {
    const named = info.log?.key;
    if (named === undefined || !isNoteKey(named)) return this.#checked.key;
    const signers = signersOf(noteOf(this.#state.pointer.note), [parseNoteKey(named)]);
    return signers.length > 0 ? named : this.#checked.key;
  }

  /** Keeps the state for later runs. @param info the proved `registry.json` */
  async keep(kept: KeptLogs | undefined, info: RegistryInfo): Promise<void> {
    const { origin, before, key: signer, statedWitnesses: witnesses, checkpoint } = this.#checked;
    if (before !== undefined && statedCheckpoint(before.note).size > checkpoint.size) return;
    const { note } = this.#state.pointer;
    const key = this.nextKey(info);
    // The keys before, which prove what was installed with them.
    const formerKeys = new Set([...(before?.former_keys ?? []), signer]);
    formerKeys.delete(key);
    const former = formerKeys.size === 0 ? {} : { former_keys: [...formerKeys] };
    const demands = witnesses === undefined ? {} : { witnesses };
    const seen_at = new Date().toISOString();
    await kept?.keep({ origin, key, note, seen_at, ...former, ...demands });
  }
}

/**
 * Why the proof that a lock keeps of an installed version does not hold, without network; `undefined` when it does, and for a
 * version without one. The lock is untrusted: all of it may have been edited, but not the key that the user knows.
 * @param key the key that this user has seen for the registry, if any
 */
export function lockedLogProblem(
  id: string,
  { version, integrity, log }: LockedBuild,
  key: string | undefined,
): string | undefined {
  if (log === undefined) return undefined;
  const { index, published_at } = log;
  try {
    const checkpoint = readCheckpoint(log.checkpoint, key ?? log.key);
    const proof = log.proof.map((hash) => decodeBase64(hash) ?? new Uint8Array());
    const hash = leafHash(publishEntry({ id, version, integrity, published_at }, log));
    if (verifyInclusion({ hash, index }, checkpoint, proof)) return undefined;
    return `the log does not have "${id}" ${version} with ${integrity} as entry ${index}`;
  } catch (error) {
    if (error instanceof StackyardError || error instanceof RangeError) return error.message;
    throw error;
  }
}

/** @throws {FormatError} for a version that cannot be in a log */
function publishEntry(
  { id, version, integrity, published_at }: LoggedVersion,
  { commit, tree }: Place,
): Uint8Array {
  const entry = { type: 'publish', id, version, integrity, tree, commit, published_at } as const;
  const bytes = formatLogEntry(entry);
  parseLogEntry(bytes);
  return bytes;
}

/**
 * Reads the checkpoint of a log, and verifies who signed it.
 * @param text of the whole note
 * @param key public key in its text form
 * @throws {ClientError} `ERR_LOG` when `key` has not signed it; {FormatError} when it is no signed checkpoint
 */
function readCheckpoint(text: string, key: string): Checkpoint {
  if (!isNoteKey(key)) throw logError(`its key ${JSON.stringify(key)} is none`);
  const note = noteOf(text);
  const [signer] = signersOf(note, [parseNoteKey(key)]);
  if (signer === undefined) throw unsignedError(`its checkpoint is not signed by "${key}"`);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin === signer.name) return checkpoint;
  throw logError(`its checkpoint is of "${checkpoint.origin}", and its key of "${signer.name}"`);
}

/** Name and size of the log that a checkpoint states, which `readCheckpoint` accepted. */
export function statedCheckpoint(text: string): Pick<Checkpoint, 'origin' | 'size'> {
  return parseCheckpoint(noteOf(text).text);
}

function noteOf(text: string): ReturnType<typeof parseNote> {
  return parseNote(new TextEncoder().encode(text));
}
