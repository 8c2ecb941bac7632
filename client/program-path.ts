/** Whether a program is there to be run. */
import { accessSync, constants } from 'node:fs';

/** Whether `file` exists and this user may run it. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
