/** Reads files of a project that may be missing or malformed: such a file counts as empty. */
import { lstatSync, readFileSync, readdirSync, type Stats } from 'node:fs';
import { splitBom } from '../edit/project-file.ts';

/** The text of a file without its byte order mark, empty when it cannot be read. */
export function readText(path: string): string {
  try {
    return splitBom(readFileSync(path, 'utf8')).body;
  } catch {
    return '';
  }
}

/** The value of a JSON file, `undefined` when it cannot be read. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch {
    return undefined;
  }
}

/** What is at `file`, links not followed; `undefined` for nothing, also below a file. */
export function statusAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The names in a folder, sorted; none when it cannot be read. */
export function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
