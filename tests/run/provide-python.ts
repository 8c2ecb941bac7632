/** Python packages for tests, without an environment: a `.venv` knows its folder, and these are renamed into place. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './install-once.ts';

const run = promisify(execFile);

/** Returns the folder of the packages, to be named in PYTHONPATH; it has their programs in `bin`. */
export async function providePython(packages: readonly string[]): Promise<string> {
  const name = packages.map((text) => text.replaceAll(/[^\w.]+/g, '-')).join('_');
  const home = await installOnce(name, async (folder) => {
    const target = join(folder, 'packages');
    // Compiled when it is imported: to compile all of it takes longer than to install it.
    await run('python3', [
      '-m',
      'pip',
      'install',
      '-q',
      '--no-compile',
      '--target',
      target,
      ...packages,
    ]);
  });
  return join(home, 'packages');
}
