/** The layouts of a repository: a move publishes nothing, what comes after it is published, and paths stay unambiguous. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildFolder, ownerFilePath } from '../../format/registry/repository-layout.ts';
import { generateDocuments } from './generate-documents.ts';
import { moveBuilds } from '../../generator/setup/move-builds.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import type { Files } from './git-fixture.ts';
import { expectWholeIndex, readRecord, readTree } from './index-reader.ts';

const SHARDED = { layout: 'sharded', root: '' } as const;

const SHARD = join(import.meta.dirname, '../../generator/main.ts');
const CONFIG = '{\n  "name": "Test",\n  "admins": []\n}\n';

function registry(): GitFixture {
  const git = new GitFixture();
  git.commit({ 'registry.config.json': CONFIG, 'builds/README.md': 'Builds\n' });
  git.commit({ ...build('alice/web', '1.0.0'), 'builds/alice/owner.json': '{"account_id":1}\n' });
  git.commit(build('alice/web', '1.1.0'));
  git.commit(build('bob/tool', '2.0.0'));
  git.commit({
    'builds/bob/owner.json': '{"account_id":2,"yanked":{"tool":{"2.0.0":"broken"}}}\n',
    'signals/alice/web.json': JSON.stringify({
      downloads: 7,
      agent_reports: { success: 1, failure: 0 },
      flags: 0,
      updated_at: '2026-01-02T00:00:00.000Z',
    }),
  });
  return git;
}

/** A build's files in the folder of the sharded layout. */
function sharded(id: string, version: string): Files {
  const files = Object.entries(build(id, version));
  const folder = buildFolder(id, SHARDED);
  return Object.fromEntries(
    files.map(([path, text]) => [folder + path.slice(`builds/${id}`.length), text]),
  );
}

/** The index without the commit that it names. */
function indexAt(out: string): Record<string, string> {
  const info = readFileSync(join(out, 'registry.json'), 'utf8');
  const stated = { ...(JSON.parse(info) as object), source_commit: '' };
  return { ...readTree(out), 'registry.json': JSON.stringify(stated) };
}

describe('a move to the sharded layout', () => {
  it('leaves every byte of the index as it is, and the next publication counts', async () => {
    const git = registry();
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    const before = indexAt(out);
    const ended = spawnSync(process.execPath, [SHARD, 'shard', '--repo', git.folder], {
      encoding: 'utf8',
    });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/^Moved the folders of 2 owners to the layout "sharded"/);
    expect(git.git('status', '--porcelain')).toBe('');
    // Reputation depends on the time of the newest commit: the fixture's, not the present.
    git.git('commit', '-q', '--amend', '--no-edit');
    expect(git.git('ls-files').split('\n')).toEqual([
      'builds/2b/d8/alice/owner.json',
      ...['LICENSE', 'README.md', 'src/index.ts', 'stackyard.json'].map(
        (file) => `builds/2b/d8/alice/web/${file}`,
      ),
      'builds/81/b6/bob/owner.json',
      ...['LICENSE', 'README.md', 'src/index.ts', 'stackyard.json'].map(
        (file) => `builds/81/b6/bob/tool/${file}`,
      ),
      'builds/README.md',
      'registry.config.json',
      'signals/2b/d8/alice/web.json',
    ]);
    expect(readFileSync(join(git.folder, 'registry.config.json'), 'utf8')).toBe(
      '{\n  "name": "Test",\n  "admins": [],\n  "layout": "sharded"\n}\n',
    );
    const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(report.problems.failing).toEqual([]);
    expect(indexAt(out)).toEqual(before);

    git.commit(sharded('alice/web', '1.2.0'));
    git.commit({ [ownerFilePath('alice', SHARDED)]: '{"yanked":{"web":{"1.0.0":"old"}}}\n' });
    const next = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(next).toMatchObject({ isFull: false, published: 1 });
    expect(readRecord(out, 'alice/web')).toMatchObject({ version: '1.2.0', downloads: 7 });
    const full = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: git.folder, out: full, threads: 2 });
    expect(readTree(full)).toEqual(readTree(out));
    expectWholeIndex(out);

    // Signals that are left, or put, where the other layout has them count for nothing, and are named.
    git.commit({ 'signals/bob/tool.json': '{"downloads":9}\n' });
    const { problems } = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(problems.failing.map(({ path, finding: found }) => [path, found.args])).toEqual([
      [
        'signals/bob/tool.json',
        { problem: 'this registry has them at "signals/81/b6/bob/tool.json"' },
      ],
    ]);
    expect(readRecord(out, 'bob/tool').downloads).toBe(0);
  });

  it('goes back again', async () => {
    const git = registry();
    const tree = git.git('rev-parse', 'HEAD^{tree}');
    await moveBuilds(git.folder, 'sharded');
    expect(await moveBuilds(git.folder, 'sharded')).toMatchObject({ commit: undefined });
    expect(await moveBuilds(git.folder, 'flat')).toMatchObject({ from: 'sharded', owners: 2 });
    expect(git.git('rev-parse', 'HEAD^{tree}')).toBe(tree);
  });

  it('works in a bare repository', async () => {
    const bare = join(temporaryFolder(), 'registry.git');
    execFileSync('git', ['clone', '-q', '--bare', registry().folder, bare]);
    execFileSync('git', ['config', 'user.name', 'A'], { cwd: bare });
    execFileSync('git', ['config', 'user.email', 'a@example.org'], { cwd: bare });
    const { commit } = await moveBuilds(bare, 'sharded');
    expect(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: bare, encoding: 'utf8' }).trim()).toBe(
      commit,
    );
  });

  it('is refused over changes that are not committed, and over a file in the way', async () => {
    const git = registry();
    const head = git.git('rev-parse', 'HEAD');
    git.write({ 'builds/alice/owner.json': '{}' });
    await expect(moveBuilds(git.folder, 'sharded')).rejects.toThrow(/not committed/);
    git.git('reset', '-q', '--hard');
    expect(git.git('rev-parse', 'HEAD')).toBe(head);
    git.commit({ 'builds/2b': 'in the way\n' });
    await expect(moveBuilds(git.folder, 'sharded')).rejects.toThrow(
      /"builds\/2b" is in the way of a folder/,
    );
  });

  it('is refused with an unknown layout', () => {
    const args = [SHARD, 'shard', '--repo', registry().folder, '--layout', 'deep'];
    const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([ended.status, ended.stderr]).toEqual([
      2,
      'error: Option --layout is "deep" [ERR_USAGE]\nhint: the choices are flat, sharded; see stackyard-registry shard --help\n',
    ]);
  });
});

describe('a sharded repository', () => {
  it('reports builds in the wrong folder, and publishes the others', async () => {
    const git = new GitFixture();
    git.commit({ 'registry.config.json': '{"layout":"sharded"}\n', 'builds/README.md': 'Here\n' });
    git.commit(build('alice/web', '1.0.0'));
    const wrong = Object.entries(sharded('bob/tool', '1.0.0'));
    git.commit(Object.fromEntries(wrong.map(([p, text]) => [p.replace('81/b6', '2b/d8'), text])));
    git.commit(sharded('carol/mail', '1.0.0'));
    const out = join(temporaryFolder(), 'index');
    const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(report.problems.failing.map(({ path, finding }) => [path, finding.code])).toEqual([
      ['builds/alice', 'build-id-shard'],
      ['builds/2b/d8/bob', 'build-id-shard'],
    ]);
    expect(report.published).toBe(1);
    expect(readRecord(out, 'carol/mail').version).toBe('1.0.0');
  });

  it('takes a folder of a flat build for what it was, although it looks like a shard', async () => {
    const git = new GitFixture();
    git.commit(build('alice/web', '1.0.0'));
    // The owner "2b" has a build "d8" with files at alice/web/.
    const inner = Object.entries(build('alice/web', '6.6.6'));
    const files = inner.map(([path, text]) => [path.replace('builds/', ''), text] as const);
    git.commit(build('2b/d8', '1.0.0', {}, Object.fromEntries(files)));
    await moveBuilds(git.folder, 'sharded');
    const out = join(temporaryFolder(), 'index');
    const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(report.problems.failing).toEqual([]);
    expect(readRecord(out, 'alice/web').versions.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(readRecord(out, '2b/d8').version).toBe('1.0.0');
  });
});
