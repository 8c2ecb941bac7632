/**
 * When a run may go on from where the last one ended. The marks of a run:
 *
 *     identity   software and configuration that made the index
 *     registry   digest of the registry.json that the run wrote
 *     head, time newest commit that the index shows
 *     dirty      "yes" from the commit of the state to the end of the renames
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isOfNewerVersion } from './schema.ts';
import type { State } from './state.ts';
import { isSqliteError } from './statements.ts';

/** The newest commit of a repository. */
interface HeadCommit {
  readonly oid: string;
  /** Committer time, ISO 8601 in UTC. */
  readonly time: string;
}

/** Where an incremental run begins. */
interface LastRun {
  readonly head: string;
  readonly time: string | undefined;
}

/**
 * The run to go on from; `undefined` when everything must be read again.
 * @param identity of the software and the configuration now
 * @param published bytes of `registry.json` in the index, if it has one
 * @param isOnMainLine whether a commit is part of the history that is indexed now
 */
export async function lastRun(
  state: State,
  identity: string,
  published: Uint8Array | undefined,
  isOnMainLine: (commit: string) => Promise<boolean>,
): Promise<LastRun | undefined> {
  const head = state.meta('head');
  if (head === undefined || published === undefined) return undefined;
  const describesIndex =
    state.meta('identity') === identity &&
    state.meta('dirty') === 'no' &&
    state.meta('registry') === digest(published);
  if (!describesIndex || !(await isOnMainLine(head))) return undefined;
  return { head, time: state.meta('time') };
}

/**
 * Commits the state just before the index changes. A crash between here and `endPublishing` leaves the
 * index between two runs: the mark makes the next run a full one.
 * @param registry text of the new `registry.json`
 */
export function beginPublishing(
  state: State,
  identity: string,
  head: HeadCommit,
  registry: string,
): void {
  state.setMeta('head', head.oid);
  state.setMeta('time', head.time);
  state.setMeta('identity', identity);
  state.setMeta('registry', digest(registry));
  state.setMeta('dirty', 'yes');
  state.commit();
}

/** Marks the index as complete. */
export function endPublishing(state: State): void {
  state.setMeta('dirty', 'no');
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The marks of the last run in a state file that no run holds. */
interface StateMarks {
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
