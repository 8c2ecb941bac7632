// Makes the folder of a database file. Not by `mkdirSync` with `recursive`: where the system accepts no folder, as
// below /proc, that call never returns in some versions of Node.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes `folder`, an absolute path, and the missing folders above it. Throws the error of the system, which names the path. */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  // Ends at the root at the latest, which is its own parent and exists.
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) makeOne(path);
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it since.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
