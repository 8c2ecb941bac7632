/**
 * Files of earlier states of an index. A reader who has the checkpoint of before still reads what that leads to: it stays for a day
 * below `<out>/.retired/`, where `serve` and clients that read a folder look after the index itself.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DAY_MS } from '../../format/duration.ts';
import { RETIRED_FOLDER } from '../../format/index/layout.ts';

/** Whether a checkpoint leads to the file at `path`. */
export function isRetiring(path: string): boolean {
  return /^(?:documents|catalog|log\/map|log\/map-entries)\//.test(path);
}

/** Moves a file of the index to where readers of an earlier state find it. */
export function retireFile(out: string, path: string): void {
  const place = join(out, RETIRED_FOLDER, path);
  mkdirSync(dirname(place), { recursive: true });
  const now = new Date();
  utimesSync(join(out, path), now, now);
  renameSync(join(out, path), place);
}

/** Removes the files that were retired more than `ageMs` ago. */
export function dropRetired(out: string, ageMs: number = DAY_MS): void {
  const folder = join(out, RETIRED_FOLDER);
  if (ageMs === 0) rmSync(folder, { recursive: true, force: true });
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && Date.now() - statSync(file).mtimeMs > ageMs) rmSync(file);
  }
}
