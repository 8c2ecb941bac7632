/** Stages the log of a run: its tiles, and the checkpoint after it was compared with the published one. */
import { originOfRegistry, type RegistryConfig } from '../../format/registry/registry-config.ts';
import { CHECKPOINT_PATH } from '../../format/index/layout.ts';
import { formatNoteKey, parseNoteKey, type NoteSigner } from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import { GeneratorError } from '../errors.ts';
import type { State } from '../state/state.ts';
import {
  isSigned,
  publishedCheckpoint,
  requireContinued,
  rootOf,
  writeTiles,
  type ReadPublished,
} from './published-log.ts';
import { signedCheckpoint } from './log-files.ts';

interface LogOptions {
  /** Who signs: none leaves the log unsigned. */
  readonly signers: readonly NoteSigner[];
  /** Keys that are lost or leaked. */
  readonly dropped: readonly string[];
  /** Where the index is published: the log continues all of them. */
  readonly published: readonly ReadPublished[];
}

/** What `registry.json` states about the log. */
export interface LogInfo {
  readonly origin: string;
  /** The public key; absent for a log that is not signed. */
  readonly key?: string;
}

/** The size of the log at the end of the last run that this state knows. */
const LOG_SIZE = 'log-size';

/**
 * Stages what the log has since the last run.
 * @returns paths of files that the log has no more, and whether a signed log that is published goes on
 * @throws {GeneratorError} `ERR_LOG_FORK`, `ERR_LOG_PUBLISHED`, `ERR_LOG_KEY`
 */
export async function recordLog(
  state: State,
  info: LogInfo,
  { signers, dropped, published }: LogOptions,
  add: (path: string, content: Uint8Array | string) => void,
): Promise<{
  readonly outdated: readonly string[];
  readonly isContinued: boolean;
}> {
  const { log } = state;
  const [oldSize, size] = [Number(state.meta(LOG_SIZE) ?? 0), log.size()];
  const outdated = writeTiles(log, oldSize, add);
  const notes: string[] = [];
  for (const read of published) {
    const found = await publishedCheckpoint(read);
    // A log that nobody signed begins again.
    if (found === undefined || !isSigned(found.note)) continue;
    await requireContinued(log, info.origin, found.checkpoint, read);
    requireKnownSigner(found.note, signers, dropped);
    notes.push(found.note);
  }
  const checkpoint = { origin: info.origin, size, root: rootOf(log, size) };
  add(CHECKPOINT_PATH, signedCheckpoint(checkpoint, signers, notes));
  state.setMeta(LOG_SIZE, String(size));
  return { outdated, isContinued: notes.length > 0 };
}

/**
 * Name and key of the log.
 * @param isForUsers whether users get the index: then it is signed where the configuration names a key
 * @throws {GeneratorError} `ERR_LOG_KEY` when the key is missing, has another name than the log, or is not the configured one
 */
export function logInfo(
  config: RegistryConfig,
  signers: readonly NoteSigner[],
  isForUsers: boolean,
): LogInfo {
  const registry = originOfRegistry(config);
  const [signer] = signers;
  const origin = registry === undefined ? (signer?.name ?? 'localhost/log') : `${registry}/log`;
  if (signer === undefined) {
    if (isForUsers && config.log.key !== undefined) throw missingKey(config.log.key);
    return { origin };
  }
  const key = formatNoteKey(signer);
  if (signer.name !== origin) {
    throw wrongKey(`its name is "${signer.name}", the log's name is "${origin}"`);
  }
  if (config.log.key !== undefined && config.log.key !== key) {
    throw wrongKey(`registry.config.json names the key "${config.log.key}"`);
  }
  return { origin, key };
}

function missingKey(key: string): GeneratorError {
  return new GeneratorError(
    'ERR_LOG_KEY',
    `Cannot sign the log: registry.config.json names the key "${key}", and STACKYARD_LOG_KEY is not set`,
    {
      hint: 'give the private key; clients refuse an index without its signature. For one that no user gets, such as to look at it: --unsigned',
    },
  );
}

/**
 * Requires that clients can follow from the published checkpoint to the next one: a key that they know signs both.
 * @param note the published checkpoint, with its signatures
 * @throws {GeneratorError} `ERR_LOG_KEY`
 */
export function requireKnownSigner(
  note: string,
  signers: readonly NoteSigner[],
  dropped: readonly string[],
): void {
  if (signers.length === 0) return;
  const accepted = [...signers, ...dropped.map(parseNoteKey)];
  if (signersOf(parseNote(new TextEncoder().encode(note)), accepted).length > 0) return;
  const keys = signers.map((signer) => `"${formatNoteKey(signer)}"`).join(', ');
  throw new GeneratorError(
    'ERR_LOG_KEY',
    `Cannot sign the log: ${keys} did not sign the published log, so clients do not know this key`,
    {
      hint: 'give the old key as well, on a second line of STACKYARD_LOG_KEY, until one deployment is signed by both; name an old key that is lost or leaked in "log": { "dropped": [...] } of registry.config.json',
    },
  );
}

function wrongKey(problem: string): GeneratorError {
  return new GeneratorError(
    'ERR_LOG_KEY',
    `Cannot sign with the key in STACKYARD_LOG_KEY: ${problem}`,
    {
      hint: '"stackyard-registry log:key" makes a key with the name of this registry\'s log',
    },
  );
}
