/** Programs on the PATH of this user. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Whether `file` exists and this user may run it. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of `program`; `undefined` when no folder of the PATH has it. Folders that depend on
 * the working folder are left out: a project could bring a program of that name.
 */
export function programPath(program: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`)))
    .find(isProgram);
}

/** Whether the PATH of this user has `program`. */
export function isOnPath(program: string): boolean {
  return programPath(program) !== undefined;
}

/** The path behind links; of what is not there, the path itself. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
