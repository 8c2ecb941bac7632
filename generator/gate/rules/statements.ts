/**
 * Reports and flags: every account may add its own, none may change or delete any. The content is hostile; the
 * rules are those of the ingest, which reads the files later.
 */
import type { Reason } from '../gate-verdict.ts';
import { MAX_STATEMENT_BYTES, parseStatementPath } from '../../../format/statement/statement.ts';
import { checkStatementFile } from '../../statements.ts';
import { isGone, type ChangedEntry } from '../changes.ts';
import type { Change } from './rule.ts';
import { reason } from '../reasons.ts';

const MAX_STATEMENTS = 50;

export async function checkStatements(change: Change): Promise<Reason[]> {
  if (change.statements.length > MAX_STATEMENTS) {
    return [reason('gate-statement-count', '', { limit: MAX_STATEMENTS })];
  }
  const reasons: Reason[] = [];
  for (const entry of change.statements) reasons.push(...(await checkEntry(change, entry)));
  return reasons;
}

async function checkEntry(
  { reader, history, author, now, config }: Change,
  entry: ChangedEntry,
): Promise<Reason[]> {
  const { path, oldMode } = entry;
  if (isGone(entry) || oldMode !== '000000') return [reason('gate-statement-changed', path)];
  const below = path.slice(config.root.length);
  const place = parseStatementPath(below);
  const isPlain = entry.isUtf8 && entry.mode === '100644';
  if (place === undefined || !isPlain) {
    const problem = 'its path must be <kind>/<owner>/<name>/<version>/<SHA-256 of the file>.json';
    return [reason('gate-statement', path, { problem })];
  }
  const object = await reader.read(entry.oid, { left: MAX_STATEMENT_BYTES });
  const published = await (await history(place.build)).find(place.version);
  const result = checkStatementFile(below, object?.bytes, now, { find: () => published });
  if ('code' in result) return [reason('gate-statement', path, { problem: result.message })];
  const { account } = result.statement;
  return account === `host:${author.id}`
    ? []
    : [reason('gate-statement-account', path, { account, id: author.id })];
}
