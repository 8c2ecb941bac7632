/** Reads `reports/` or `flags/`, and `moderation/`, as the newest commit of the main line holds them. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { MODERATION_FOLDER, Moderation } from '../../format/registry/moderation.ts';
import { MAX_STATEMENT_BYTES, type StatementKind } from '../../format/statement/statement.ts';
import { GeneratorError } from '../errors.ts';
import { readMainLine } from '../git/history.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { changedFiles, isWithin } from '../git/changed-files.ts';
import { commitTime } from '../git/commits.ts';
import type { Repository } from '../git/repository.ts';
import { FOLDER, NO_ENTRY } from '../git/trees.ts';

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
export async function* readStatementFiles(
  repository: Repository,
  reader: ObjectReader,
  kind: StatementKind,
): AsyncGenerator<StatementFile> {
  const { root = '' } = repository;
  const files = [...(await listFiles(repository, reader, `${root}${kind}`))];
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files.slice(start, start + BATCH).map(async ([path, { oid, isPlain, at }]) => {
      const object = isPlain ? await reader.read(oid, { left: MAX_STATEMENT_BYTES }) : undefined;
      return { path: path.slice(root.length), bytes: object?.bytes, at };
    });
    yield* await Promise.all(batch);
  }
}

/**
 * The admins' decisions: id of a flag or report to its state. Only admins may change the folder, which
 * the gate sees to.
 * @throws {GeneratorError} `ERR_SIGNALS` for a file that cannot be read: nothing is counted without it
 */
export async function readDecisions(
  repository: Repository,
  reader: ObjectReader,
): Promise<Map<string, Moderation['decisions'][string]['state']>> {
  const decisions = new Map<string, Moderation['decisions'][string]['state']>();
  const folder = `${repository.root ?? ''}${MODERATION_FOLDER}`;
  for (const { path, blob } of await changedFiles(repository, reader, folder, undefined)) {
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
  at: string;
}

/** Path to the file that is there now, with the time of the commit that added it. */
async function listFiles(
  repository: Repository,
  reader: ObjectReader,
  folder: string,
): Promise<Map<string, Listed>> {
  const files = new Map<string, Listed>();
  const commits = readMainLine(repository, reader, isWithin(folder));
  for await (const { oid: commit, changes, time } of commits) {
    let at = time;
    for (const { path, mode, oldMode, oid } of changes) {
      if (!path.startsWith(`${folder}/`)) continue;
      if (mode === NO_ENTRY && oldMode !== FOLDER) files.delete(path);
      else if (mode !== NO_ENTRY && mode !== FOLDER) {
        const known = files.get(path);
        const isPlain = mode.startsWith('100');
        at ??= await commitTime(repository, reader, commit);
        // A changed file keeps its time only while its content, and so its name, holds.
        files.set(path, known?.oid === oid ? known : { oid, isPlain, at });
      }
    }
  }
  return files;
}
