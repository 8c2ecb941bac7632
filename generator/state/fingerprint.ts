/** The version of this generator, for the state file: whatever could change a byte of its output. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackaged, packagedFile } from '../packaged.ts';

const ROOT = join(import.meta.dirname, '../..');

let known: string | undefined;

/** A digest of these sources, or of the files of the package, and of the exact versions of their dependencies; read once per process. */
export function generatorVersion(): string {
  known ??= isPackaged ? digestOfPackage() : digestOfSources();
  return known;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const room of ['format', 'checks', 'examine', 'generator']) {
    const files = readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' });
    for (const file of files.sort()) {
      if (!/\.(?:ts|js|css|svg)$/.test(file) || /\.test\.\w+$/.test(file)) continue;
      hash.update(`${room}/${file}\0`).update(readFileSync(join(ROOT, room, file)));
    }
  }
  hash.update(readFileSync(join(ROOT, 'package.json')));
  return hash.digest('hex');
}

function digestOfPackage(): string {
  const hash = createHash('sha256');
  const folder = dirname(packagedFile('package.json'));
  for (const file of readdirSync(folder).sort()) {
    if (file.endsWith('.mjs')) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  }
  hash.update(readFileSync(join(folder, '../package.json')));
  return hash.digest('hex');
}
