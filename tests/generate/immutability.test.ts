/** A published version never changes: a violation is reported with both commits, and stops nothing else. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { findingMessage } from '../../format/finding/finding.ts';
import { generateDocuments } from './generate-documents.ts';
import type { GenerateOptions } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import {
  expectWholeIndex,
  readBuild,
  readCatalogIds,
  readHead,
  readRecord,
  readTree,
} from './index-reader.ts';

function fixture(): {
  git: GitFixture;
  out: string;
  run: (more?: Partial<GenerateOptions>) => Promise<Report>;
} {
  const git = new GitFixture();
  const out = join(temporaryFolder(), 'index');
  return {
    git,
    out,
    run: (more) => generateDocuments({ repo: git.folder, out, threads: 1, ...more }),
  };
}

describe('generate() keeps published versions', () => {
  it('reports changed content with both commits, and publishes everything else', async () => {
    const { git, out, run } = fixture();
    const first = git.commit(build('a/x', '1.0.0'));
    await run();
    const second = git.commit({
      ...build('b/y', '1.0.0'),
      'builds/a/x/src/index.ts': 'export const version = "other";\n',
    });
    git.commit(build('a/x', '1.1.0'));
    for (const full of [false, true, false]) {
      const [problem, ...others] = (await run({ full })).problems.failing;
      expect([problem?.commit, problem?.finding.code]).toEqual([
        second,
        'integrity-version-changed',
      ]);
      expect(findingMessage(problem!.finding)).toContain(first);
      expect(findingMessage(problem!.finding)).toContain(second);
      expect(others).toEqual([]);
      expect(readBuild(out, 'a/x', '1.0.0')['src/index.ts']).toContain("'1.0.0'");
      expect(readHead(out, 'a/x').versions.map((v) => v.version)).toEqual(['1.1.0', '1.0.0']);
      expect(readCatalogIds(out)).toEqual(['a/x', 'b/y']);
      expectWholeIndex(out);
    }
  });

  it('fails no more once the commit is acknowledged; the first publication stays', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const published = git.time;
    const second = git.commit({ 'builds/a/x/src/index.ts': 'other\n' });
    git.commit(build('a/x', '1.0.1'));
    expect((await run()).problems.failing).toHaveLength(1);
    git.commit({
      'registry.config.json': JSON.stringify({ acknowledged: { [second]: 'Merged by mistake' } }),
    });
    const report = await run();
    expect(report.problems.failing).toEqual([]);
    expect(report.problems.acknowledged).toMatchObject([
      { commit: second, reason: 'Merged by mistake' },
    ]);
    expect(readBuild(out, 'a/x', '1.0.0')['src/index.ts']).toBe(
      "export const version = '1.0.0';\n",
    );
    expect(readRecord(out, 'a/x', '1.0.0').published_at).toBe(published);
    expect(readHead(out, 'a/x').versions.map((v) => v.version)).toEqual(['1.0.1', '1.0.0']);
  });

  it('accepts the same content again: a deleted build that is restored', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const published = git.time;
    git.commit({ 'builds/a/x': null });
    git.commit(build('a/x', '1.0.0'));
    expect((await run()).problems.failing).toEqual([]);
    expect(readRecord(out, 'a/x').published_at).toBe(published);
  });

  it('build metadata makes no second version: the earlier publication stands, the later is a fault', async () => {
    const { git, out, run } = fixture();
    const first = git.commit(build('a/x', '1.0.0'));
    await run();
    const second = git.commit({ ...build('a/x', '1.0.0+evil'), ...build('b/y', '2.0.0-rc.1+a') });
    for (const full of [false, true, false]) {
      const report = await run({ full });
      expect(report.problems.failing).toMatchObject([
        { commit: second, finding: { code: 'integrity-version-precedence' } },
      ]);
      expect(findingMessage(report.problems.failing[0]!.finding)).toContain(first);
      expect(readHead(out, 'a/x').versions.map((v) => v.version)).toEqual(['1.0.0']);
      expect(readHead(out, 'b/y').latest).toBe('2.0.0-rc.1+a');
    }
    const incremental = readTree(out);
    await run({ full: true });
    expect(readTree(out)).toEqual(incremental);
    git.commit(build('b/y', '2.0.0-rc.1'));
    const codes = (await run()).problems.failing.map((p) => p.finding.code);
    expect(codes).toEqual(['integrity-version-precedence', 'integrity-version-precedence']);
    git.commit({ 'builds/a/x/src/index.ts': '// Under the version that was not published\n' });
    expect((await run()).problems.failing).toHaveLength(3);
    expectWholeIndex(out);
  });

  it('a version with build metadata that is no valid build takes the place of none', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0+bad', { kind: 'theme' }));
    git.commit(build('a/x', '1.0.0'));
    git.commit(build('a/x', '1.0.0+late'));
    const codes = (await run()).problems.failing.map((p) => p.finding.code);
    expect(codes).toEqual(['manifest-field-value', 'integrity-version-precedence']);
    expect(readHead(out, 'a/x').versions.map((v) => v.version)).toEqual(['1.0.0']);
  });

  it('a changed mode is changed content', async () => {
    const { git, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    git.makeExecutable('builds/a/x/src/index.ts');
    git.commit({});
    const codes = (await run()).problems.failing.map((p) => p.finding.code);
    expect(codes).toEqual(['integrity-version-changed']);
  });
});

describe('generate() and its state', () => {
  it('reads only what is new, and reports an old fault every time', async () => {
    const { git, run } = fixture();
    git.commit(build('a/x', '1.0.0', { kind: 'theme' }));
    git.commit(build('b/y', '1.0.0'));
    const first = await run();
    expect([first.isFull, first.published]).toEqual([true, 1]);
    git.commit(build('b/y', '1.1.0'));
    const second = await run();
    expect([second.isFull, second.published, second.versions]).toEqual([false, 1, 2]);
    expect(second.problems).toEqual(first.problems);
    const third = await run();
    expect([third.published, third.written, third.removed]).toEqual([0, 0, 0]);
    expect(third.unchanged).toBe(second.written + second.unchanged);
  });

  it('starts from the beginning after a rewritten history and removes what it no longer contains', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const base = git.git('rev-parse', 'HEAD');
    git.commit({ ...build('a/x', '1.1.0'), ...build('b/y', '1.0.0') });
    await run();
    const before = Object.keys(readTree(out));
    git.git('reset', '-q', '--hard', base);
    git.commit(build('a/x', '1.2.0'));
    const report = await run();
    expect(report.isFull).toBe(true);
    const after = readTree(out);
    expect(report.removed).toBe(before.filter((path) => !(path in after)).length);
    expect('heads/b/y.json' in after || 'builds/a/x/1.1.0.tgz' in after).toBe(false);
    expect(readHead(out, 'a/x').versions.map((v) => v.version)).toEqual(['1.2.0', '1.0.0']);
    expectWholeIndex(out);
  });

  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['garbage', (file: string) => writeFileSync(file, 'not a database '.repeat(100))],
    [
      'differently laid out',
      (file: string) => {
        rmSync(file);
        new Database(file).exec('CREATE TABLE version (id TEXT, version TEXT)').close();
      },
    ],
  ])('a %s state file only costs time', async (_, spoil) => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const state = join(temporaryFolder(), 'state');
    await run({ state });
    const before = readTree(out);
    spoil(state);
    expect(await run({ state })).toMatchObject({ isFull: true, written: 0, removed: 0 });
    expect(readTree(out)).toEqual(before);
  });

  it('a deleted or foreign index is restored', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    await run();
    rmSync(out, { recursive: true });
    expect((await run()).isFull).toBe(true);
    expectWholeIndex(out);
  });

  it('two runs at once: the second reports the first and changes nothing', async () => {
    const { git, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const results = await Promise.allSettled([run(), run()]);
    const refused = results.filter((r) => r.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({ code: 'ERR_INDEX_BUSY' });
  });

  it('a state that a newer version wrote is refused and stays', async () => {
    const { git, out, run } = fixture();
    git.commit(build('a/x', '1.0.0'));
    const state = join(temporaryFolder(), 'state');
    await run({ state });
    const db = new Database(state);
    db.pragma('user_version = 10000');
    db.close();
    const [before, bytes] = [readTree(out), readFileSync(state)];
    for (const full of [false, true]) {
      await expect(run({ state, full })).rejects.toMatchObject({
        code: 'ERR_STATE_NEWER',
        message: `Cannot read the state file "${state}": a newer version of this software wrote it`,
        hint: 'use that version, or delete the file: it is only a cache',
      });
    }
    expect([readTree(out), readFileSync(state)]).toEqual([before, bytes]);
    rmSync(state);
    expect(await run({ state })).toMatchObject({ isFull: true, written: 0, removed: 0 });
  });

  it('a yank of an unknown version, and invalid signals, are faults', async () => {
    const { git, out, run } = fixture();
    git.commit({
      ...build('a/x', '1.0.0'),
      'builds/a/owner.json': JSON.stringify({ yanked: { x: { '1.0.1': 'typo' } } }),
      'signals/a/x.json': '{"downloads": -1}',
    });
    const codes = (await run()).problems.failing.map((p) => p.finding.code).sort();
    expect(codes).toEqual(['owner-file-yank-unknown', 'signals-invalid']);
    git.commit({
      'builds/a/owner.json': JSON.stringify({ yanked: { x: { '1.0.0': 'bad' } } }),
      'signals/a/x.json': JSON.stringify({
        downloads: 12,
        agent_reports: { success: 2, failure: 1 },
        flags: 1,
        updated_at: '2026-03-01T00:00:00.000Z',
      }),
    });
    expect((await run()).problems.failing).toEqual([]);
    expect(readRecord(out, 'a/x')).toMatchObject({
      downloads: 12,
      agent_reports: { success: 2, failure: 1, success_rate: 0.6667 },
      flags: 1,
      updated_at: '2026-03-01T00:00:00.000Z',
      versions: [{ yanked: true }],
    });
    const incremental = readTree(out);
    await run({ full: true });
    expect(readTree(out)).toEqual(incremental);
  });
});
