/**
 * Checks the log of a registry, in this order:
 *
 *     1. the checkpoint is signed by the key that was seen first, or that the user gave, and by the witnesses that
 *        the user demands
 *     2. the log continues the one that was seen before
 *     3. its last entry is that of the map, from which all documents are proved
 *
 * The host is hostile until all of it holds.
 */
import { FormatError } from '../../../format/errors.ts';
import { LOG_FOLDER, MAP_ENTRY_PATH } from '../../../format/index/layout.ts';
import { type RegistryInfo, statedOrigin } from '../../../format/index/registry-info.ts';
import type { Checkpoint } from '../../../format/log/checkpoint.ts';
import { type MapEntry, parseLogEntry } from '../../../format/log/entry.ts';
import { MAX_ENTRY_BYTES } from '../../../format/log/bundle.ts';
import { MAX_NOTE_BYTES } from '../../../format/log/note.ts';
import {
  consistencyProof,
  inclusionProof,
  verifyConsistency,
  verifyInclusion,
} from '../../../format/log/proof.ts';
import { leafHash } from '../../../format/log/hash.ts';
import type { LogPolicy } from '../../../format/project/lock.ts';
import { ClientError } from '../../errors.ts';
import { readCheckpoint } from './signed-checkpoint.ts';
import type { KeptLog, KeptLogs } from './kept-logs.ts';
import { SignedLog } from './signed-log.ts';
import { logError, unsignedError } from './log-error.ts';
import { MapReader } from './map-reader.ts';
import { TreeReader } from './tree-reader.ts';
import { requireWitnesses } from './witnesses.ts';

type ReadDigested = ConstructorParameters<typeof MapReader>[1];

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
  /** `registry.json`, of which nothing is proved. */
  readonly claim: Promise<RegistryInfo | undefined>;
  readonly readFile: ConstructorParameters<typeof TreeReader>[1];
  readonly readDigested: ReadDigested;
  /** Called with what contradicts each other, if it does. */
  readonly onRead: (origin: string, sides: Readonly<Record<string, unknown>>) => void;
}

/**
 * Runs the checks.
 * @returns `undefined` for a registry without a log, or with one that nobody signs and nobody demands
 * @throws {ClientError} `ERR_LOG`; {FormatError} for a damaged file
 */
export async function checkLog(check: LogCheck): Promise<SignedLog | undefined> {
  const { trust, base, readFile } = check;
  const noted = readFile('checkpoint', MAX_NOTE_BYTES);
  const listed = readFile(MAP_ENTRY_PATH.slice(LOG_FOLDER.length + 1), MAX_ENTRY_BYTES);
  // Only a signed log has an entry: what else a host answers does not matter.
  for (const reading of [noted, listed]) reading.catch(() => {});
  const info = await check.claim;
  const note = await noted;
  const origin = statedOrigin(info, base);
  const before = await trust.kept?.read(origin);
  const text = new TextDecoder().decode(note);
  check.onRead(origin, { kept: before?.note, served: text });
  const isStated = trust.stated !== undefined;
  const policy = trust.stated ?? trust.policyOf?.(origin, base);
  const expected = expectedKey(origin, policy, isStated, before);
  const statedWitnesses = isStated ? policy?.witnesses : before?.witnesses;
  const witnesses = policy?.witnesses ?? statedWitnesses;
  const named = info?.log?.key;
  const key = expected ?? named;
  if (note === undefined || named === undefined) {
    const isSigned = text.includes('\n\n— ');
    if (isSigned)
      throw logError(`${base} names no key in registry.json, and its checkpoint is signed`);
    if (key === undefined && witnesses === undefined) return undefined;
    const problem = note === undefined ? 'has no log' : 'has a log that is not signed';
    const by = key === undefined ? '' : ` by "${key}"`;
    throw unsignedError(`${base} ${problem}, and it must be signed${by}`);
  }
  const checkpoint = readCheckpoint(text, key!);
  requireWitnesses(text, witnesses);
  const tree = new TreeReader(checkpoint.size, readFile);
  const [map] = await Promise.all([
    provedMap(checkpoint, tree, listed, check.readDigested),
    requireContinued(checkpoint, tree, before),
  ]);
  const state = { key: key!, text, checkpoint, tree, map, before, witnesses, statedWitnesses };
  return new SignedLog(origin, state);
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

/** The log begins with what was seen of it. */
async function requireContinued(
  checkpoint: Checkpoint,
  tree: TreeReader,
  before: KeptLog | undefined,
): Promise<void> {
  if (before === undefined) return;
  const old = readCheckpoint(before.note, before.key);
  const { origin, size } = checkpoint;
  if (old.origin !== origin) throw logError(`its name is "${origin}", and was "${old.origin}"`);
  if (size < old.size) {
    throw logError(
      `it has ${size} entries, and had ${old.size}: an old or another state is served`,
    );
  }
  const proof = await tree.compute((subtree) => consistencyProof(old.size, size, subtree));
  if (verifyConsistency(old, checkpoint, proof)) return;
  throw logError(`its ${size} entries do not begin with the ${old.size} that were seen before`);
}

/**
 * The map that the last entry names; `undefined` where that is another one: an older version wrote the log.
 * @param listed the last entry, as a file of its own, which saves to read a bundle; it may be missing, old or altered
 */
async function provedMap(
  checkpoint: Checkpoint,
  tree: TreeReader,
  listed: Promise<Uint8Array | undefined>,
  read: ReadDigested,
): Promise<MapReader | undefined> {
  const { size } = checkpoint;
  if (size === 0) return undefined;
  const index = size - 1;
  const isLast = async (entry: Uint8Array): Promise<boolean> => {
    const proof = await tree.compute((subtree) => inclusionProof(index, size, subtree));
    return verifyInclusion({ hash: leafHash(entry), index }, checkpoint, proof);
  };
  const bytes = await listed.catch(() => undefined);
  const entry = bytes === undefined ? undefined : tryMapEntry(bytes);
  if (bytes !== undefined && entry !== undefined) {
    // Its files have their digests as names: they can be read before the entry is proved.
    const map = new MapReader(entry, read);
    if (await isLast(bytes)) return map;
  }
  const [last] = await tree.entries(index, size);
  if (last === undefined || !(await isLast(last))) {
    throw logError('its entries are not those of its checkpoint');
  }
  const proved = parseLogEntry(last);
  return proved.type === 'map' ? new MapReader(proved, read) : undefined;
}

function tryMapEntry(bytes: Uint8Array): MapEntry | undefined {
  try {
    const entry = parseLogEntry(bytes);
    return entry.type === 'map' ? entry : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
