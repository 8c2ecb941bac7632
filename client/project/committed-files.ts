/**
 * The files of a folder as git would commit them: added to a copy of the index, with a place of its own for new objects, so that the
 * repository stays as it is. Line ends, encodings, modes and links are git's. Filters are programs, and none is started: what one makes of
 * a file must be in the index already.
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  type BigIntStats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../../format/build/build-files.ts';
import type { Source, SourceFile } from '../../scan/source.ts';
import { ClientError } from '../errors.ts';
import { FolderGit } from './folder-git.ts';
import type { Ran } from './start-program.ts';
import { oneLine } from '../terminal/printable.ts';

const TYPES: Readonly<Record<string, SourceFile['type']>> = {
  100644: 'file',
  100755: 'executable',
  120000: 'symlink',
  160000: 'submodule',
};
/** New objects stay for a moment only. Files that are gone leave the index, but for those outside a sparse checkout. */
const ADD = `-c core.looseCompression=0 -c core.fsync=none -c core.splitIndex=false
  update-index --add --remove --replace --ignore-skip-worktree-entries -z --stdin`.split(/\s+/);
/** Git believes an index of this time about each file that has the time and size stated there. */
const NEWEST = Date.UTC(2100) / 1000;

/** `undefined` without a repository. @throws {ClientError} `ERR_GIT`, `ERR_PROJECT_FILE` */
export async function committedFiles(root: string): Promise<Source | undefined> {
  const git = await FolderGit.open(root);
  const places = ['--is-inside-work-tree', '--git-path', 'index', '--git-path', 'objects'];
  const found = await git?.run(['rev-parse', ...places]);
  if (git === undefined || found === undefined) {
    if (!isInRepository(root)) return undefined;
    throw unreadable(root, 'it is missing, or its configuration cannot be read');
  }
  if ('stderr' in found && /not a git repository/i.test(found.stderr)) return undefined;
  const [isInside, index = '', objects = ''] = outputOf(root, found).split('\n');
  if (isInside !== 'true') return undefined;
  const scratch = mkdtempSync(join(tmpdir(), 'stackyard-index-'));
  try {
    const copy = new IndexCopy(git, root, scratch, resolve(root, index), resolve(root, objects));
    return await copy.read();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isInRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, '.git')) || (above !== folder && isInRepository(above));
}

class IndexCopy {
  readonly #git: FolderGit;
  readonly #root: string;
  readonly #file: string;
  readonly #env: Readonly<Record<string, string>>;
  /** When the index was written, in nanoseconds; 0 before its first file. */
  readonly #written: bigint;

  constructor(git: FolderGit, root: string, scratch: string, index: string, objects: string) {
    [this.#git, this.#root, this.#file] = [git, root, join(scratch, 'index')];
    this.#env = {
      GIT_INDEX_FILE: this.#file,
      GIT_OBJECT_DIRECTORY: scratch,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    };
    this.#written = statOf(index)?.mtimeNs ?? 0n;
    if (this.#written > 0n) copyFileSync(index, this.#file);
  }

  async read(): Promise<Source> {
    const paths = await this.#list('--cached', '--others', '--deduplicate');
    if (paths.length > MAX_FILES) return { files: [], isCut: true };
    const filtered = await this.#filtered(paths);
    const added = paths.filter((path) => !filtered.has(path));
    const unread = added.map((path) => fileOf(path, 'file', Number(this.#stat(path)?.size ?? 0)));
    const total = unread.reduce((sum, { size }) => sum + size, 0);
    if (total > MAX_UNPACKED_BYTES) return { files: unread, isCut: false };
    // In whole seconds: git compares the content of what changed in the same one.
    this.#setTime(Number(this.#written / 1_000_000_000n));
    // A path with a slash at its end is a repository in this one.
    await this.#run(
      ADD,
      added.map((path) => path.replace(/\/$/, '')),
    );
    const entries = (await this.#list('--stage')).map((line) => {
      const [, mode = '', oid = '', path = ''] = /^(\d+) (\w+) \d\t(.*)$/s.exec(line) ?? [];
      return { type: TYPES[mode] ?? 'other', oid, path };
    });
    const blobs = entries.filter(({ type }) => type === 'file' || type === 'executable');
    const contents = await this.#contents(blobs);
    const files = entries.map(({ type, path }) => {
      const bytes = contents.get(path);
      return fileOf(path, type, bytes?.length ?? 0, bytes);
    });
    return { files, isCut: false };
  }

  /** Files that have a filter. @throws {ClientError} where the index lacks the newest content of one */
  async #filtered(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { filters } = this.#git;
    if (filters.size === 0) return new Set();
    const rows = await this.#run(['check-attr', '-z', '--stdin', 'filter'], paths);
    const filterOf = new Map(paths.map((path, at) => [path, rows[3 * at + 2] ?? '']));
    const found = paths.filter(
      (path) => filters.has(filterOf.get(path)!) && this.#stat(path)?.isFile() === true,
    );
    this.#setTime(NEWEST);
    const changed = found.length === 0 ? [] : await this.#list('--modified', '--others');
    const stale = found.find(
      (path) => changed.includes(path) || this.#stat(path)!.mtimeNs > this.#written,
    );
    if (stale === undefined) return new Set(found);
    const problem = `its filter "${filterOf.get(stale)}" is a program, and stackyard starts none`;
    throw new ClientError('ERR_PROJECT_FILE', `Cannot read "${stale}": ${problem}`, {
      hint: 'run "git add" with the file, then the same command again',
    });
  }

  /** Bytes by path. */
  async #contents(
    blobs: readonly { readonly oid: string; readonly path: string }[],
  ): Promise<ReadonlyMap<string, Buffer>> {
    const input = blobs.map(({ oid }) => `${oid}\n`).join('');
    const call = { env: this.#env, input, encoding: 'latin1' } as const;
    const output = outputOf(this.#root, await this.#git.run(['cat-file', '--batch'], call));
    const contents = new Map<string, Buffer>();
    let at = 0;
    for (const { path } of blobs) {
      const start = output.indexOf('\n', at) + 1;
      const size = /^\w+ blob (\d+)\n$/.exec(output.slice(at, start))?.[1];
      if (size === undefined) throw unreadable(this.#root, `it lacks the content of "${path}"`);
      at = start + Number(size) + 1;
      contents.set(path, Buffer.from(output.slice(start, at - 1), 'latin1'));
    }
    return contents;
  }

  #list(...options: readonly string[]): Promise<string[]> {
    return this.#run(['ls-files', '-z', '--exclude-standard', ...options, '--', '.']);
  }

  /** The parts of the output between NULs. */
  async #run(args: readonly string[], parts: readonly string[] = []): Promise<string[]> {
    const input = parts.map((part) => `${part}\0`).join('');
    const ran = await this.#git.run(args, { env: this.#env, input });
    return outputOf(this.#root, ran).split('\0').slice(0, -1);
  }

  #stat(path: string): BigIntStats | undefined {
    return statOf(join(this.#root, path));
  }

  #setTime(seconds: number): void {
    if (this.#written > 0n) utimesSync(this.#file, seconds, seconds);
  }
}

function fileOf(path: string, type: SourceFile['type'], size: number, bytes?: Buffer): SourceFile {
  return { path, isUtf8Path: !path.includes('\uFFFD'), type, size, bytes };
}

/** `undefined` where nothing is. */
function statOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** @throws {ClientError} `ERR_GIT` */
function outputOf(root: string, ran: Ran): string {
  if (!('problem' in ran) && ran.status === 0) return ran.stdout;
  const problem = 'problem' in ran ? ran.problem : /^(?:fatal|error): .*$/m.exec(ran.stderr)?.[0];
  throw unreadable(root, problem ?? 'no reason');
}

function unreadable(root: string, problem: string): ClientError {
  return new ClientError('ERR_GIT', `Git cannot read "${root}": ${oneLine(problem)}`, {
    hint: 'run "git add --dry-run ." there, and follow what git says',
  });
}
