/** Names of files with what programs do with them, and names of ordinary source files: data of the tests of consent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NamedFile {
  readonly path: string;
  readonly class: string;
  /** Which program, and what it does. */
  readonly source: string;
}

/** Files that a program runs or reads as settings, with their class. */
export const NAMED_FILES: readonly NamedFile[] = linesOf('named-files.txt').map((line) => {
  const [path = '', name = '', source = ''] = line.split(' | ');
  return { path, class: name, source };
});

/** Files of modules, which need no consent. */
export const ORDINARY_FILES: readonly string[] = linesOf('ordinary-files.txt');

function linesOf(name: string): string[] {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
