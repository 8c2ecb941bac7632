/** A registry that lost its host is rebuilt from git and the key: `log:keep` and `generate`, the real programs. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey, formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { runCommand } from '../run/generator-command.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
const KEY = { STACKYARD_LOG_KEY: formatNoteSigner(SIGNER) };

function registry(): GitFixture {
  const git = new GitFixture();
  const log = { key: formatNoteKey(SIGNER) };
  const config = { name: 'example', base_url: 'https://registry.example', log };
  git.commit({ ...build('a/x', '1.0.0'), 'registry.config.json': JSON.stringify(config) });
  return git;
}

function generate(repo: string, out: string, ...more: string[]): Promise<Ended> {
  const args = ['--repo', repo, '--out', out, '--no-client', '--no-site', ...more];
  return runCommand('generate', args, KEY);
}

function keep(repo: string, published: string, ...more: string[]): Promise<Ended> {
  return runCommand('log:keep', ['--repo', repo, '--published', published, ...more]);
}

const branchOf = (git: GitFixture): string => git.git('rev-parse', 'stackyard-log');

describe('a registry that lost everything but git and the key', () => {
  it('is rebuilt from a clone with the same bytes, the maps of all its runs included', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    for (const version of ['1.1.0', '1.2.0']) {
      expect((await generate(git.folder, out)).status).toBe(0);
      git.commit(build('a/x', version));
    }
    git.commit(build('a/long', '1.0.0', { description: 'x'.repeat(400) }));
    await generate(git.folder, out);
    const kept = await keep(git.folder, out);
    expect([kept.status, kept.stdout]).toEqual([
      0,
      'kept 8 entries of the log in "stackyard-log", 8 of them new\n',
    ]);
    const clone = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', git.folder, clone]);
    const again = join(temporaryFolder(), 'index');
    const rebuilt = await generate(clone, again);
    expect(rebuilt.stderr).not.toContain('begins a transparency log');
    expect(readTree(again)).toEqual(readTree(out));
  });

  it('begins another log without the branch, and prints that', async () => {
    const git = registry();
    const run = await generate(git.folder, join(temporaryFolder(), 'index'));
    expect(run.stderr).toContain('This run begins a transparency log');
  });
});

describe('npm run log:keep', () => {
  it('adds what is new, and commits nothing where nothing is', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await generate(git.folder, out);
    await keep(git.folder, out);
    const first = branchOf(git);
    const same = await keep(git.folder, out);
    expect([same.stdout, branchOf(git)]).toEqual([
      'kept 3 entries of the log in "stackyard-log", 0 of them new\n',
      first,
    ]);
    for (let n = 1; n <= 300; n += 1) git.write(build(`a/b${n}`, '1.0.0'));
    git.commit({});
    await generate(git.folder, out);
    const grown = await keep(git.folder, out);
    expect(grown.stdout).toBe('kept 304 entries of the log in "stackyard-log", 301 of them new\n');
    expect(git.git('rev-parse', 'stackyard-log^')).toBe(first);
    const paths = git.git('ls-tree', '-r', '--name-only', 'stackyard-log').split('\n');
    expect(paths).toEqual(['log/checkpoint', 'log/tile/entries/000', 'log/tile/entries/001.p/48']);
    for (const path of paths) {
      const kept = execFileSync('git', ['show', `stackyard-log:${path}`], { cwd: git.folder });
      expect(kept.equals(readFileSync(join(out, path)))).toBe(true);
    }
  });

  it('goes on in a fresh clone of the branch that was pushed', async () => {
    const git = registry();
    const host = join(temporaryFolder(), 'host.git');
    execFileSync('git', ['clone', '-q', '--bare', git.folder, host]);
    git.git('remote', 'add', 'origin', host);
    const out = join(temporaryFolder(), 'index');
    await generate(git.folder, out);
    expect((await keep(git.folder, out)).status).toBe(0);
    git.git('push', '-q', 'origin', 'stackyard-log');
    git.commit(build('a/x', '1.1.0'));
    git.git('push', '-q', 'origin', 'main');
    const clone = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', host, clone]);
    await generate(clone, out);
    const kept = await keep(clone, out);
    execFileSync('git', ['push', '-q', 'origin', 'stackyard-log'], { cwd: clone });
    expect([kept.stderr, kept.stdout]).toEqual([
      '',
      'kept 5 entries of the log in "stackyard-log", 2 of them new\n',
    ]);
    const log = execFileSync('git', ['log', '--format=%s', 'stackyard-log'], { cwd: host });
    expect(log.toString()).toBe('Keep 5 entries of the log\nKeep 3 entries of the log\n');
  });

  it('refuses a log that does not continue the one that is kept, and an index without one', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await generate(git.folder, out);
    await keep(git.folder, out);
    const first = branchOf(git);
    const other = new GitFixture();
    other.commit({
      ...build('a/y', '1.0.0'),
      'registry.config.json': readFileSync(join(git.folder, 'registry.config.json')),
    });
    other.commit(build('a/y', '1.1.0'));
    const fork = join(temporaryFolder(), 'index');
    await generate(other.folder, fork);
    const refused = await keep(git.folder, fork);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      'error: The log has 4 entries and does not continue the 3 entries in the branch "stackyard-log" [ERR_LOG_FORK]\n' +
        'hint: publish nothing: restore the log that was published before\n',
    ]);
    expect(branchOf(git)).toBe(first);
    const empty = await keep(git.folder, temporaryFolder());
    expect([empty.status, empty.stderr]).toEqual([
      1,
      'error: Cannot read "log/checkpoint": it is missing [ERR_LOG_PUBLISHED]\n' +
        'hint: nothing was kept; run again when the index is complete\n',
    ]);
  });
});

describe('a log that contradicts git', () => {
  /** An unsigned registry whose log is changed by hand. */
  const changed = async (change: (log: string) => void): Promise<Ended> => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    git.commit(build('a/x', '1.1.0'));
    const folder = temporaryFolder();
    const out = join(folder, 'index');
    const args = ['--repo', git.folder, '--out', out, '--no-client', '--no-site'];
    expect((await runCommand('generate', args)).status).toBe(0);
    const before = readTree(join(out, 'builds'));
    change(join(out, 'log'));
    const run = await runCommand('generate', [...args, '--full']);
    expect(readTree(join(out, 'builds'))).toEqual(before);
    return run;
  };

  it('is an error where it has another tree at the commit', async () => {
    const run = await changed((log) => {
      const file = join(log, 'tile/entries/000.p/2');
      const bytes = readFileSync(file);
      const text = bytes.toString('latin1');
      const tree = /"tree":"([0-9a-f]{40})"/.exec(text)?.[1] ?? '';
      writeFileSync(file, Buffer.from(text.replace(tree, '1'.repeat(40)), 'latin1'));
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(
      /^error: Nothing was written: .*it has a\/x@1\.0\.0 of commit [0-9a-f]{40} with the tree 1{40}, and this history has not \[ERR_LOG_FORK\]\nhint: /,
    );
  });

  it('is an error where its entries are cut or missing, and the hint names the way to begin again', async () => {
    const hint =
      'hint: restore "log/" from a copy; if there is none, delete the folder and run with --full: then the rules of today decide about every version again\n';
    const cut = await changed((log) => {
      const file = join(log, 'tile/entries/000.p/2');
      writeFileSync(file, readFileSync(file).subarray(0, 100));
    });
    expect(cut.stderr).toContain('error: Cannot read "log/tile/entries/000.p/2": ');
    expect(cut.stderr).toContain(`[ERR_LOG_PUBLISHED]\n${hint}`);
    const gone = await changed((log) => rmSync(join(log, 'tile/entries'), { recursive: true }));
    expect(gone.stderr).toContain(`[ERR_LOG_PUBLISHED]\n${hint}`);
    const none = await changed((log) => rmSync(log, { recursive: true }));
    // It begins again, and a full run names each file that was not there.
    expect(none.stderr).toMatch(/^(?:error: log\/\S+ was not .* \[ERR_INDEX_DIFFERS\]\n)+$/);
  });

  it('decides nothing about another history, without a signature', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    const out = join(temporaryFolder(), 'index');
    const args = ['--out', out, '--no-client', '--no-site', '--repo'];
    await runCommand('generate', [...args, git.folder]);
    const other = new GitFixture();
    other.commit(build('a/x', '2.0.0'));
    const run = await runCommand('generate', [...args, other.folder]);
    expect([run.status, Object.keys(readTree(join(out, 'builds')))]).toEqual([
      0,
      expect.arrayContaining(['a/x/2.0.0.json']),
    ]);
  });
});
