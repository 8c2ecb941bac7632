/**
 * Cuts a log into lines as it arrives. Only lines that could be about a tarball become strings: most
 * lines of a log are not, and finding `.tgz` in bytes costs next to nothing.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { GeneratorError } from '../errors.ts';

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

/** Reads an access log in chunks, unpacked when it is gzip, whatever its name. */
const CHUNK_BYTES = 1_048_576;

/** First bytes of forms that are not read, with what to do about them. */
const PACKED: readonly (readonly [magic: string, name: string, hint: string])[] = [
  ['28b52ffd', 'zstd', 'unpack it first: zstd -d'],
  ['fd377a58', 'xz', 'unpack it first: xz -d'],
  ['425a68', 'bzip2', 'unpack it first: bzip2 -d'],
  ['504b0304', 'zip', 'unpack it first: unzip'],
  ['50415231', 'Parquet', 'let the host write the log as JSON instead'],
];

/**
 * The bytes of the log `file`, `-` for standard input. Memory does not grow with its size.
 * @throws {GeneratorError} `ERR_LOG` for a file that cannot be read or whose gzip data is broken
 */
export async function* readLogFile(file: string): AsyncGenerator<Buffer> {
  const source: Readable =
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  try {
    yield* unpacked(file, source);
  } catch (error) {
    throw error instanceof GeneratorError ? error : explain(file, error);
  } finally {
    source.destroy();
  }
}

async function* unpacked(file: string, source: Readable): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head = await readHead(chunks);
  const magic = head.toString('hex', 0, 4);
  const packed = PACKED.find(([bytes]) => magic.startsWith(bytes));
  if (packed !== undefined) {
    throw new GeneratorError('ERR_LOG', `Cannot read "${file}": it is packed with ${packed[1]}`, {
      hint: packed[2],
    });
  }
  if (!magic.startsWith('1f8b')) {
    yield* joined(head, chunks);
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // An error of either side destroys both, and is thrown where the unpacked bytes are read.
  const feeding = pipeline(() => joined(head, chunks), gunzip).catch(() => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
  await feeding;
}

async function* joined(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 4) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

function explain(file: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'Z_BUF_ERROR') {
    return new GeneratorError('ERR_LOG', `Cannot read "${file}": its gzip data ends too early`, {
      cause,
      hint: 'nothing of it was counted: copy the whole file and give it again',
    });
  }
  if (code.startsWith('Z_')) {
    return new GeneratorError('ERR_LOG', `Cannot read "${file}": its gzip data is broken`, {
      cause,
      hint: 'nothing of it was counted: test it with "gzip -t" and copy it again',
    });
  }
  if (!/^E[A-Z]+$/.test(code)) return cause;
  const problem = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a folder' : code;
  return new GeneratorError('ERR_LOG', `Cannot read "${file}": ${problem}`, {
    cause,
    hint: 'give access logs, or "-" for standard input',
  });
}
