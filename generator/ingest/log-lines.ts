/** Cuts a log into lines as it arrives, and gives those that could be about a tarball. */

/** A longer line is skipped, so that a log without newlines needs no memory. */
export const MAX_LINE_BYTES = 65_536;

/** Lines without it are passed over. */
const NEEDLE = '.tgz';

export class LogLines {
  readonly #onLine: (line: string) => void;
  /** The beginning of a line whose end has not arrived, as far as it is kept. */
  #rest = '';
  /** Lines so far, with those that were not looked at. */
  lines = 0;
  /** Of these, lines of more than `MAX_LINE_BYTES`. */
  tooLong = 0;

  /** @param onLine gets each line that is looked at, without its newline */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    // What a line about a tarball is made of is ASCII, so Latin-1 loses nothing.
    const parts = chunk.toString('latin1').split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      this.#end(this.#rest + part);
      this.#rest = '';
    }
    // One character more shows that it is too long.
    this.#rest = (this.#rest + last).slice(0, MAX_LINE_BYTES + 1);
  }

  /** Gives the last line, when no newline ends it. */
  end(): void {
    if (this.#rest !== '') this.#end(this.#rest);
    this.#rest = '';
  }

  #end(line: string): void {
    this.lines += 1;
    if (line.length > MAX_LINE_BYTES) this.tooLong += 1;
    else if (line.includes(NEEDLE)) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
