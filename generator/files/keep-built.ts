/** Keeps what was built from the sources of this software, below `node_modules/.cache/`. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `file` for the next run, as the only one of the folder `cache`. Without a folder that can be written, each run
 * builds again.
 */
export function keepBuilt(cache: string, file: string, content: Uint8Array | string): void {
  try {
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) rmSync(join(cache, name));
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, content);
    renameSync(temporary, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
