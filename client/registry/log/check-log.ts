/**
 * Checks who vouches for a state of a registry: its checkpoint is signed by the key that was seen first, or that the user
 * gave, and by the witnesses that the user demands; and its log continues the one that was seen before. The host is
 * hostile until all of it holds.
 */
import { type RegistryInfo, statedOrigin } from '../../../format/index/registry-info.ts';
import type { Checkpoint } from '../../../format/log/checkpoint.ts';
import { isSigned } from '../../../format/log/note.ts';
import { consistencyProof, verifyConsistency } from '../../../format/log/proof.ts';
import type { LogPolicy } from '../../../format/project/lock.ts';
import { ClientError } from '../../errors.ts';
import { readCheckpoint } from './signed-checkpoint.ts';
import type { KeptLog, KeptLogs } from './kept-logs.ts';
import { SignedLog } from './signed-log.ts';
import type { Snapshot } from './snapshot.ts';
import { logError, unsignedError } from './log-error.ts';
import { requireWitnesses } from './witnesses.ts';

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
