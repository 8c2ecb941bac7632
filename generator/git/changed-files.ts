/** The files below a folder that the head has, or that differ from an indexed commit: what is read without its history. */
import { printable } from '../../format/build/file-path.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';
import { compareTrees, FOLDER, NO_ENTRY, Trees } from './trees.ts';

interface ChangedFile {
  /** Path in the repository. */
  readonly path: string;
  /** Object id at the head; `undefined` when the file is gone or is no plain file. */
  readonly blob: string | undefined;
}

/** Files and folders: a registry of a million builds has as many signals. */
const MAX_CHANGES = 4_000_000;

/**
 * @param since an indexed commit; without it every file at the head counts as changed
 * @throws {GeneratorError} `ERR_GIT` for a folder that cannot be read
 */
export async function changedFiles(
  { head }: Repository,
  reader: ObjectReader,
  folder: string,
  since: string | undefined,
): Promise<ChangedFile[]> {
  const commits = since === undefined ? [head] : [head, since];
  const [is, was] = await reader.describeAll(commits.map((one) => `${one}:${folder}`));
  if (is?.oid === was?.oid) return [];
  const [now, before] = await reader.describeAll(commits.map((one) => `${one}^{tree}`));
  const bounds = { entries: MAX_CHANGES, isEntered: isWithin(folder) };
  const compared = await compareTrees(new Trees(reader), before?.oid, now?.oid, bounds);
  const {
    changes,
    isCut,
    unreadable: [first],
  } = compared;
  if (first !== undefined || isCut) {
    const { path, problem } = first ?? { path: folder, problem: 'it leads to too many files' };
    const hint = 'revert the commit that changed it; "git fsck" names damaged objects';
    throw new GeneratorError('ERR_GIT', `Cannot read "${printable(path)}" of ${head}: ${problem}`, {
      hint,
    });
  }
  return changes.flatMap(({ path, oldMode, mode, oid }) => {
    const isFile = mode !== FOLDER && (oldMode !== FOLDER || mode !== NO_ENTRY);
    if (!isFile || !path.startsWith(`${folder}/`)) return [];
    return [{ path, blob: mode.startsWith('100') ? oid : undefined }];
  });
}

/** Whether a path is that of `folder`, above it or below it. */
export function isWithin(folder: string): (path: string) => boolean {
  return (path) => path.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`);
}
