/** Removes the folders that a transaction leaves empty, after its commit. */
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Journal, Step } from './journal.ts';
import { checkParents } from '../project/safe-path.ts';
import { hasCode } from '../project/write-error.ts';

/**
 * Removes those of the journal's `emptied` folders that are empty, innermost first. May be repeated. A
 * folder that the system refuses to remove is kept: the files are as requested.
 */
export async function removeEmptiedFolders(
  project: string,
  journal: Journal,
  step: Step,
): Promise<void> {
  const folders = [...journal.emptied].sort((a, b) => b.length - a.length);
  for (const folder of folders) {
    if ((await checkParents(project, `${folder}/x`)).length > 0) continue;
    step(`remove folder ${folder}`);
    try {
      await rmdir(join(project, folder));
    } catch (error) {
      if (!hasCode(error)) throw error;
    }
  }
}
