/** The client as users get it: the package that indexes serve, unpacked. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTarball } from '../../format/archive/tarball.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

const PROGRAM = 'dist/stackyard.mjs';

/** Absolute path of the program. @param bytes the package; its program needs no other file of it */
export function unpackClient(
  { bytes, integrity }: { readonly bytes: Uint8Array; readonly integrity: string },
  cache: string,
): string {
  const name = integrity.replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, 40);
  const file = join(cache, `client-${name}`, 'stackyard.mjs');
  if (existsSync(file)) return file;
  const entry = readTarball(bytes).find(({ path }) => path === PROGRAM);
  if (entry === undefined) {
    throw new GeneratorError('ERR_CLIENT_PACKAGE', `The client has no file "${PROGRAM}"`, {
      hint: 'build the client again',
    });
  }
  writeWhole(file, new TextDecoder().decode(entry.bytes));
  return file;
}
