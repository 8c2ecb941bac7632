/** How the pages of proofs name a build. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An id with its version in the folder `builds`, which is the newest one of this repository. */
export function nameOf(builds: string, id: string): string {
  const manifest = readFileSync(join(builds, id, 'stackyard.json'), 'utf8');
  return `\`${id}\` ${(JSON.parse(manifest) as { version: string }).version}`;
}
