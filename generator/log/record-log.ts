/** Stages the log of a run: its tiles, and the checkpoint after it was compared with the published one. */
import { originOfRegistry, type RegistryConfig } from '../../format/registry/registry-config.ts';
import { CHECKPOINT_PATH, provenancePath } from '../../format/index/layout.ts';
import { formatNoteKey, parseNoteKey, type NoteSigner } from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import { StackyardError } from '../../format/errors.ts';
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
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { TILE_WIDTH } from '../../format/log/tile.ts';
import {
  MAX_COMMIT_BYTES,
  checkProvenance,
  provenanceOf,
} from '../../format/provenance/provenance.ts';
import type { LogTable } from '../state/log-table.ts';

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
 * @returns entries before, paths of files that the log has no more, and whether a signed log that is published goes on
 * @throws {GeneratorError} `ERR_LOG_FORK`, `ERR_LOG_PUBLISHED`, `ERR_LOG_KEY`
 */
export async function recordLog(
  state: State,
  info: LogInfo,
  { signers, dropped, published }: LogOptions,
  add: (path: string, content: Uint8Array | string) => void,
): Promise<{
  readonly oldSize: number;
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
  return { oldSize, outdated, isContinued: notes.length > 0 };
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

/** Reads an object of git; `bytes` is absent when it is larger than `left`. */
type ReadObject = (
  oid: string,
  budget: { left: number },
) => Promise<{ readonly bytes: Uint8Array | undefined } | undefined>;

interface ProvenanceSources {
  readonly read: ReadObject;
  /** Where commits that a rewritten history has no more are still stated. */
  readonly published: readonly ReadPublished[];
  /** Versions that were taken down, as `<id>@<version>`. */
  readonly takenDown: ReadonlySet<string>;
}

/** Stages those of the entries that the log has beyond its first `oldSize`. */
export async function writeProvenance(
  log: LogTable,
  oldSize: number,
  { read, published, takenDown }: ProvenanceSources,
  add: (path: string, content: Uint8Array | string) => void,
): Promise<void> {
  const size = log.size();
  const publishedBefore = async (path: string): Promise<Uint8Array | undefined> => {
    for (const one of published) {
      const bytes = await one(path);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
  for (let from = oldSize; from < size; from += TILE_WIDTH) {
    const entries = log.entries(from, Math.min(size, from + TILE_WIDTH)).map(parseLogEntry);
    const versions = entries.flatMap((entry, at) =>
      entry.type === 'publish' ? [{ entry, index: from + at }] : [],
    );
    // Each has its own budget: what is left out does not depend on the others of the run.
    const commits = await Promise.all(
      versions.map(({ entry }) => read(entry.commit, { left: MAX_COMMIT_BYTES })),
    );
    for (const [at, { entry, index }] of versions.entries()) {
      const path = provenancePath(entry.id, entry.version);
      // The message of a commit may have what was taken down.
      const isGone = takenDown.has(`${entry.id}@${entry.version}`);
      const commit = isGone ? undefined : commits[at];
      const before = isGone || commit !== undefined ? undefined : await publishedBefore(path);
      const isUsable =
        before !== undefined && 'provenance' in checkProvenance(before, entry, index);
      add(path, isUsable ? before : canonicalJson(provenanceOf(entry, index, commit?.bytes)));
    }
  }
}
