/**
 * Digests of files that did not change since they were read, in a file beside the index. It is a cache: without it, and
 * after any doubt, files are read. One line for each file:
 *
 *     <sha256> <size> <inode> <changed, in milliseconds> <path>
 */
import { readFileSync } from 'node:fs';
import { tryWriteWhole } from '../write-whole.ts';

/** What is compared of a file; a change of its bytes changes `ctimeMs`. */
interface FileFacts {
  readonly size: number;
  readonly ino: number;
  readonly ctimeMs: number;
}

/** A file that changed less than this before it was read may change again without another time. */
const SETTLED_MS = 2_000;
/** Characters of a digest, with the space after it. */
const DIGEST = 65;

export class DigestCache {
  readonly #file: string;
  readonly #known: ReadonlyMap<string, { digest: string; facts: string }>;
  readonly #lines: string[] = [];
  readonly #now: number;
  #isChanged = false;

  private constructor(file: string, text: string, now: number) {
    this.#file = file;
    this.#now = now;
    this.#known = new Map(text.split('\n').map((line) => parseLine(line)));
  }

  /** @param now the time before the first file is read */
  static open(file: string, now: number = Date.now()): DigestCache {
    return new DigestCache(file, readOrEmpty(file), now);
  }

  /** The digest of a file with these facts; `read` computes it when it is not known. */
  digestOf(path: string, { size, ino, ctimeMs }: FileFacts, read: () => string): string {
    const facts = `${size} ${ino} ${ctimeMs}`;
    const known = this.#known.get(path);
    const isKnown = known?.facts === facts;
    const digest = isKnown ? known.digest : read();
    const isSettled = ctimeMs < this.#now - SETTLED_MS;
    if (isSettled) this.#lines.push(`${digest} ${facts} ${path}\n`);
    if (!isKnown && isSettled) this.#isChanged = true;
    return digest;
  }

  /** Keeps what was asked for; without a place to write, the next call reads all files. */
  save(): void {
    if (!this.#isChanged) return;
    tryWriteWhole(this.#file, this.#lines.join(''));
  }
}

/** Another line is that of no path, or has facts that no file has. */
function parseLine(line: string): [path: string, { digest: string; facts: string }] {
  const size = line.indexOf(' ', DIGEST);
  const inode = line.indexOf(' ', size + 1);
  const end = line.indexOf(' ', inode + 1);
  if (end === -1 || line[DIGEST - 1] !== ' ') return ['', { digest: '', facts: '' }];
  return [
    line.slice(end + 1),
    { digest: line.slice(0, DIGEST - 1), facts: line.slice(DIGEST, end) },
  ];
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
