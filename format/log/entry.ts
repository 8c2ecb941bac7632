/**
 * Entries of the log: what a registry published, in the order of its main line. An entry is canonical JSON with its
 * newline, and that is what its leaf hashes:
 *
 *     {"commit":"…","id":"alice/web","integrity":"sha256-…","published_at":"2026-01-01T00:00:00.000Z",
 *      "tree":"…","type":"publish","version":"1.0.0"}
 *
 * `yank` and `unyank` name a version. `deprecate` and `owner` carry the integrity of the statement that holds from
 * then on, `key` the key that signs the log from then on. `refuse` names a folder or owner file that the checks of its time
 * refused; with the first code `taken-down` it is the tombstone of a published version or build. `map` carries the
 * integrity of the root of the map (`map.ts`): a signed log ends with one.
 */
import { z } from 'zod';
import { INTEGRITY_PATTERN } from '../archive/integrity.ts';
import { isBuildId, isOwner } from '../build/build-id.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { isVersion } from '../version/version.ts';
import { MAX_ENTRY_BYTES } from './bundle.ts';

const Id = z.string().refine(isBuildId, { error: 'not a build id' });
const Version = z.string().refine(isVersion, { error: 'not a semver version' });
const Integrity = z.string().regex(INTEGRITY_PATTERN, { error: 'not an integrity' });
const ObjectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'not an object id' });
const Origin = { commit: ObjectId, published_at: z.iso.datetime() };

/** The entry of a publication. */
export const PublishEntry = z.strictObject({
  type: z.literal('publish'),
  id: Id,
  version: Version,
  integrity: Integrity.describe('Of the tarball.'),
  tree: ObjectId.describe('Git tree of the build.'),
  ...Origin,
});
export type PublishEntry = z.infer<typeof PublishEntry>;

/** The entry of a run: all documents that it published. */
export const MapEntry = z.strictObject({
  type: z.literal('map'),
  integrity: Integrity.describe('Of the root of the map.'),
  ...Origin,
});
export type MapEntry = z.infer<typeof MapEntry>;

/** The entry of what the checks of its time refused: it is never judged again, however the rules change. */
const RefuseEntry = z.strictObject({
  type: z.literal('refuse'),
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe('Of the build folder or owner file in the repository.'),
  object: ObjectId.describe('Git tree of the folder, or blob of the file.'),
  version: Version.optional().describe('That the manifest declares.'),
  codes: z.array(z.string().max(100)).max(100).describe('Of the errors, sorted.'),
  ...Origin,
});
type RefuseEntry = z.infer<typeof RefuseEntry>;

/** The first of the codes of a tombstone; earlier readers take it for a refusal, which asks nothing of them. */
const TAKEN_DOWN = 'taken-down';
/** Characters of a statement in one code, which has at most 100 UTF-16 code units. */
const PART = 40;

/** What a tombstone is about, and what it states. */
export interface Tombstone {
  readonly id: string;
  /** Absent: the whole build. */
  readonly version?: string | undefined;
  readonly statement: {
    readonly date: string;
    readonly reference: string;
    readonly reason: string;
  };
}

/** The entry: `codes` is `["taken-down", "date: 2026-01-01", "reference: …", "reason: …"]`, long texts in parts. */
export function tombstoneEntry(
  { id, version, statement: { date, reference, reason } }: Tombstone,
  place: Pick<RefuseEntry, 'object' | 'commit' | 'published_at'>,
): RefuseEntry {
  const parts = Object.entries({ date, reference, reason }).flatMap(([field, text]) => {
    const characters = Array.from(text);
    const starts = Array.from({ length: Math.ceil(characters.length / PART) }, (_, n) => n * PART);
    return starts.map((from) => `${field}: ${characters.slice(from, from + PART).join('')}`);
  });
  const about = { path: `builds/${id}`, ...(version === undefined ? {} : { version }) };
  return { type: 'refuse', ...about, codes: [TAKEN_DOWN, ...parts], ...place };
}

/** What `tombstoneEntry` wrote; `undefined` for every other entry. */
export function tombstoneOf(entry: LogEntry): Tombstone | undefined {
  if (entry.type !== 'refuse' || entry.codes[0] !== TAKEN_DOWN) return undefined;
  const { path, version, codes } = entry;
  const textOf = (field: string): string =>
    codes
      .map((code) => (code.startsWith(`${field}: `) ? code.slice(field.length + 2) : ''))
      .join('');
  const statement = {
    date: textOf('date'),
    reference: textOf('reference'),
    reason: textOf('reason'),
  };
  const id = path.slice('builds/'.length);
  return isBuildId(id) ? { id, version, statement } : undefined;
}

export const LogEntry = z
  .discriminatedUnion('type', [
    PublishEntry,
    z.strictObject({ type: z.enum(['yank', 'unyank']), id: Id, version: Version, ...Origin }),
    z.strictObject({
      type: z.literal('deprecate'),
      id: Id,
      integrity: Integrity.describe(
        'Of the canonical JSON of the reason and replacement; of `null` once it is withdrawn.',
      ),
      ...Origin,
    }),
    z.strictObject({
      type: z.literal('owner'),
      id: z.string().refine(isOwner, { error: 'not an owner' }),
      integrity: Integrity.describe('Of the canonical JSON of account id and maintainers.'),
      ...Origin,
    }),
    z.strictObject({
      type: z.literal('key'),
      id: z.string().min(1).max(200).describe('Name of the key.'),
      key: z.string().max(400).describe('The public key, in the text form of signed notes.'),
      ...Origin,
    }),
    RefuseEntry,
    MapEntry,
  ])
  .meta({ title: 'Stackyard log entry' });
export type LogEntry = z.infer<typeof LogEntry>;

/** The bytes of an entry: what its leaf hashes. @throws {RangeError} when they are too many for a bundle */
export function formatLogEntry(entry: LogEntry): Uint8Array {
  const bytes = new TextEncoder().encode(canonicalJson(entry));
  if (bytes.length > MAX_ENTRY_BYTES) throw new RangeError(`An entry of ${bytes.length} bytes`);
  return bytes;
}

/**
 * Reads an entry: the inverse of `formatLogEntry`. Other spellings of the same JSON are refused, because they have
 * another hash.
 * @throws {FormatError} `ERR_LOG_ENTRY`
 */
export function parseLogEntry(bytes: Uint8Array): LogEntry {
  const text = new TextDecoder().decode(bytes);
  let entry: LogEntry;
  try {
    entry = parseDocument(LogEntry, bytes, 'the log entry');
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new FormatError('ERR_LOG_ENTRY', cause.message, { cause });
  }
  if (canonicalJson(entry) === text) return entry;
  throw new FormatError('ERR_LOG_ENTRY', 'Cannot read the log entry: it is not canonical JSON');
}
