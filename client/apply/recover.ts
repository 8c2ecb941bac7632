/**
 * Undoes or finishes an interrupted run, from the journal that it left. May itself be killed and repeated.
 */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkParents, hasCode, writeError } from '../project/safe-path.ts';
import { endTransaction, type Journal, readJournal, stagedFile, type Step } from './journal.ts';
import { integrityAt, isPlaced } from './placement.ts';
import { removeEmptiedFolders, undo } from './undo.ts';
import { hasWorkFolder } from './work-folder.ts';

/**
 * Undoes or finishes an interrupted run. Call it while holding the project's lock, before anything is
 * read. It may itself be killed and repeated.
 * @throws {ClientError} `ERR_JOURNAL` when it cannot, with the next step as hint; `ERR_PATH_POLICY`, `ERR_WRITE`
 */
export async function recover(
  project: string,
  options: { readonly step?: Step } = {},
): Promise<'nothing' | 'undone' | 'finished'> {
  const step = options.step ?? (() => {});
  if (!(await hasWorkFolder(project))) return 'nothing';
  const journal = await readJournal(project);
  try {
    const committed = journal !== undefined && (await isCommitted(project, journal));
    if (journal !== undefined && !committed) await undo(project, journal, journal.folders, step);
    if (journal !== undefined && committed) await removeEmptiedFolders(project, journal, step);
    // Without a journal, either nothing in the project was changed yet or everything is done.
    await endTransaction(project, step);
    if (journal === undefined) return 'nothing';
    return committed ? 'finished' : 'undone';
  } catch (error) {
    throw writeError('.stackyard', error);
  }
}

async function isCommitted(project: string, journal: Journal): Promise<boolean> {
  const index = journal.writes.length - 1;
  const commit = journal.writes[index];
  if (commit === undefined) return false;
  // A hostile checkout must not make us read, or later write, through a symlink.
  if ((await checkParents(project, commit.path)).length > 0) return false;
  const target = join(project, commit.path);
  const staged = stagedFile(project, journal.transaction, 'new', index);
  if (commit.after === null) return (await integrityAt(target)) === undefined;
  if (!(await isPlaced(staged, target))) return false;
  // The staged file is missing because it was put in place, or because the folder was deleted.
  if (await hasFolder(dirname(staged))) return true;
  return commit.before !== commit.after && (await integrityAt(target)) === commit.after;
}

async function hasFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
