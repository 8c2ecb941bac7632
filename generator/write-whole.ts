/** Replaces files as a whole. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file, and the folder that it is in, so that a reader sees the old one or the new one, and after a crash one of
 * them is there.
 * @param mark ending of the temporary file beside it: another one for each process where several write the file
 */
export function writeWhole(file: string, content: Uint8Array | string, mark = 'new'): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${mark}`;
  const descriptor = openSync(temporary, 'w');
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

/** Writes a file from which a later run is faster: without a place that can be written, that run does the work again. */
export function tryWriteWhole(file: string, content: Uint8Array | string): void {
  try {
    writeWhole(file, content, String(process.pid));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Keeps what was built from the sources of this software as the only file of the folder `cache`. */
export function keepBuilt(cache: string, file: string, content: Uint8Array | string): void {
  try {
    for (const name of readdirSync(cache)) rmSync(join(cache, name));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  tryWriteWhole(file, content);
}
