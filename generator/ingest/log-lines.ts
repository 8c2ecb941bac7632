/**
 * Cuts a log into lines as it arrives. Only lines that could be about a tarball become strings: most
 * lines of a log are not, and finding `.tgz` in bytes costs next to nothing.
 */
/** A longer line is skipped, so that a log without newlines needs no memory. */
export const MAX_LINE_BYTES = 65_536;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Lines without it are passed over. */
const NEEDLE = '.tgz';

export class LogLines {
  readonly #onLine: (line: string) => void;
  /** The beginning of a line whose end has not arrived. */
  #rest: Buffer = Buffer.alloc(0);
  #isTooLong = false;
  /** Lines so far, with those that were not looked at. */
  lines = 0;
  /** Of these, lines of more than `MAX_LINE_BYTES`. */
  tooLong = 0;

  /** @param onLine gets each line that is looked at, without its newline */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const first = chunk.indexOf(NEWLINE);
    if (first < 0) {
      this.#keep(chunk);
      return;
    }
    let start = 0;
    if (this.#rest.length > 0 || this.#isTooLong) {
      this.#keep(chunk.subarray(0, first));
      this.#endRest();
      start = first + 1;
    }
    let needle = this.#find(chunk, start);
    for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.lines += 1;
      if (needle < start) needle = this.#find(chunk, start);
      if (end - start > MAX_LINE_BYTES) this.tooLong += 1;
      else if (needle < end) this.#give(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Gives the last line, when no newline ends it. */
  end(): void {
    if (this.#rest.length > 0 || this.#isTooLong) this.#endRest();
  }

  #give(chunk: Buffer, start: number, end: number): void {
    const last = end > start && chunk[end - 1] === RETURN ? end - 1 : end;
    // What a line about a tarball is made of is ASCII, so Latin-1 loses nothing.
    this.#onLine(chunk.toString('latin1', start, last));
  }

  #keep(part: Buffer): void {
    if (this.#isTooLong) return;
    if (this.#rest.length + part.length > MAX_LINE_BYTES) {
      this.#isTooLong = true;
      this.#rest = Buffer.alloc(0);
      return;
    }
    // A copy: the chunk's memory is the reader's.
    this.#rest = Buffer.concat([this.#rest, part]);
  }

  #endRest(): void {
    this.lines += 1;
    if (this.#isTooLong) this.tooLong += 1;
    else if (this.#rest.includes(NEEDLE)) {
      this.#give(this.#rest, 0, this.#rest.length);
    }
    this.#rest = Buffer.alloc(0);
    this.#isTooLong = false;
  }

  #find(chunk: Buffer, from: number): number {
    const at = chunk.indexOf(NEEDLE, from, 'latin1');
    return at < 0 ? Infinity : at;
  }
}
