/** Writes several files to one folder: all of them or none, and replaces a file only if `isReplacing`. */
import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode, writeError } from '../project/write-error.ts';
import { ClientError } from '../errors.ts';

export interface NewFile {
  readonly name: string;
  readonly text: string;
  /** Whether it replaces an existing file. */
  readonly isReplacing: boolean;
}

/** @throws {ClientError} `ERR_WRITE`, `ERR_CONFLICT` with nothing written */
export function writeFiles(folder: string, files: readonly NewFile[]): void {
  const mark = randomUUID();
  const prepared = files.map((file, at) => ({
    ...file,
    temporary: join(folder, `.${mark}-${at}`),
  }));
  const written: string[] = [];
  const undo: (() => void)[] = [];
  try {
    const made = mkdirSync(folder, { recursive: true });
    if (made !== undefined) undo.push(() => rmSync(made, { recursive: true, force: true }));
    for (const { temporary, text } of prepared) {
      writeFileSync(temporary, text, { flag: 'wx' });
      written.push(temporary);
    }
    for (const { name, temporary, isReplacing } of prepared) {
      const path = join(folder, name);
      if (isReplacing) {
        const before = readFileSync(path);
        renameSync(temporary, path);
        undo.push(() => writeFileSync(path, before));
      } else {
        place(temporary, path);
        undo.push(() => rmSync(path, { force: true }));
      }
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    if (!hasCode(error, 'EEXIST')) throw writeError(folder, error);
    throw new ClientError('ERR_CONFLICT', `A file already exists in "${folder}"`, {
      hint: 'nothing was written; check the folder, then run the same command again',
      cause: error,
    });
  } finally {
    for (const temporary of written) rmSync(temporary, { force: true });
  }
}

/** Linking fails if another process created the file meanwhile; renaming would replace it. */
function place(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Some file systems have no hard links.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}
