import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { runs } from '../../tests/run/runs.ts';
import { committedFiles } from './committed-files.ts';

const MODES = { file: 100644, executable: 100755, symlink: 120000, submodule: 160000, other: 0 };

afterEach(() => {
  vi.unstubAllEnvs();
});

class Repository {
  readonly root = temporaryFolder();

  constructor() {
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(this.root, '.git/global'));
    this.git('init', '-q');
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    const options = { cwd: this.root, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', [...identity, ...args], options);
  }

  write(path: string, content: string, mode = 0o644): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }

  /** Mode, object id and path of each file, as git has them after it has added all. */
  added(folder = '.'): string[] {
    this.git('-C', folder, 'add', '-A', '--', '.');
    const lines = this.git('-C', folder, 'ls-files', '-s', '-z', '--', '.').split('\0');
    return lines
      .slice(0, -1)
      .map((line) => line.replace(/^(1[26]\d+) \w+|\t/g, '$1 ').replace(' 0 ', ' '));
  }

  /** The same of what would be committed. */
  async taken(folder = '.'): Promise<string[]> {
    const { files } = (await committedFiles(join(this.root, folder)))!;
    return files.map(({ type, bytes, path }) => {
      const hash = bytes && createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes);
      return [MODES[type], hash?.digest('hex') ?? '', path].join(' ');
    });
  }

  /** Every file of the repository's own folder. */
  get state(): string[] {
    return readdirSync(join(this.root, '.git'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => `${path} ${readFileSync(path, 'hex')}`);
  }
}

const PATHS = ['a.txt', 'run.sh', 'img.bin', '.env', 'sub/a.txt', 'sub/deep/ü x.txt', 'sub/lib'];
const part = fc.constantFrom('a\n', 'b\r\n', 'c\r', 'd', '\0', '$Id$\n', '$Id: x $\n', 'é\n');
const file = fc.tuple(
  fc.constantFrom(...PATHS),
  fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
  fc.constantFrom(0o644, 0o755),
);
const attribute = fc.tuple(
  fc.constantFrom('*', '*.txt', '*.sh', '*.bin', 'sub/**', '/a.txt', '.env'),
  fc.constantFrom('text', '-text', '!text', 'text=auto', 'eol=lf', 'eol=crlf', 'binary', 'ident'),
);
const config = fc.record(
  {
    'core.autocrlf': fc.constantFrom('true', 'false', 'input'),
    'core.eol': fc.constantFrom('lf', 'crlf'),
    'core.fileMode': fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
);
/** What happens to a working tree before its files are added. */
const step = fc.record({
  files: fc.array(file, { maxLength: 5 }),
  gone: fc.array(fc.constantFrom(...PATHS), { maxLength: 2 }),
  attributes: fc.array(attribute, { maxLength: 3 }),
  ignored: fc.constantFrom('', '.env\n', 'sub/deep\n'),
  config,
});

describe('committedFiles()', () => {
  it('takes the blobs and modes that git adds, and changes nothing', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('.', 'sub'), async (all, folder) => {
        const repository = new Repository();
        for (const [at, { files, gone, attributes, ignored, config: settings }] of all.entries()) {
          if (at > 0) repository.git('add', '-A');
          for (const path of gone)
            rmSync(join(repository.root, path), { recursive: true, force: true });
          for (const one of files) repository.write(...one);
          for (const pair of Object.entries(settings)) repository.git('config', ...pair);
          repository.write('.gitattributes', attributes.map((words) => words.join(' ')).join('\n'));
          repository.write('.gitignore', ignored);
        }
        mkdirSync(join(repository.root, 'sub'), { recursive: true });
        const before = repository.state;
        const taken = await repository.taken(folder);
        expect(repository.state).toEqual(before);
        expect(taken).toEqual(repository.added(folder));
      }),
      { numRuns: runs(120) },
    );
  }, 300_000);

  it('takes a file with a filter from the index, and starts no filter', async () => {
    const repository = new Repository();
    const marks = temporaryFolder();
    const filter = (command: string): string =>
      repository.git('config', '--global', 'filter.up.clean', command);
    repository.write('.gitattributes', '*.txt filter=up\n');
    // The second is as long as the first, of the same second.
    for (const [path, content] of [
      ['a.txt', 'one\n'],
      ['a.txt', 'two\n'],
      ['b.txt', 'new\n'],
    ] as const) {
      filter(`touch ${marks}/started; tr a-z A-Z`);
      repository.write(path, content);
      await expect(repository.taken()).rejects.toMatchObject({
        code: 'ERR_PROJECT_FILE',
        message: `Cannot read "${path}": its filter "up" is a program, and stackyard starts none`,
      });
      filter('tr a-z A-Z');
      const added = repository.added();
      filter(`touch ${marks}/started; tr a-z A-Z`);
      expect(await repository.taken()).toEqual(added);
      const { files } = (await committedFiles(repository.root))!;
      expect(files.find((one) => one.path === path)?.bytes?.toString()).toBe(content.toUpperCase());
    }
    expect(readdirSync(marks)).toEqual([]);
  });

  it('takes what a sparse checkout leaves out, links, and nested repositories as git does', async () => {
    const repository = new Repository();
    repository.write('a.txt', 'a\n');
    repository.write('b.txt', 'b\n');
    repository.git('add', '-A');
    repository.git('update-index', '--skip-worktree', 'b.txt');
    rmSync(join(repository.root, 'b.txt'));
    repository.git('init', '-q', 'inner');
    repository.git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'x');
    symlinkSync('a.txt', join(repository.root, 'link'));
    const taken = await repository.taken();
    expect(taken).toEqual(repository.added());
    expect(taken.map((line) => line.slice(0, 3))).toEqual(['100', '100', '160', '120']);
  });

  it('is undefined outside of repositories, and an error where git cannot read one', async () => {
    expect(await committedFiles(temporaryFolder())).toBeUndefined();
    const repository = new Repository();
    writeFileSync(join(repository.root, '.git/config'), '[core\n');
    await expect(committedFiles(repository.root)).rejects.toMatchObject({ code: 'ERR_GIT' });
  });
});
