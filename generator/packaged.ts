/** Whether this code is in the package `stackyard-registry`, and not in its sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enableCompileCache } from 'node:module';

/** The sources are TypeScript; the package has a few files of JavaScript in one folder. */
export const isPackaged: boolean = !import.meta.url.endsWith('.ts');

/** A file beside the code of the package. */
export function packagedFile(name: string): string {
  return join(import.meta.dirname, name);
}

/** The version of this software. */
export function programVersion(): string {
  const file = isPackaged
    ? packagedFile('../package.json')
    : join(import.meta.dirname, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * From now on compiled modules of this thread are kept. The folder belongs to a user who may change the modules
 * themselves, unlike the default, which is a folder that all users can write to.
 */
export function keepCompiledModules(): void {
  const packages = isPackaged
    ? packagedFile('../..')
    : join(import.meta.dirname, '../node_modules');
  enableCompileCache(join(packages, '.cache/node-compile-cache'));
}
