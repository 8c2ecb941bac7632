/** Keeps what Node.js compiled for the next run: a short run, and each worker thread, mostly compiles its modules. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isPackaged, packagedFile } from '../packaged.ts';

/**
 * From now on compiled modules of this thread are kept. The folder belongs to a user who may change the modules
 * themselves, unlike the default, which is a folder that all users can write to.
 */
export function keepCompiledModules(): void {
  const packages = isPackaged
    ? packagedFile('../..')
    : join(import.meta.dirname, '../../node_modules');
  enableCompileCache(join(packages, '.cache/node-compile-cache'));
}
