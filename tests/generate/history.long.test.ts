/**
 * A long history: 9 builds, dozens of publications through merge, squash and rebase merges, yanks,
 * reverts, backports, a deleted build. A model without git computes what must be published;
 * after every commit the incremental index must equal a full one.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readBuild, readHead, readRecord, readTree } from './index-reader.ts';
import { reasonOf } from '../../format/registry/status.ts';

interface Expected {
  readonly publishedAt: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What must be published: filled by the test as it commits. */
class Model {
  readonly builds = new Map<string, Map<string, Expected>>();
  readonly yanked = new Map<string, Record<string, string>>();

  publish(id: string, version: string, publishedAt: string, files: object): void {
    const versions = this.builds.get(id) ?? new Map<string, Expected>();
    this.builds.set(id, versions);
    const relative = Object.entries(files).map(([path, text]) => [
      path.slice(`builds/${id}/`.length),
      text,
    ]);
    if (!versions.has(version)) {
      versions.set(version, { publishedAt, files: Object.fromEntries(relative) });
    }
  }

  latest(id: string): string {
    const versions = [...(this.builds.get(id)?.keys() ?? [])].sort(semver.rcompare);
    const offered = versions.filter((v) => this.yanked.get(id)?.[v] === undefined);
    return offered.find((v) => semver.prerelease(v) === null) ?? offered[0] ?? versions[0]!;
  }
}

describe('generate() over a history', () => {
  it(
    'publishes what the main line published, incrementally as in full',
    { timeout: 300_000 },
    async () => {
      const git = new GitFixture();
      git.commit({ 'docs/log.md': 'A registry\n' });
      const model = new Model();
      const folder = temporaryFolder();
      const out = join(folder, 'index');
      let commits = 0;

      /** After every commit: incremental equals full. */
      const check = async (): Promise<void> => {
        commits += 1;
        const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
        expect(report.problems.failing).toEqual([]);
        expect(report.isFull).toBe(commits === 1);
        const fullOut = join(folder, 'full');
        await generateDocuments({ repo: git.folder, out: fullOut, full: true, threads: 1 });
        expect(readTree(out)).toEqual(readTree(fullOut));
        rmSync(fullOut, { recursive: true });
      };

      const ids = Array.from({ length: 9 }, (_, n) => `owner-${n % 7}/build-${n}`);
      const publishing = { direct, merge, squash, rebase };
      const ways = Object.values(publishing);
      let way = 0;
      for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1']) {
        for (const id of ids) {
          const files = build(id, version, { keywords: [version] });
          ways[(way += 1) % ways.length]!(files, `Publish ${id}@${version}`);
          model.publish(id, version, git.time, files);
          await check();
        }
      }

      // A yank, with its reason; then of everything that a build has.
      git.commit({
        'builds/owner-1/owner.json': JSON.stringify({
          account_id: 7,
          yanked: { 'build-1': { '1.1.0': 'Leaks handles' } },
        }),
      });
      model.yanked.set('owner-1/build-1', { '1.1.0': 'Leaks handles' });
      const yankedAt = git.time;
      await check();
      expect(readRecord(out, 'owner-1/build-1')).toMatchObject({
        latest: '1.0.0',
        updated_at: yankedAt,
      });
      const all = { '1.0.0': 'a', '1.1.0': 'b', '2.0.0-rc.1': 'c' };
      git.commit({ 'builds/owner-2/owner.json': JSON.stringify({ yanked: { 'build-2': all } }) });
      model.yanked.set('owner-2/build-2', all);
      await check();

      // A revert of a version bump neither publishes nor removes anything, and bumping again does not either.
      const bumped = build('owner-3/build-3', '1.2.0');
      git.commit(bumped, 'Bump');
      model.publish('owner-3/build-3', '1.2.0', git.time, bumped);
      await check();
      git.git('revert', '--no-edit', 'HEAD');
      await check();
      git.git('revert', '--no-edit', 'HEAD');
      await check();

      // A backport to an older line while a newer one exists.
      const major = build('owner-4/build-4', '2.0.0');
      git.commit(major);
      model.publish('owner-4/build-4', '2.0.0', git.time, major);
      await check();
      const backport = build('owner-4/build-4', '1.1.1');
      git.commit(backport);
      model.publish('owner-4/build-4', '1.1.1', git.time, backport);
      await check();
      expect(readHead(out, 'owner-4/build-4').latest).toBe('2.0.0');

      // A version that existed only inside a branch is not published; the merge publishes the last one.
      git.git('checkout', '-q', '-b', 'inside');
      git.commit(build('owner-5/build-5', '1.2.0'), 'Inside a branch');
      const merged = build('owner-5/build-5', '1.3.0');
      git.commit(merged, 'End of the branch');
      git.git('checkout', '-q', 'main');
      git.git('merge', '-q', '--no-ff', '-m', 'Merge inside', 'inside');
      model.publish('owner-5/build-5', '1.3.0', git.time, merged);
      await check();

      // Two versions in two builds in one commit; four more publications; then a deletion.
      const pair = { ...build('owner-0/build-0', '1.2.0'), ...build('owner-6/build-6', '1.2.0') };
      git.commit(pair);
      model.publish('owner-0/build-0', '1.2.0', git.time, build('owner-0/build-0', '1.2.0'));
      model.publish('owner-6/build-6', '1.2.0', git.time, build('owner-6/build-6', '1.2.0'));
      await check();
      for (const n of [10, 11, 12, 13]) {
        const id = `owner-${n % 7}/build-${n}`;
        const files = build(id, '1.2.0-beta.1', { kind: 'foundation' });
        git.commit(files);
        model.publish(id, '1.2.0-beta.1', git.time, files);
        await check();
      }
      git.commit({ 'builds/owner-1/build-8': null }, 'Delete a build');
      await check();
      git.commit({ 'docs/notes.md': 'Nothing about builds\n' });
      await check();

      expect([...model.builds.values()].reduce((sum, v) => sum + v.size, 0)).toBe(37);
      for (const [id, versions] of model.builds) {
        const head = readHead(out, id);
        const yanked = model.yanked.get(id) ?? {};
        const sorted = [...versions.keys()].sort(semver.rcompare);
        expect(head.versions.map((v) => v.version)).toEqual(sorted);
        expect(head.latest).toBe(model.latest(id));
        for (const { version, published_at, status } of head.versions) {
          expect(reasonOf(status)).toBe(yanked[version] ?? '');
          expect(published_at).toBe(versions.get(version)?.publishedAt);
          expect(readBuild(out, id, version)).toEqual(versions.get(version)?.files);
          const record = readRecord(out, id, version);
          expect(record.version).toBe(version);
          expect(record.publisher).toBe(`admin:${id.split('/')[0]}`);
          expect(record.versions.map((v) => v.yanked)).toEqual(sorted.map((v) => v in yanked));
        }
      }
      expectWholeIndex(out);

      function direct(files: ReturnType<typeof build>, message: string): void {
        git.commit(files, message);
      }

      function merge(files: ReturnType<typeof build>, message: string): void {
        git.git('checkout', '-q', '-B', 'topic');
        git.commit({ ...files, ...unfinished(files) }, 'Work in progress');
        git.commit(files, 'Finish');
        git.git('checkout', '-q', 'main');
        git.git('merge', '-q', '--no-ff', '-m', message, 'topic');
      }

      function squash(files: ReturnType<typeof build>, message: string): void {
        git.git('checkout', '-q', '-B', 'topic');
        git.commit({ ...files, ...unfinished(files) }, 'Work in progress');
        git.commit(files, 'Finish');
        git.git('checkout', '-q', 'main');
        git.git('merge', '-q', '--squash', 'topic');
        git.git('commit', '-q', '-m', message);
      }

      /** The branch starts at an older commit and is rebased without a merge commit. */
      function rebase(files: ReturnType<typeof build>, message: string): void {
        git.git('checkout', '-q', '-B', 'topic');
        git.commit(files, message);
        git.git('checkout', '-q', 'main');
        git.commit({ 'docs/log.md': `${message}\n` }, 'Something else');
        git.git('rebase', '-q', 'main', 'topic');
        git.git('checkout', '-q', 'main');
        git.git('merge', '-q', '--ff-only', 'topic');
      }

      /** The same version with content that will not be merged: invisible on the main line. */
      function unfinished(files: ReturnType<typeof build>): Record<string, string> {
        const path = Object.keys(files).find((p) => p.endsWith('src/index.ts'))!;
        return { [path]: '// not yet\n' };
      }
    },
  );
});
