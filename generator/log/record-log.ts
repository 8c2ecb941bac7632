/** Stages the log of a run: its tiles, and the checkpoint after it was compared with the published one. */
import { originOfRegistry, type RegistryConfig } from '../../format/registry/registry-config.ts';
import { CHECKPOINT_PATH, mapEntryPath } from '../../format/index/layout.ts';
import { formatNoteKey, parseNoteKey, type NoteSigner } from '../../format/log/note-key.ts';
import { mapLine } from '../../format/log/map.ts';
import { isSigned, parseNote, signersOf } from '../../format/log/note.ts';
import { StackyardError } from '../../format/errors.ts';
import { GeneratorError } from '../errors.ts';
import type { State } from '../state/state.ts';
import {
  publishedCheckpoint,
  requireContinued,
  rootOf,
  writeTiles,
  type ReadPublished,
} from './published-log.ts';
import { signedCheckpoint } from './log-files.ts';
import { appendMap, MAP_ENTRY, writeMap } from './write-map.ts';

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
 * Stages the map, and what the log has since the last run. A signed log ends with the map; the checkpoint of another one names it in a
 * line of its own, because such a log has what the history has and nothing else.
 * @param place the newest commit and its time, ISO 8601 in UTC
 * @returns paths of files that the log has no more, and whether a signed log that is published goes on
 * @throws {GeneratorError} `ERR_LOG_FORK`, `ERR_LOG_PUBLISHED`, `ERR_LOG_KEY`
 */
export async function recordLog(
  state: State,
  info: LogInfo,
  { signers, dropped, published }: LogOptions,
  place: { readonly commit: string; readonly published_at: string },
  add: (path: string, content: Uint8Array | string) => void,
): Promise<{
  readonly outdated: readonly string[];
  readonly isContinued: boolean;
}> {
  const { log } = state;
  const { integrity, outdated } = writeMap(state, add);
  const entry = info.key === undefined ? undefined : appendMap(state, integrity, place);
  const [oldSize, size] = [Number(state.meta(LOG_SIZE) ?? 0), log.size()];
  outdated.push(...writeTiles(log, oldSize, add));
  const notes: string[] = [];
  for (const read of published) {
    const found = await publishedCheckpoint(read);
    // A log that nobody signed begins again.
    if (found === undefined || !isSigned(found.note)) continue;
    await requireContinued(log, info.origin, found.checkpoint, read);
    requireKnownSigner(found.note, signers, dropped);
    notes.push(found.note);
  }
  const root = rootOf(log, size);
  const path = entry && mapEntryPath(Buffer.from(root).toString('hex'));
  const before = state.meta(MAP_ENTRY) ?? '';
  if (before !== '' && before !== path) outdated.push(before);
  if (entry !== undefined) add(path!, entry);
  state.setMeta(MAP_ENTRY, path ?? '');
  const extensions = entry === undefined ? [mapLine(integrity)] : [];
  const checkpoint = { origin: info.origin, size, root, extensions };
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

/**
 * Requires that clients accept a checkpoint: each of the keys that they may know signs it, unless it is dropped.
 * @throws {GeneratorError} `ERR_LOG_KEY`
 */
export function requireSignedBy(
  checkpoint: Uint8Array,
  keys: readonly (string | undefined)[],
  dropped: readonly string[],
): void {
  for (const key of keys) {
    if (key === undefined || dropped.includes(key) || isSignedBy(checkpoint, key)) continue;
    throw new GeneratorError(
      'ERR_LOG_KEY',
      `The log is not signed by "${key}", and clients would refuse it`,
      {
        hint: 'generate it with the private key in STACKYARD_LOG_KEY; while a key is replaced, with both: the new one first, the old one on a second line; one that is lost or leaked belongs into "log": { "dropped": [...] } of registry.config.json',
      },
    );
  }
}

function isSignedBy(checkpoint: Uint8Array, key: string): boolean {
  try {
    return signersOf(parseNote(checkpoint), [parseNoteKey(key)]).length > 0;
  } catch (error) {
    if (error instanceof StackyardError) return false;
    throw error;
  }
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
