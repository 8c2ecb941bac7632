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
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { runs } from '../../tests/run/runs.ts';
import { committedFiles } from './committed-files.ts';

const MODES = {
  file: '100644',
  executable: '100755',
  symlink: '120000',
  submodule: '160000',
  other: '',
};

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
    return this.in('', ...args);
  }

  in(folder: string, ...args: string[]): string {
    const options = { cwd: join(this.root, folder), encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args],
      options,
    );
  }

  write(path: string, content: string, mode = 0o644): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  }
}

/** Mode, object id and path of each file, as `git ls-files -s` has them. */
async function taken(root: string): Promise<string[]> {
  const { files = [] } = (await committedFiles(root)) ?? {};
  return files.map(({ type, bytes, path }) => {
    const oid =
      bytes && createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    return `${MODES[type]} ${oid ?? '-'} ${path}`;
  });
}

/** The same from git, after `git add`. */
function committed(repository: Repository, folder = ''): string[] {
  repository.in(folder, 'add', '-A', '--', '.');
  const lines = repository
    .in(folder, 'ls-files', '-s', '-z', '--', '.')
    .split('\0')
    .filter(Boolean);
  return lines.map((line) => {
    const [, mode = '', oid = '', path = ''] = /^(\d+) (\w+) 0\t(.*)$/s.exec(line) ?? [];
    return `${mode} ${mode.startsWith('100') ? oid : '-'} ${path}`;
  });
}

/** Every file of the repository's own folder, with its content. */
function stateOf({ root }: Repository): string[] {
  return readdirSync(join(root, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${readFileSync(path, 'hex')}`)
    .sort();
}

const PATHS = [
  'a.txt',
  'run.sh',
  'img.bin',
  '.env',
  'sub/a.txt',
  'sub/deep/ü x.txt',
  'sub/lib',
] as const;
const part = fc.constantFrom('a\n', 'b\r\n', 'c\r', 'd', '\0', '$Id$\n', '$Id: x $\n', 'é\n');
const file = fc.record({
  path: fc.constantFrom(...PATHS),
  content: fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
  mode: fc.constantFrom(0o644, 0o755),
  isLink: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});
const attribute = fc
  .tuple(
    fc.constantFrom('*', '*.txt', '*.sh', '*.bin', 'sub/**', '/a.txt', '.env'),
    fc.constantFrom(
      'text',
      '-text',
      '!text',
      'text=auto',
      'eol=lf',
      'eol=crlf',
      'text=auto eol=crlf',
      'binary',
      'ident',
    ),
  )
  .map((words) => words.join(' '));
const config = fc.record(
  {
    'core.autocrlf': fc.constantFrom('true', 'false', 'input'),
    'core.eol': fc.constantFrom('lf', 'crlf'),
    'core.fileMode': fc.constantFrom('true', 'false'),
    'core.symlinks': fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
);
/** What happens to a working tree before, and after, the files are added for the first time. */
const step = fc.record({
  files: fc.array(file, { maxLength: 5 }),
  gone: fc.array(fc.constantFrom(...PATHS), { maxLength: 2 }),
  attributes: fc.array(attribute, { maxLength: 3 }),
  ignored: fc.constantFrom('', '.env\n', 'sub/deep\n'),
  config,
});

function carryOut(
  repository: Repository,
  one: typeof step extends fc.Arbitrary<infer Value> ? Value : never,
): void {
  for (const path of one.gone)
    rmSync(join(repository.root, path), { recursive: true, force: true });
  for (const { path, content, mode, isLink } of one.files) {
    repository.write(path, content, mode);
    if (!isLink) continue;
    rmSync(join(repository.root, path));
    symlinkSync('a.txt', join(repository.root, path));
  }
  for (const [name, value] of Object.entries(one.config)) repository.git('config', name, value);
  repository.write('.gitattributes', one.attributes.join('\n'));
  repository.write('.gitignore', one.ignored);
}

describe('committedFiles()', () => {
  it('takes the blobs and modes that git adds, and changes nothing', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('', 'sub'), async (all, folder) => {
        const repository = new Repository();
        mkdirSync(join(repository.root, 'sub'));
        for (const [at, one] of all.entries()) {
          if (at > 0) repository.git('add', '-A');
          carryOut(repository, one);
        }
        mkdirSync(join(repository.root, folder), { recursive: true });
        const before = stateOf(repository);
        const found = await taken(join(repository.root, folder));
        expect(stateOf(repository)).toEqual(before);
        expect(found).toEqual(committed(repository, folder));
      }),
      { numRuns: runs(200) },
    );
  }, 300_000);

  it('takes what a clone on Windows has of line ends and modes', async () => {
    const repository = new Repository();
    repository.write('run.sh', '#!/bin/sh\n', 0o755);
    const added = committed(repository);
    repository.git('config', 'core.autocrlf', 'true');
    repository.git('config', 'core.fileMode', 'false');
    repository.write('run.sh', '#!/bin/sh\r\n');
    expect(await taken(repository.root)).toEqual(added);
    expect(added[0]).toMatch(/^100755 /);
  });

  it('takes a file with a filter from the index, and starts no filter', async () => {
    const repository = new Repository();
    const mark = join(temporaryFolder(), 'started');
    repository.write('.gitattributes', '*.txt filter=up\n');
    repository.write('a.txt', 'one\n');
    repository.write('b.md', 'two\n');
    repository.git('config', '--global', 'filter.up.clean', 'tr a-z A-Z');
    const added = committed(repository);
    repository.git('config', '--global', 'filter.up.clean', `touch ${mark}; tr a-z A-Z`);
    expect(await taken(repository.root)).toEqual(added);
    const { files } = (await committedFiles(repository.root))!;
    expect(files.find(({ path }) => path === 'a.txt')?.bytes?.toString()).toBe('ONE\n');

    // As long as it was, and in the same second.
    for (const [path, content] of [
      ['a.txt', 'two\n'],
      ['c.txt', 'new\n'],
    ] as const) {
      repository.write(path, content);
      await expect(committedFiles(repository.root)).rejects.toMatchObject({
        code: 'ERR_PROJECT_FILE',
        message: `Cannot read "${path}": its filter "up" is a program, and stackyard starts none`,
      });
      expect(readdirSync(dirname(mark))).toEqual([]);
      repository.git('config', '--global', 'filter.up.clean', 'tr a-z A-Z');
      const now = committed(repository);
      expect(await taken(repository.root)).toEqual(now);
      repository.git('config', '--global', 'filter.up.clean', `touch ${mark}; tr a-z A-Z`);
    }
  });

  it('takes what a sparse checkout leaves out, and nested repositories as git does', async () => {
    const repository = new Repository();
    repository.write('a.txt', 'a\n');
    repository.write('b.txt', 'b\n');
    repository.git('add', '-A');
    repository.git('update-index', '--skip-worktree', 'b.txt');
    rmSync(join(repository.root, 'b.txt'));
    mkdirSync(join(repository.root, 'inner'));
    repository.in('inner', 'init', '-q');
    repository.in('inner', 'commit', '-q', '--allow-empty', '-m', 'x');
    const found = await taken(repository.root);
    expect(found).toEqual(committed(repository));
    expect(found.map((line) => line.slice(0, 6))).toEqual(['100644', '100644', '160000']);
  });

  it('is undefined outside of repositories, and an error where git cannot read one', async () => {
    expect(await committedFiles(temporaryFolder())).toBeUndefined();
    const repository = new Repository();
    writeFileSync(join(repository.root, '.git/config'), '[core\n');
    await expect(committedFiles(repository.root)).rejects.toMatchObject({ code: 'ERR_GIT' });
  });
});
