/** An owner's age is measured at the newest commit's time, and an incremental run updates it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OwnerInfo } from '../../format/index/registry-info.ts';
import { build, type GitFixture } from './git-fixture.ts';
import { readRecord } from './index-reader.ts';
import { Regenerated } from './regenerated.ts';

function commitAt(git: GitFixture, time: string): void {
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'Time goes by'], {
    cwd: git.folder,
    env: { ...process.env, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time },
  });
}

it('generate() lets owners grow older with the newest commit, incrementally as in full', async () => {
  const made = new Regenerated();
  const { git, out } = made;
  git.commit({ ...build('a/x', '1.0.0'), ...build('b/y', '1.0.0') });
  const ageOf = (owner: string): number | undefined =>
    OwnerInfo.parse(JSON.parse(readFileSync(join(out, `owners/${owner}.json`), 'utf8')))
      .reputation_parts['age'];
  await made.run();
  expect(ageOf('a')).toBe(0);
  // The first publication was on 2026-01-01; a committer's clock may also run backwards.
  for (const [time, points] of [
    ['2026-03-31T23:59:59Z', 0],
    ['2026-04-01T00:00:00Z', 4],
    ['2026-03-31T12:00:00Z', 0],
    ['2027-01-01T00:00:00Z', 7],
    ['2031-01-01T00:00:00Z', 10],
    ['2031-01-02T00:00:00Z', 10],
  ] as const) {
    commitAt(git, time);
    await made.run();
    expect([time, ageOf('a'), ageOf('b')]).toEqual([time, points, points]);
    expect(readRecord(out, 'a/x').reputation).toBe(50 + points);
  }
});
