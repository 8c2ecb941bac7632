/**
 * The files of an index that are in a store and not on this machine, after a run that went on from a kept state: a list
 * beside the index. A run writes what it changes; for all others the list has the digest. One line for each file:
 *
 *     <sha256> <path>
 *
 * The first line is `behind` while the index in the store may have files that the state does not know.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

const LINE = /^([0-9a-f]{64}) (.+)$/;
const BEHIND = 'behind';

export class FilesElsewhere {
  readonly #out: string;
  readonly #files: Map<string, string>;
  /** Whether files may be in the list that are not part of the index of this state. */
  readonly isBehind: boolean;

  private constructor(out: string, files: Map<string, string>, isBehind: boolean) {
    this.#out = out;
    this.#files = files;
    this.isBehind = isBehind;
  }

  /**
   * The list beside the index at `out`; `undefined` where all files are on this machine.
   * @throws {GeneratorError} `ERR_STATE` for a damaged list
   */
  static read(out: string): FilesElsewhere | undefined {
    const file = listFile(out);
    if (!existsSync(file)) return undefined;
    const lines = readFileSync(file, 'utf8').split('\n');
    if (lines.at(-1) !== '') throw damaged(file);
    const isBehind = lines[0] === BEHIND;
    const files = lines.slice(isBehind ? 1 : 0, -1).map((line): [string, string] => {
      const [, sha256, path] = LINE.exec(line) ?? [];
      if (sha256 === undefined || path === undefined) throw damaged(file);
      return [path, sha256];
    });
    return new FilesElsewhere(out, new Map(files), isBehind);
  }

  /** @param files path to SHA-256 in hexadecimal */
  static write(out: string, files: ReadonlyMap<string, string>, isBehind: boolean): void {
    const lines = [...files].map(([path, sha256]) => `${sha256} ${path}\n`);
    const text = [...(isBehind ? [`${BEHIND}\n`] : []), ...lines].join('');
    const file = listFile(out);
    writeWhole(file, text);
  }

  /** Forgets the list: after this every file of the index is on this machine, or none is. */
  static remove(out: string): void {
    rmSync(listFile(out), { force: true });
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#files[Symbol.iterator]();
  }

  /** Keeps only the files for which `isCurrent`, and saves the list. @returns how many are not part of the index any more */
  keep(isCurrent: (path: string) => boolean): number {
    const kept = new Map([...this.#files].filter(([path]) => isCurrent(path)));
    const gone = this.#files.size - kept.size;
    if (gone > 0 || this.isBehind) FilesElsewhere.write(this.#out, kept, false);
    return gone;
  }
}

function damaged(file: string): GeneratorError {
  return new GeneratorError('ERR_STATE', `Cannot read "${file}": it is damaged`, {
    hint: 'run "generate --full"',
  });
}

function listFile(out: string): string {
  const root = resolve(out);
  return join(dirname(root), `.${basename(root)}.elsewhere`);
}

/** Where the state of an index is, unless another file is given. */
export function stateFile(out: string): string {
  const root = resolve(out);
  return join(dirname(root), `.${basename(root)}.state.sqlite`);
}
