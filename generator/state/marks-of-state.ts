/** The marks of the last run in a state file that no run holds. */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isOfNewerVersion } from './schema.ts';
import { isSqliteError } from './sqlite-error.ts';

export interface StateMarks {
  /** The newest commit that its index shows. */
  readonly head: string;
  /** Digest of the `registry.json` of its index. */
  readonly registry: string;
  /** Whether a newer version of this software wrote it. */
  readonly isNewer: boolean;
}

/** `undefined` for a file that is missing, damaged, in use or of a run that did not end. */
export function marksOfState(file: string): StateMarks | undefined {
  return withMeta(file, { readonly: true }, (db) => {
    const rows = db.prepare('SELECT key, value FROM meta').all() as Record<
      'key' | 'value',
      string
    >[];
    const meta = new Map(rows.map(({ key, value }) => [key, value]));
    const [head, registry] = [meta.get('head'), meta.get('registry')];
    if (head === undefined || registry === undefined || meta.get('dirty') !== 'no')
      return undefined;
    return { head, registry, isNewer: isOfNewerVersion(db) };
  });
}

/** Lets the state go on over another index of the same registry, which has what it does not know. */
export function adoptIndex(file: string, registry: string): void {
  withMeta(file, {}, (db) => {
    db.prepare("UPDATE meta SET value = ? WHERE key = 'registry'").run(registry);
  });
}

function withMeta<Result>(
  file: string,
  options: Database.Options,
  act: (db: Database.Database) => Result,
): Result | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const db = new Database(file, { timeout: 1_000, ...options });
    try {
      return act(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isSqliteError(error, /./)) return undefined;
    throw error;
  }
}
