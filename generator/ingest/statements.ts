/**
 * `ingest reports` and `ingest flags`: what accounts say about versions, counted from the files of the repository into
 * `signals/`.
 */
import { isDeepStrictEqual } from 'node:util';
import { withStatements, type Signals } from '../../format/registry/signals.ts';
import { tryParseDay } from '../../format/statement/day.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { commitTime } from '../git/commits.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { countReports } from '../reputation.ts';
import { checkStatementFile, type Accepted, type Refusal } from '../statements.ts';
import type { PublishedVersions } from './published-versions.ts';
import { publisherAccounts } from './publisher-accounts.ts';
import { SignalsFiles } from './signals-files.ts';
import { readDecisions, readStatementFiles } from './statement-files.ts';

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
    await commitTime(repository, reader, repository.head),
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
