/** Audits an index: its log, and what it serves against the log. */
import { auditMap, type AuditProblem, forAll, type ReadIndexFile } from './audit-map.ts';
import { readHead } from './read-head.ts';
import {
  CATALOG_PATH,
  CHECKPOINT_PATH,
  documentPath,
  headPath,
  LOG_FOLDER,
  REGISTRY_PATH,
  shardPath,
  tarballPath,
  versionPath,
} from '../index/layout.ts';
import { RegistryInfo } from '../index/registry-info.ts';
import { isGone } from '../registry/status.ts';
import { parseDocument } from '../document/document.ts';
import { FormatError } from '../errors.ts';
import { appendLeaves } from '../log/append.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { type LogEntry, parseLogEntry } from '../log/entry.ts';
import { parseBundle } from '../log/bundle.ts';
import { isSameHash, leafHash } from '../log/hash.ts';
import { parseNoteKey } from '../log/note-key.ts';
import { parseNote, signersOf } from '../log/note.ts';
import { bundlePath, TILE_WIDTH, tilePath } from '../log/tile.ts';
import { integrityOf, sha256Hex } from '../archive/integrity.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { Catalog, CatalogShard, type HeadVersion } from '../index/record.ts';
import { VersionDocument } from '../index/version-document.ts';
import { checkProvenance } from '../provenance/provenance.ts';
import { type LoggedBuild, type LoggedVersion, loggedState } from './logged-state.ts';

interface Audit {
  readonly problems: readonly AuditProblem[];
  readonly entries: number;
  readonly builds: number;
  readonly versions: number;
  readonly key: string | undefined;
  /** The commit that the registry states. */
  readonly commit: string | undefined;
}

/** @param known the key that must have signed; by default the one that the registry states */
export async function auditIndex(read: ReadIndexFile, known?: string): Promise<Audit> {
  const log = await auditLog(read, known);
  const { builds, problems } = loggedState(log.entries);
  // Without a log that can be trusted there is nothing to compare with.
  const isTrusted = log.entries.length > 0;
  const found = isTrusted ? await auditBuilds(read, builds) : [];
  const mapped = await auditMap(read, log, builds.keys());
  const versions = [...builds.values()].reduce((sum, build) => sum + build.versions.size, 0);
  const { key, commit } = log;
  return {
    problems: [...log.problems, ...problems, ...found, ...mapped],
    entries: log.entries.length,
    builds: builds.size,
    versions,
    key,
    commit,
  };
}

interface AuditedLog {
  readonly problems: readonly AuditProblem[];
  /** Those that hash to the root of the checkpoint; none where the log cannot be trusted. */
  readonly entries: readonly LogEntry[];
  /** Of the checkpoint, lower-case hexadecimal. */
  readonly root: string;
  /** The public key that signed. */
  readonly key: string | undefined;
  readonly commit: string | undefined;
}

/**
 * Audits a log: the signature, the root over all its entries, and every tile.
 * @param known the key that must have signed; by default the one that the registry states
 */
async function auditLog(read: ReadIndexFile, known?: string): Promise<AuditedLog> {
  const problems: AuditProblem[] = [];
  let [key, commit] = [known, undefined as string | undefined];
  const failed = (where: string, problem: string): AuditedLog => {
    return { problems: [...problems, { where, problem }], entries: [], root: '', key, commit };
  };
  let at = REGISTRY_PATH;
  try {
    const bytes = await read(at);
    if (bytes === undefined) return failed(at, 'is missing');
    const info = parseDocument(RegistryInfo, bytes, at);
    commit = info.source_commit;
    key ??= info.log?.key;
    if (key === undefined) return failed(at, 'states no key: the log is not signed');
    if (info.log?.key !== key) {
      problems.push({
        where: at,
        problem: `states the key ${info.log?.key ?? 'none'}, not ${key}`,
      });
    }
    at = CHECKPOINT_PATH;
    const checkpointBytes = await read(at);
    if (checkpointBytes === undefined) return failed(at, 'is missing');
    const note = parseNote(checkpointBytes);
    if (signersOf(note, [parseNoteKey(key)]).length === 0)
      return failed(at, `is not signed by ${key}`);
    const { origin, size, root } = parseCheckpoint(note.text);
    if (origin !== parseNoteKey(key).name) return failed(at, `is of "${origin}"`);
    const indexes = Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, index) => index);
    const bundles = await forAll(indexes, async (index) => {
      const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
      const where = `${LOG_FOLDER}/${bundlePath({ index, width })}`;
      const bundle = await read(where);
      at = where;
      if (bundle === undefined) throw new MissingFile();
      return parseBundle(bundle, width);
    });
    const entries = bundles.flat();
    const made = appendLeaves(0, neverRead, entries.map(leafHash));
    at = CHECKPOINT_PATH;
    if (!isSameHash(made.root, root)) return failed(at, 'its root is not that of the entries');
    await forAll(made.tiles, async ({ tile, bytes: own }) => {
      const where = `${LOG_FOLDER}/${tilePath(tile)}`;
      const served = await read(where);
      if (served !== undefined && isSameHash(served, own)) return;
      problems.push({ where, problem: served === undefined ? 'is missing' : 'has other hashes' });
    });
    const parsed = entries.map((entry, index) => {
      at = `${LOG_FOLDER}, entry ${index}`;
      return parseLogEntry(entry);
    });
    const hex = Buffer.from(root).toString('hex');
    return { problems, entries: parsed, root: hex, key, commit };
  } catch (error) {
    if (error instanceof MissingFile) return failed(at, 'is missing');
    if (error instanceof FormatError) return failed(at, error.message);
    throw error;
  }
}

class MissingFile extends Error {}

function neverRead(): never {
  throw new RangeError('A log without entries has no tiles');
}

/** No deprecation: the integrity of the canonical JSON of `null`. */
const NONE = digest(null);

/** What the index serves of builds otherwise than the log has it. */
async function auditBuilds(
  read: ReadIndexFile,
  builds: ReadonlyMap<string, LoggedBuild>,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  for (const id of await cataloguedIds(read, problems)) {
    if (!builds.has(id)) problems.push({ where: id, problem: 'is in the catalog, not in the log' });
  }
  const found = await forAll([...builds], ([id, build]) => auditBuild(read, id, build));
  return [...problems, ...found.flat()];
}

async function auditBuild(
  read: ReadIndexFile,
  id: string,
  { versions, deprecation = NONE }: LoggedBuild,
): Promise<AuditProblem[]> {
  const problems: AuditProblem[] = [];
  const add = (problem: string): void => void problems.push({ where: id, problem });
  const path = headPath(id);
  const head = await reporting(path, problems, () => readHead(read, path));
  if (head === undefined) return problems;
  if (head.id !== id) add(`its head is of "${head.id}"`);
  if (digest(head.deprecated ?? null) !== deprecation) add('is deprecated otherwise than logged');
  const shown = new Map(head.versions.map((version) => [version.version, version]));
  for (const version of shown.keys()) {
    if (!versions.has(version)) add(`${version} is in its head, not in the log`);
  }
  for (const [version, logged] of versions) {
    const { integrity, published_at, isYanked } = logged;
    const served = shown.get(version);
    if (served === undefined) {
      add(`${version} is in the log, and its head hides it`);
      continue;
    }
    const expected = `${integrity} of ${published_at}`;
    const actual = `${served.integrity} of ${served.published_at}`;
    if (actual !== expected) add(`${version} is in its head as ${actual}, logged as ${expected}`);
    const { status } = served;
    if ((status.is !== 'open') !== isYanked) {
      add(`${version} is ${status.is} in its head, and ${isYanked ? '' : 'not '}yanked in the log`);
    }
    if (logged.isTakenDown !== (status.is === 'taken down')) {
      add(
        `${version} is ${logged.isTakenDown ? '' : 'not '}taken down in the log, and its head differs`,
      );
    }
    const tarball = await read(tarballPath(id, version));
    const digestOf = tarball === undefined ? 'missing' : integrityOf(tarball);
    // A host keeps the tarball of a withdrawn version for a while.
    const isMissing = tarball === undefined && isGone(status) && isYanked;
    if (logged.isTakenDown && tarball !== undefined) {
      add(`the tarball of ${version} was taken down, and is still there`);
    }
    if (digestOf !== integrity && !isMissing)
      add(`the tarball of ${version} is ${digestOf}, logged as ${integrity}`);
    const problem = await reporting(versionPath(id, version), problems, () =>
      documentProblem(read, id, served, logged),
    );
    if (problem !== undefined) add(`the document of ${version}: ${problem}`);
  }
  return problems;
}

/** What is wrong with the document of a version. */
async function documentProblem(
  read: ReadIndexFile,
  id: string,
  { version, document }: HeadVersion,
  { index, integrity, commit, tree, published_at }: LoggedVersion,
): Promise<string | undefined> {
  const path = versionPath(id, version);
  const bytes = await read(path);
  if (bytes === undefined) return 'is missing';
  if (integrityOf(bytes) !== document)
    return `has the digest ${integrityOf(bytes)}, not ${document}`;
  const copy = await read(documentPath(sha256Hex(bytes)));
  if (copy === undefined || !isSameHash(copy, bytes)) return 'is not under its digest';
  const served = parseDocument(VersionDocument, bytes, path);
  const entry = { type: 'publish', id, version, integrity, commit, tree, published_at } as const;
  if (served.integrity !== integrity) return `is of a tarball ${served.integrity}`;
  const checked = checkProvenance(served.provenance, entry, index);
  return 'problem' in checked ? checked.problem : undefined;
}

async function cataloguedIds(read: ReadIndexFile, problems: AuditProblem[]): Promise<string[]> {
  const catalog = await document(read, CATALOG_PATH, Catalog, problems);
  const shards = await forAll(catalog?.shards ?? [], async ({ sha256 }) => {
    const where = shardPath(sha256);
    const bytes = await read(where);
    if (bytes !== undefined && sha256Hex(bytes) !== sha256) {
      problems.push({ where, problem: 'has another digest than in its name' });
    }
    return document(async () => bytes, where, CatalogShard, problems);
  });
  return shards.flatMap((shard) => shard?.builds.map(({ id }) => id) ?? []);
}

async function document<Schema extends typeof Catalog | typeof CatalogShard>(
  read: ReadIndexFile,
  path: string,
  schema: Schema,
  problems: AuditProblem[],
): Promise<ReturnType<Schema['parse']> | undefined> {
  return reporting(path, problems, async () => {
    const bytes = await read(path);
    if (bytes === undefined) problems.push({ where: path, problem: 'is missing' });
    return bytes && (parseDocument(schema, bytes, path) as ReturnType<Schema['parse']>);
  });
}

/** What `look` finds; the form of a file that it cannot read is a problem. */
async function reporting<Result>(
  where: string,
  problems: AuditProblem[],
  look: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    problems.push({ where, problem: error.message });
    return undefined;
  }
}

function digest(statement: unknown): string {
  return integrityOf(new TextEncoder().encode(canonicalJson(statement)));
}
