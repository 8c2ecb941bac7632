/**
 * Checks what a registry serves against its transparency log, in this order:
 *
 *     1. the checkpoint is signed by the key that was seen first, or that the user gave, and by the witnesses that
 *        the user demands
 *     2. the log continues the one that was seen before
 *     3. each version to install is in it, with its digest
 *     4. the heads hide none of the versions and yanks that were read
 *
 * The host is hostile until all of it holds. Nothing is kept of a log that fails.
 */
import type { Head } from '../../../format/index/head.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import type { LogPolicy } from '../../../format/lock/lock.ts';
import { StackyardError } from '../../../format/errors.ts';
import type { Checkpoint } from '../../../format/log/checkpoint.ts';
import { parseLogEntry } from '../../../format/log/entry.ts';
import type { LogEntry } from '../../../format/log/entry.ts';
import { MAX_NOTE_BYTES, parseNote, signersOf } from '../../../format/log/note.ts';
import { isNoteKey, parseNoteKey } from '../../../format/log/note-key.ts';
import { isSameHash, leafHash } from '../../../format/log/hash.ts';
import {
  consistencyProof,
  inclusionProof,
  verifyConsistency,
  verifyInclusion,
} from '../../../format/log/proof.ts';
import { rootWithTail } from '../../../format/log/tail-root.ts';
import { TILE_WIDTH } from '../../../format/log/tile.ts';
import { ClientError } from '../../errors.ts';
import { hiddenProblem } from './hidden-state.ts';
import type { KeptLog, KeptLogs } from './kept-log.ts';
import { requireWitnesses } from './require-witnesses.ts';
import type { MaxAge } from './require-witnesses.ts';
import { logError, withEvidence } from './log-error.ts';
import { publishEntry } from './publish-entry.ts';
import { readCheckpoint } from './read-checkpoint.ts';
import { TreeReader } from './tree-reader.ts';
import type { ReadLogFile } from './tree-reader.ts';

/** How many entries are read at most to find what a head hides: later ones are proved one by one. */
const MAX_READ_ENTRIES = 16 * TILE_WIDTH;

/** A registry, as far as its log is concerned. */
interface LoggedRegistry {
  readonly base: string;
  readonly info: () => Promise<RegistryInfo | undefined>;
  readonly logFile: ReadLogFile;
}

/** A version to install, in the head that lists it. */
export interface LoggedVersion {
  readonly head: Head;
  readonly version: string;
}

export interface LogCheck {
  readonly registry: LoggedRegistry;
  /** Its name at all addresses. */
  readonly origin: string;
  readonly kept: KeptLogs | undefined;
  /** What the lock demands, or the user with "registry add". */
  readonly policy?: LogPolicy | undefined;
  /** Whether the user states the policy now: then it replaces what is kept. */
  readonly isStated?: boolean;
  readonly maxAge?: MaxAge | undefined;
  readonly versions: readonly LoggedVersion[];
  /** ISO 8601, UTC. */
  readonly now: string;
}

/** What the log proves about a version: enough to verify it later without network. */
export interface LogProof {
  readonly key: string;
  readonly checkpoint: string;
  readonly index: number;
  readonly proof: readonly Uint8Array[];
}

/**
 * Runs the checks.
 * @returns proofs by id; `undefined` for a registry without a log, or with one that is not signed
 * @throws {ClientError} `ERR_LOG` with the evidence
 */
export async function checkLog(
  check: LogCheck,
): Promise<ReadonlyMap<string, LogProof> | undefined> {
  const { registry, origin, kept } = check;
  const before = await kept?.read(origin);
  const info = await registry.info();
  const expected = expectedKey(check, before);
  const isDemanded = check.policy?.witnesses !== undefined || check.maxAge !== undefined;
  if (info?.log?.key === undefined && expected === undefined && !isDemanded) return undefined;
  const note = await registry.logFile('checkpoint', MAX_NOTE_BYTES);
  if (note === undefined || info?.log?.key === undefined) {
    const problem = note === undefined ? 'has no log' : 'has a log that is not signed';
    const known = expected ?? info?.log?.key;
    const by = known === undefined ? '' : ` by "${known}"`;
    throw logError(`${registry.base} ${problem}, and it must be signed${by}`);
  }
  const text = new TextDecoder().decode(note);
  try {
    return await new LogChecker(check, before, expected ?? info.log.key, text).run();
  } catch (cause) {
    if (!(cause instanceof StackyardError) || !isAboutLog(cause)) throw cause;
    const evidence = await kept?.keepEvidence(origin, { kept: before?.note, served: text });
    throw withEvidence(cause, evidence);
  }
}

/** The key that must sign: what the user states, what this user has seen, what the lock names, in this order. */
function expectedKey(
  { policy, isStated, origin }: LogCheck,
  before: KeptLog | undefined,
): string | undefined {
  const named = policy?.key;
  if (isStated === true || before === undefined) return named ?? before?.key;
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

class LogChecker {
  readonly #check: LogCheck;
  readonly #before: KeptLog | undefined;
  readonly #key: string;
  readonly #text: string;
  readonly #tree: TreeReader;
  readonly #checkpoint: Checkpoint;

  constructor(check: LogCheck, before: KeptLog | undefined, key: string, text: string) {
    [this.#check, this.#before, this.#key, this.#text] = [check, before, key, text];
    this.#checkpoint = readCheckpoint(text, key);
    this.#tree = new TreeReader(this.#checkpoint.size, (path, max) =>
      check.registry.logFile(path, max),
    );
  }

  async run(): Promise<ReadonlyMap<string, LogProof>> {
    const { origin, kept, versions, now, policy, isStated, maxAge } = this.#check;
    const stated = isStated === true ? policy?.witnesses : this.#before?.witnesses;
    const witnesses = policy?.witnesses ?? stated;
    requireWitnesses(this.#text, origin, { witnesses, maxAge, now });
    const before = this.#before;
    const old = before === undefined ? undefined : readCheckpoint(before.note, before.key);
    if (old !== undefined) await this.#requireContinued(old);
    const entries = await this.#newEntries(old);
    const proofs = new Map<string, LogProof>();
    for (const { head, version } of versions) {
      const problem = hiddenProblem(head, entries);
      if (problem !== undefined) throw logError(problem);
      proofs.set(head.id, await this.#prove(head, version));
    }
    const key = this.#nextKey(entries);
    const former = this.#formerKeys(key);
    const demands = stated === undefined ? {} : { witnesses: stated };
    await kept?.keep({ origin, key, note: this.#text, seen_at: now, ...former, ...demands });
    return proofs;
  }

  /** The keys before `key`, which prove what was installed with them. */
  #formerKeys(key: string): { former_keys?: string[] } {
    const keys = new Set([...(this.#before?.former_keys ?? []), this.#key]);
    keys.delete(key);
    return keys.size === 0 ? {} : { former_keys: [...keys] };
  }

  /** The key that signs from now on: a new one that the log names and that signed as well. */
  #nextKey(entries: readonly LogEntry[]): string {
    const named = entries.findLast((entry) => entry.type === 'key')?.key;
    if (named === undefined || !isNoteKey(named)) return this.#key;
    const note = parseNote(new TextEncoder().encode(this.#text));
    return signersOf(note, [parseNoteKey(named)]).length > 0 ? named : this.#key;
  }

  /** The log begins with what was seen of it. */
  async #requireContinued(old: Checkpoint): Promise<void> {
    const { origin, size, root } = this.#checkpoint;
    if (old.origin !== origin) throw logError(`its name is "${origin}", and was "${old.origin}"`);
    if (size < old.size) {
      throw logError(
        `it has ${size} entries, and had ${old.size}: an old or another state is served`,
      );
    }
    const proof = await this.#tree.compute((subtree) => consistencyProof(old.size, size, subtree));
    if (verifyConsistency(old, { size, root }, proof)) return;
    throw logError(`its ${size} entries do not begin with the ${old.size} that were seen before`);
  }

  /** The entries since the last time; at the first time all of a small log. They hash to the root of the checkpoint. */
  async #newEntries(old: Checkpoint | undefined): Promise<LogEntry[]> {
    const { size, root } = this.#checkpoint;
    if (old === undefined && size > TILE_WIDTH) return [];
    const seen = old?.size ?? 0;
    const entries = await this.#tree.entries(Math.max(seen, size - MAX_READ_ENTRIES), size);
    if (entries.length === 0) return [];
    const leaves = entries.map(leafHash);
    const own = await this.#tree.compute((subtree) => rootWithTail(size, leaves, subtree));
    if (isSameHash(own, root)) return entries.map(parseLogEntry);
    throw logError('its entries are not those of its checkpoint');
  }

  /** The version is in the log, with its digest. */
  async #prove(head: Head, version: string): Promise<LogProof> {
    const entry = publishEntry(head, version);
    const { size, root } = this.#checkpoint;
    if (entry === undefined || entry.index >= size) {
      throw logError(`"${head.id}" ${version} is not in it`);
    }
    const { index, bytes } = entry;
    const proof = await this.#tree.compute((subtree) => inclusionProof(index, size, subtree));
    if (!verifyInclusion({ hash: leafHash(bytes), index }, { size, root }, proof)) {
      throw logError(`entry ${index} is not "${head.id}" ${version} as the registry serves it`);
    }
    return { key: this.#key, checkpoint: this.#text, index, proof };
  }
}

function isAboutLog({ code }: StackyardError): boolean {
  const others = ['ERR_LOG', 'ERR_NOTE', 'ERR_NOTE_SIGNATURE', 'ERR_CHECKPOINT'];
  return others.includes(code) || code.startsWith('ERR_LOG_');
}
