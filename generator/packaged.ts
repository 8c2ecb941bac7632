/** Whether this code is in the package `stackyard-registry`, and not in its sources. */
import { join } from 'node:path';

/** The sources are TypeScript; the package has a few files of JavaScript in one folder. */
export const isPackaged: boolean = !import.meta.url.endsWith('.ts');

/** A file beside the code of the package. */
export function packagedFile(name: string): string {
  return join(import.meta.dirname, name);
}
