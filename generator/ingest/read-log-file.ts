/** Reads an access log in chunks, unpacked when it is gzip, whatever its name. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { GeneratorError } from '../errors.ts';

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
