/**
 * `ingest reports` and `ingest flags`: what accounts say about versions, counted from the files of the repository into
 * `signals/`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type StatementKind, MAX_STATEMENT_BYTES } from '../../format/statement/statement.ts';
import { tryParseDay } from '../../format/statement/day.ts';
import { withStatements, type Signals } from '../../format/registry/signals.ts';
import { commitTime, type ObjectReader } from '../git/object-reader.ts';
import { type Repository, changedFiles } from '../git/repository.ts';
import { countReports } from '../reputation.ts';
import type { PublishedVersions } from './published-versions.ts';
import { SignalsFiles } from './downloads.ts';
import { checkStatementFile, type Accepted, type Refusal } from '../statements.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { layoutAt } from '../git/builds-entries.ts';
import { MODERATION_FOLDER, Moderation } from '../../format/registry/moderation.ts';
import { GeneratorError } from '../errors.ts';
import { readMainLine } from '../git/history.ts';

interface StatementsOptions {
  readonly kind: StatementKind;
  /** Top folder of the registry's working tree. */
  readonly repo: string;
}

interface StatementsReport {
  /** Statements that passed every check. */
  readonly accepted: number;
  /** Of these, those that were replaced by a later one of the same account, version and day. */
  readonly superseded: number;
  /** Of these, those of the build's own publisher. */
  readonly own: number;
  readonly dismissed: number;
  readonly refusals: readonly Refusal[];
  /** Builds whose signals changed. */
  readonly changed: readonly string[];
}

type Counted = Pick<Signals, 'agent_reports' | 'flags' | 'upheld'>;

const NOTHING: Counted = { agent_reports: { success: 0, failure: 0 }, flags: 0 };

/** Counts all statements of a kind again and writes the signals that changed. */
export async function ingestStatements(
  options: StatementsOptions,
  repository: Repository,
  reader: ObjectReader,
  versions: PublishedVersions,
): Promise<StatementsReport> {
  const { kind } = options;
  const refusals: Refusal[] = [];
  const accepted = new Map<string, Accepted>();
  const take = (result: Accepted | Refusal): void => {
    if ('code' in result) refusals.push(result);
    else if (!accepted.has(result.id)) accepted.set(result.id, result);
  };
  for await (const { path, bytes, at } of readStatementFiles(repository, reader, kind)) {
    take(checkStatementFile(path, bytes, at, versions));
  }
  const decisions = await readDecisions(repository, reader);
  const latest = latestOfDay([...accepted.values()]);
  const owners = latest.map((one) => ownerOf(one));
  const publishers = await publisherAccounts(repository, reader, owners);
  const others = latest.filter((one) => !isOwn(one, versions, publishers.get(ownerOf(one))));
  const counting = others.filter((s) => kind === 'flags' || decisions.get(s.id) !== 'dismissed');
  const counts =
    kind === 'reports'
      ? reportCounts(counting, versions)
      : flagCounts(counting, (id) => decisions.get(id) ?? 'open');
  const newest = latest.reduce(
    (time, { at }) => (at > time ? at : time),
    await commitTime(repository, reader),
  );
  return {
    accepted: accepted.size,
    superseded: accepted.size - latest.length,
    own: latest.length - others.length,
    dismissed: others.filter((s) => decisions.get(s.id) === 'dismissed').length,
    refusals,
    changed: writeCounts(options, counts, newest),
  };
}

/** One for each account, version and day: the last that arrived. */
function latestOfDay(accepted: readonly Accepted[]): Accepted[] {
  const latest = new Map<string, Accepted>();
  for (const one of accepted) {
    const { account, build, version, day } = one.statement;
    const key = `${account} ${build}@${version} ${day}`;
    const known = latest.get(key);
    if (known === undefined || order(known, one) < 0) latest.set(key, one);
  }
  return [...latest.values()].sort(order);
}

/** By arrival, then by id, so that the order of files does not matter. */
function order(a: Accepted, b: Accepted): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function ownerOf({ statement }: Accepted): string {
  return statement.build.split('/')[0] ?? '';
}

/** Reports of publishers about their own builds do not count. */
function isOwn(
  one: Accepted,
  versions: PublishedVersions,
  publishers: ReadonlySet<string> | undefined,
): boolean {
  const { account } = one.statement;
  const own = `host:${versions.accountOf(ownerOf(one))}`;
  return account === own || publishers?.has(account) === true;
}

function reportCounts(
  statements: readonly Accepted[],
  versions: PublishedVersions,
): Map<string, Counted> {
  const reports = statements.map(({ id, statement, at }) => ({
    id,
    account: statement.account,
    build: statement.build,
    isSuccess: 'outcome' in statement && statement.outcome === 'success',
    at,
    day: tryParseDay(at) ?? 0,
  }));
  const counts = new Map<string, Counted>();
  for (const [build, agent_reports] of countReports(reports, versions.countOwners())) {
    counts.set(build, { ...NOTHING, agent_reports });
  }
  return counts;
}

/** An account counts once a build, and a version once, however many flags there are. */
function flagCounts(
  statements: readonly Accepted[],
  stateOf: (id: string) => string,
): Map<string, Counted> {
  const builds = new Map<string, { open: Set<string>; upheld: Set<string> }>();
  for (const { id, statement } of statements) {
    const seen = builds.get(statement.build) ?? { open: new Set(), upheld: new Set() };
    builds.set(statement.build, seen);
    if (stateOf(id) === 'open') seen.open.add(statement.account);
    if (stateOf(id) === 'upheld') seen.upheld.add(statement.version);
  }
  return new Map(
    [...builds].map(([build, { open, upheld }]) => {
      return [build, { ...NOTHING, flags: open.size, upheld: upheld.size }];
    }),
  );
}

/**
 * Writes what changed. Builds without statements any more go back to none.
 * @param at the time of the change: that of the newest statement or commit, since either may cause it
 */
function writeCounts(
  { repo, kind }: StatementsOptions,
  counts: ReadonlyMap<string, Counted>,
  at: string,
): string[] {
  const files = new SignalsFiles(repo);
  const ids = new Set([...counts.keys(), ...files.ids()]);
  return [...ids].sort().filter((id) => {
    const before = files.read(id);
    const { agent_reports, flags, upheld = 0 } = counts.get(id) ?? NOTHING;
    const part = kind === 'reports' ? { agent_reports } : { flags, upheld };
    const same = withStatements(before, { ...before, ...part });
    if (isDeepStrictEqual(same, withStatements(before, before))) return false;
    return files.write(id, withStatements(before, { ...same, updated_at: at }));
  });
}

// Which accounts at the code host publish for an owner, by the owner file of the newest commit: what they say
// of their own builds does not count. A maintainer who is named by login alone has no number to compare.

/**
 * The accounts as statements write them, `host:<id>`, by owner.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function publisherAccounts(
  repository: Repository,
  reader: ObjectReader,
  owners: Iterable<string>,
): Promise<Map<string, ReadonlySet<string>>> {
  const all = [...new Set(owners)];
  const { head } = repository;
  const layout = await layoutAt(reader, head);
  const files = all.map((owner) =>
    reader.read(`${head}:${ownerFilePath(owner, layout)}`, { left: MAX_MANIFEST_BYTES }),
  );
  const objects = await Promise.all(files);
  return new Map(all.map((owner, at) => [owner, accountsIn(objects[at]?.bytes)]));
}

function accountsIn(bytes: Uint8Array | undefined): ReadonlySet<string> {
  const { account_id: own, maintainers = [] } = tryParse(bytes) ?? {};
  const ids = maintainers.map((one) => (typeof one === 'string' ? undefined : one.account_id));
  return new Set([own, ...ids].flatMap((id) => (id === undefined ? [] : [`host:${id}`])));
}

/** A file that cannot be read names no account; the gate and the generator report it to its owner. */
function tryParse(bytes: Uint8Array | undefined): OwnerFile | undefined {
  try {
    return bytes === undefined ? undefined : parseDocument(OwnerFile, bytes, 'the owner file');
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

/** Reads `reports/` or `flags/`, and `moderation/`, as the newest commit of the main line holds them. */
interface StatementFile {
  /** Below the root of the registry. */
  readonly path: string;
  /** Absent when the file is too large or is no plain file. */
  readonly bytes: Uint8Array | undefined;
  /** When the commit that added it reached the main line. */
  readonly at: string;
}

const MAX_MODERATION_BYTES = 1_000_000;
/** Files that are read at once. */
const BATCH = 500;

/** Every file below the folder of `kind`, in the order in which they came. */
async function* readStatementFiles(
  repository: Repository,
  reader: ObjectReader,
  kind: StatementKind,
): AsyncGenerator<StatementFile> {
  const { root = '' } = repository;
  const files = [...(await listFiles(repository, `${root}${kind}`))];
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files
      .slice(start, start + BATCH)
      .map(async ([path, { oid, isPlain, seconds }]) => {
        const object = isPlain ? await reader.read(oid, { left: MAX_STATEMENT_BYTES }) : undefined;
        return {
          path: path.slice(root.length),
          bytes: object?.bytes,
          at: new Date(seconds * 1000).toISOString(),
        };
      });
    yield* await Promise.all(batch);
  }
}

/**
 * The admins' decisions: id of a flag or report to its state. Only admins may change the folder, which
 * the gate sees to.
 * @throws {GeneratorError} `ERR_SIGNALS` for a file that cannot be read: nothing is counted without it
 */
async function readDecisions(
  repository: Repository,
  reader: ObjectReader,
): Promise<Map<string, Moderation['decisions'][string]['state']>> {
  const decisions = new Map<string, Moderation['decisions'][string]['state']>();
  const folder = `${repository.root ?? ''}${MODERATION_FOLDER}`;
  for (const { path, blob } of await changedFiles(repository, folder, undefined)) {
    if (!path.endsWith('.json') || blob === undefined) continue;
    const object = await reader.read(blob, { left: MAX_MODERATION_BYTES });
    try {
      const file = parseDocument(Moderation, object?.bytes ?? new Uint8Array(), `"${path}"`);
      for (const [id, { state }] of Object.entries(file.decisions)) decisions.set(id, state);
    } catch (cause) {
      if (!(cause instanceof StackyardError)) throw cause;
      throw new GeneratorError('ERR_SIGNALS', cause.message, {
        cause,
        hint: 'mend the file and commit it; its schema is schemas/moderation.schema.json',
      });
    }
  }
  return decisions;
}

interface Listed {
  oid: string;
  isPlain: boolean;
  seconds: number;
}

/** Path to the file that is there now, with the time of the commit that added it. */
async function listFiles(repository: Repository, folder: string): Promise<Map<string, Listed>> {
  const files = new Map<string, Listed>();
  for await (const { changes, seconds } of readMainLine(repository, [folder])) {
    for (const { path, mode, oid } of changes) {
      const text = path.toString('utf8');
      if (mode === '000000') files.delete(text);
      else if (mode !== '040000') {
        const known = files.get(text);
        const isPlain = mode.startsWith('100');
        // A changed file keeps its time only while its content, and so its name, holds.
        files.set(text, known?.oid === oid ? known : { oid, isPlain, seconds });
      }
    }
  }
  return files;
}
