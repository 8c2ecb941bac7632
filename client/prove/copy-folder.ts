/** Folders for copies of projects, which are removed after the run, or by the next one. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from '../project/state-folder.ts';

/** A new folder for copies, which is removed by `dropCopies()`; removes those of processes that are gone. */
export async function makeCopyFolder(): Promise<string> {
  const folder = join(stateFolder(), 'proofs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!isAlive(Number.parseInt(name, 10))) await dropCopies(join(folder, name));
  }
  return mkdtemp(join(folder, `${process.pid}-`));
}

export async function dropCopies(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
