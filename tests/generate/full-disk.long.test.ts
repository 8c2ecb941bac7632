/** A run of `generate` on a disk that is full at one point or another: the index stays as it was, and the next run completes it. */
import { execFile } from 'node:child_process';
import { statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Disk, DISKS } from '../auth/full-disk.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { expectWholeIndex, readTree } from './index-reader.ts';

const MAIN = join(import.meta.dirname, '../../generator/main.ts');

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

/** @param words before the program, such as a limit */
function generate(repo: string, out: string, words: readonly string[] = []): Promise<Ended> {
  const options = ['--repo', repo, '--out', out, '--no-client', '--threads', '2'];
  const [program = '', ...args] = [...words, 'node', MAIN, 'generate', ...options];
  return new Promise((resolve) => {
    const child = execFile(program, args, (_, __, stderr) => {
      resolve({ status: child.exitCode, stderr });
    });
  });
}

/** Where an index is, and how a run there finds only so many bytes. */
interface Place {
  readonly folder: string;
  /** @returns the words before the program */
  readonly limit: (bytes: number) => readonly string[];
  readonly free: () => void;
}

function limitedFiles(): Place {
  const limit = (bytes: number): string[] => ['prlimit', `--fsize=${bytes}`];
  return { folder: temporaryFolder(), limit, free: () => {} };
}

function fullDisk(disk: Disk): Place {
  onTestFinished(() => disk.remove());
  const folder = dirname(disk.file);
  const filler = join(folder, 'filler');
  const limit = (bytes: number): string[] => {
    disk.fill(0);
    truncateSync(filler, statSync(filler).size - bytes);
    return [];
  };
  return { folder, limit, free: () => disk.free(0) };
}

it.each<[string, readonly number[], () => Place]>([
  ['files that may not grow', [0, 1, 40, 64], limitedFiles],
  ...DISKS.slice(1).map(([name, make]): [string, number[], () => Place] => {
    return [name, [0, 4, 16, 64, 128, 192], () => fullDisk(make())];
  }),
])('%s', async (_, levels, make) => {
  const [git, place] = [new GitFixture(), make()];
  const out = join(place.folder, 'index');
  git.commit({ ...build('a/x', '1.0.0'), 'registry.config.json': '{ "site": false }' });
  expect(await generate(git.folder, out)).toMatchObject({ status: 0 });
  const before = readTree(out);
  git.commit({ ...build('a/x', '1.1.0'), ...build('a/y', '1.0.0') });
  for (const kilobytes of levels) {
    const ended = await generate(git.folder, out, place.limit(kilobytes * 1024));
    place.free();
    expect(ended).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^(?:note: .*\n)?error: .* \[ERR_DISK_FULL\]\nhint: .*\n$/),
    });
    expect(readTree(out)).toEqual(before);
  }
  expect(await generate(git.folder, out)).toMatchObject({ status: 0 });
  expectWholeIndex(out);
  const whole = join(temporaryFolder(), 'index');
  await generate(git.folder, whole);
  expect(readTree(out)).toEqual(readTree(whole));
});
