/** Whether a program can be run. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether `file` exists and this user may run it. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the PATH of this user has `program`. */
export function isOnPath(program: string): boolean {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) =>
    endings.some((ending) => isProgram(join(folder, `${program}${ending}`))),
  );
}
