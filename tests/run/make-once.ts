/** What several test files of a run need and none of them changes: the first that needs it makes it, the others wait. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import './global-setup.ts';

/**
 * The folder `name` of the run, after `make` has filled it.
 * @throws what `make` threw, in the other files its text
 */
export async function makeOnce(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const run = process.env['VITEST'] === undefined ? runOfTool() : inject('runFolder');
  const folder = join(run, name);
  const [done, failed] = [`${folder}.done`, `${folder}.failed`];
  if (!claim(folder)) {
    while (!existsSync(done)) {
      if (existsSync(failed))
        throw new Error(`Cannot make ${name}: ${readFileSync(failed, 'utf8')}`);
      await sleep(50);
    }
    return folder;
  }
  try {
    await make(folder);
    writeFileSync(done, '');
  } catch (error) {
    writeFileSync(failed, String(error));
    throw error;
  }
  return folder;
}

/** A tool that uses a fixture makes it for itself; servers with users of their own read there. */
function runOfTool(): string {
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Makes the folder; false where it exists. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
