/** Programs for tests that are installed once in a clone of the repository: to install them takes longer than most tests. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from './make-once.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/stackyard-tests');

/**
 * The folder `name`, which `install` fills in the first run.
 * @throws what `install` threw
 */
export async function installOnce(
  name: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const home = join(CACHE, name);
  await makeOnce(name, async () => {
    if (existsSync(home)) return;
    const folder = `${home}.${process.pid}`;
    mkdirSync(folder, { recursive: true });
    await install(folder);
    rename(folder, home);
  });
  return home;
}

/** Only a whole installation gets the name; that of another run at the same time is as good. */
function rename(folder: string, home: string): void {
  try {
    renameSync(folder, home);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(home)) throw error;
  }
}
