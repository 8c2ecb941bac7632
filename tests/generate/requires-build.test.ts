/** Required builds are looked for among what was published earlier and what the same commit publishes. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readRecord, readTree } from './index-reader.ts';

const requires = (range: string): object => ({ builds: { 'b/y': range } });

it('generate() judges requirements against what the same commit publishes', async () => {
  const git = new GitFixture();
  const out = join(temporaryFolder(), 'index');
  const codes = (id: string, version: string): string[] =>
    readRecord(out, id, version)
      .checks.findings.map(({ code }) => code)
      .filter((code) => code.startsWith('requires-build-'));
  const run = async (full = false): Promise<void> => {
    const report = await generateDocuments({ repo: git.folder, out, threads: 1, full });
    expect(report.problems.failing).toEqual([]);
  };

  git.commit(build('a/early', '1.0.0', requires('^1.0.0')));
  git.commit({
    ...build('a/x', '1.0.0', requires('^1.0.0')),
    ...build('b/y', '1.0.0', { builds: { 'a/x': '^1.0.0' } }),
  });
  await run();
  git.commit({ ...build('a/x', '1.1.0', requires('^1.1.0')), ...build('b/y', '1.1.0') });
  git.commit(build('a/x', '1.2.0', requires('^1.2.0')));
  git.commit(build('b/y', '1.2.0'));
  await run();
  expect(codes('a/early', '1.0.0')).toEqual(['requires-build-missing']);
  expect(codes('a/x', '1.0.0')).toEqual([]);
  expect(codes('b/y', '1.0.0')).toEqual([]);
  expect(codes('a/x', '1.1.0')).toEqual([]);
  expect(codes('a/x', '1.2.0')).toEqual(['requires-build-range']);
  const incremental = readTree(out);
  await run(true);
  expect(readTree(out)).toEqual(incremental);
});
