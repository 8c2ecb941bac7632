/**
 * Notes, beside the index, which trees are being examined in the process of the run itself. A run that a defect of a native parser
 * or too little memory ended leaves the file; the next one examines these trees in processes of their own.
 *
 *     4b825dc642cb6eb9a060e54bf8d69288fbee4904
 *     9fd1f1a0c7d9b5a6b5f8ea1d9e3b1c0d7e6f5a4b
 */
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Characters of a line at most: trees may have SHA-256 names. */
const LINE = 65;

/** For the index at `out`. */
function notesFile(out: string): string {
  return join(dirname(out), `.${basename(out)}.examining`);
}

/** The trees in whose examination a run ended. */
export function unfinishedTrees(out: string): Set<string> {
  try {
    return new Set(
      readFileSync(notesFile(out), 'latin1')
        .split(/\s+/)
        .filter((line) => line !== ''),
    );
  } catch {
    return new Set();
  }
}

/** Replaces the notes; without trees there is no file. */
export function keepTrees(out: string, trees: readonly string[]): void {
  const file = notesFile(out);
  if (trees.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, trees.map((tree) => `${tree.padEnd(LINE - 1)}\n`).join(''));
}

/** The line of one thread. */
export class TreeNote {
  readonly #out: string;
  readonly #line: number;
  #file: number | undefined;

  constructor(out: string, line: number) {
    this.#out = out;
    this.#line = line;
  }

  /** `tree` is examined next. */
  write(tree: string): void {
    this.#file ??= openSync(notesFile(this.#out), constants.O_WRONLY | constants.O_CREAT);
    writeSync(this.#file, `${tree.padEnd(LINE - 1)}\n`, this.#line * LINE, 'latin1');
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
