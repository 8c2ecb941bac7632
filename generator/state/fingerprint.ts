/** The version of this generator, for the state file: whatever could change a byte of its output. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

let known: string | undefined;

/** A digest of these sources and of the exact versions of their dependencies; read once per process. */
export function generatorVersion(): string {
  known ??= digestOfSources();
  return known;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const room of ['format', 'checks', 'examine', 'generator']) {
    const files = readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' });
    for (const file of files.sort()) {
      if (!/\.(?:ts|js)$/.test(file) || /\.test\.\w+$/.test(file)) continue;
      hash.update(`${room}/${file}\0`).update(readFileSync(join(ROOT, room, file)));
    }
  }
  hash.update(readFileSync(join(ROOT, 'package.json')));
  return hash.digest('hex');
}
