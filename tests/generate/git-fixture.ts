/** Real git repositories in temporary folders, made from object literals. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Path to content; `null` deletes the path, a folder too. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

const START_SECONDS = 1_767_225_600; // 2026-01-01T00:00:00Z
/** What `git init` makes, without its examples: a call of git takes longer, as would upkeep after each commit. */
const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[user]
	name = Tester
	email = tester@example.org
[commit]
	gpgsign = false
[gc]
	auto = 0
[maintenance]
	auto = false
`;
/** As many calls of git as there would be: times of commits are in what tests expect. */
const INIT_SECONDS = 4 * 60;

/** A temporary folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export class GitFixture {
  readonly folder: string;
  #seconds = START_SECONDS;

  /** @param original a repository to copy; an empty one without it */
  constructor(folder: string = temporaryFolder(), original?: GitFixture) {
    this.folder = folder;
    if (original !== undefined) {
      cpSync(original.folder, folder, { recursive: true });
      this.#seconds = original.#seconds;
      return;
    }
    for (const path of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      mkdirSync(join(folder, '.git', path), { recursive: true });
    }
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, '.git/config'), CONFIG);
    this.#seconds += INIT_SECONDS;
  }

  /** Runs git one minute after the last call, so that every commit has its own time. */
  git(...args: string[]): string {
    this.#seconds += 60;
    return this.#run('git', args);
  }

  /** As one `git()` after the other, by one process: this large one takes longer to start another than most calls of git. */
  gitAll(...calls: readonly (readonly string[])[]): void {
    this.#seconds += 60 * calls.length;
    const lines = calls.map((args) => ['git', ...args].map(quoted).join(' '));
    this.#run('sh', ['-c', lines.join(' && ')]);
  }

  #run(program: string, args: readonly string[]): string {
    const date = `${this.#seconds} +0000`;
    return execFileSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    }).trim();
  }

  /** Lets time pass before the next commit. */
  wait(seconds: number): void {
    this.#seconds += seconds;
  }

  /** Seconds since 1970 of the clock of this fixture. */
  get now(): number {
    return this.#seconds;
  }

  /** The time of the newest commit as records write it. */
  get time(): string {
    return new Date(Number(this.git('log', '-1', '--format=%ct')) * 1000).toISOString();
  }

  write(files: Files): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path);
      if (content === null) rmSync(file, { recursive: true });
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
    }
  }

  /** Writes and commits; returns the commit's id. */
  commit(files: Files, message = 'Change builds'): string {
    this.write(files);
    this.gitAll(['add', '-A', '-f'], ['commit', '-q', '--allow-empty', '-m', message]);
    return this.#newestCommit();
  }

  /** As `git rev-parse HEAD` after a commit, and it takes as much of the fixture's time. */
  #newestCommit(): string {
    this.#seconds += 60;
    return this.head;
  }

  /** The id of the newest commit. */
  get head(): string {
    const read = (path: string): string =>
      readFileSync(join(this.folder, '.git', path), 'utf8').trim();
    const head = read('HEAD');
    if (!head.startsWith('ref: ')) return head;
    const ref = head.slice('ref: '.length);
    // `git gc` packs it.
    return existsSync(join(this.folder, '.git', ref))
      ? read(ref)
      : this.#run('git', ['rev-parse', ref]);
  }

  symlink(path: string, target: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    symlinkSync(target, join(this.folder, path));
  }

  makeExecutable(path: string): void {
    chmodSync(join(this.folder, path), 0o755);
  }
}

/** A word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A valid manifest with `changes` on top. */
export function manifest(name: string, version: string, changes: object = {}): string {
  const value = { name, version, kind: 'module', description: `Build ${name}`, license: 'MIT' };
  return `${JSON.stringify({ ...value, ...changes }, null, 2)}\n`;
}

/** The files of a small valid build below `builds/<id>/`. */
export function build(id: string, version: string, changes: object = {}, files: Files = {}): Files {
  const all: Files = {
    'stackyard.json': manifest(id.split('/')[1] ?? '', version, changes),
    LICENSE: 'MIT License\n',
    'README.md': `# ${id} ${version}\n`,
    'src/index.ts': `export const version = '${version}';\n`,
    ...files,
  };
  return Object.fromEntries(Object.entries(all).map(([path, c]) => [`builds/${id}/${path}`, c]));
}
