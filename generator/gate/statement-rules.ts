/**
 * Reports and flags: every account may add its own, none may change or delete any. The content is hostile; the
 * rules are those of the ingest, which reads the files later.
 */
import type { Person } from '../../format/registry/account.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { MAX_STATEMENT_BYTES, parseStatementPath } from '../../format/statement/statement.ts';
import { checkStatementFile } from '../statement/statement-check.ts';
import { isGone } from './changed-entries.ts';
import type { ChangedEntry } from './changed-entries.ts';
import type { Registry } from './judge-build.ts';
import { PublishedHistory } from './published-history.ts';
import { reason } from './reason.ts';

const MAX_STATEMENTS = 50;

/** @param at when the pull request arrived, in UTC */
export async function checkStatements(
  registry: Registry,
  entries: readonly ChangedEntry[],
  author: Person,
  at: string,
): Promise<Reason[]> {
  if (entries.length > MAX_STATEMENTS) {
    return [reason('gate-statement-count', '', { limit: MAX_STATEMENTS })];
  }
  const reasons: Reason[] = [];
  for (const entry of entries) reasons.push(...(await checkEntry(registry, entry, author, at)));
  return reasons;
}

async function checkEntry(
  { repository, reader }: Registry,
  entry: ChangedEntry,
  author: Person,
  at: string,
): Promise<Reason[]> {
  const { path, oldMode } = entry;
  if (isGone(entry) || oldMode !== '000000') return [reason('gate-statement-changed', path)];
  const place = parseStatementPath(path);
  const isPlain = entry.isUtf8 && entry.mode === '100644';
  if (place === undefined || !isPlain) {
    const problem = 'its path must be <kind>/<owner>/<name>/<version>/<SHA-256 of the file>.json';
    return [reason('gate-statement', path, { problem })];
  }
  const object = await reader.read(entry.oid, { left: MAX_STATEMENT_BYTES });
  const history = await PublishedHistory.read(repository, reader, place.build);
  const published = await history.find(place.version);
  const result = checkStatementFile(path, object?.bytes, at, { find: () => published });
  if ('code' in result) return [reason('gate-statement', path, { problem: result.message })];
  const { account } = result.statement;
  return account === `host:${author.id}`
    ? []
    : [reason('gate-statement-account', path, { account, id: author.id })];
}
