/** The files that `init` writes: checked as the registry would, and written all or none. */
import {
  readFileSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { findingMessage } from '../../format/finding/finding.ts';
import { ClientError } from '../errors.ts';
import type { Source } from '../../scan/source.ts';
import { validate } from '../../scan/validate.ts';
import { hasCode, writeError } from '../project/safe-path.ts';

/** Messages of the errors for which the registry would refuse `source` with `files` written into it. */
export function manifestProblems(
  owner: string,
  name: string,
  source: Source,
  files: readonly NewFile[],
): string[] {
  const names = files.map((file) => file.name);
  const all = [
    ...source.files.filter(({ path }) => !names.includes(path)),
    ...files.map(({ name: path, text }) => {
      const bytes = Buffer.from(text);
      return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
    }),
  ];
  const { findings } = validate({ owner, name, source: { files: all, isCut: source.isCut } });
  return findings
    .filter(({ level }) => level === 'error')
    .map((found) => `${found.file === '' ? '' : `${found.file}: `}${findingMessage(found)}`);
}

export interface NewFile {
  readonly name: string;
  readonly text: string;
  /** Whether it replaces an existing file. */
  readonly isReplacing: boolean;
}

/**
 * Writes several files to one folder: all of them or none, and replaces a file only if `isReplacing`.
 * @throws {ClientError} `ERR_WRITE`, `ERR_CONFLICT` with nothing written
 */
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
