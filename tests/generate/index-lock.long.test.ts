/** Two programs on one index: the second is refused, whatever its state file is, until the first one ends in any way. */
import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../run/script-process.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { generateDocuments } from './generate-documents.ts';
import { readTree } from './index-reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'generator/main.ts');
const PRELOAD = join(ROOT, 'tests/client/kill-at.ts');

interface Held {
  readonly repo: string;
  readonly out: string;
  readonly child: ChildProcess;
}

/** A run of `generate` that stopped before its first rename. */
async function stoppedRun(): Promise<Held> {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0'));
  const folder = temporaryFolder();
  const [out, counter] = [join(folder, 'index'), join(folder, 'count')];
  const child = spawn(process.execPath, [MAIN, 'generate', ...placeOf(git.folder, out)], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      KILL_COUNT: counter,
      KILL_AT: 'renameSync',
      KILL_SIGNAL: 'SIGSTOP',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => linesOf(counter).at(-1)).toBe('renameSync');
  return { repo: git.folder, out, child };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

function placeOf(repo: string, out: string): string[] {
  return ['--repo', repo, '--out', out, '--no-client', '--no-site', '--threads', '1'];
}

function run(command: string, args: readonly string[]): Promise<Ended> {
  return runProcess({ file: MAIN, args: [command, ...args], cwd: ROOT, env: process.env });
}

const refusal = (out: string): unknown[] => [
  1,
  `error: Cannot write the index at "${out}": another run writes it [ERR_INDEX_BUSY]\nhint: wait for it to end\n`,
];

it('a second run with a state file of its own is refused, and the first one completes', async () => {
  const { repo, out, child } = await stoppedRun();
  const before = readTree(out);
  const other = ['--state', join(temporaryFolder(), 'other.sqlite')];
  const store = ['--from-store', `file:${temporaryFolder()}`];
  for (const args of [other, [...other, '--full'], [...other, ...store]]) {
    const { status, stderr } = await run('generate', [...placeOf(repo, out), ...args]);
    expect([status, stderr]).toEqual(refusal(out));
  }
  const served = await run('serve', ['--repo', repo, '--out', out, '--port', '0']);
  expect([served.status, served.stderr]).toEqual(refusal(out));
  expect(readTree(out)).toEqual(before);
  const ended = once(child, 'exit');
  child.kill('SIGCONT');
  expect(await ended).toEqual([0, null]);
  const whole = join(temporaryFolder(), 'index');
  await generateDocuments({ repo, out: whole });
  expect(readTree(out)).toEqual(readTree(whole));
});

it('the lock of a killed run is gone', async () => {
  const { repo, out, child } = await stoppedRun();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const state = join(temporaryFolder(), 'other.sqlite');
  const next = await run('generate', [...placeOf(repo, out), '--state', state]);
  expect([next.status, next.stdout]).toEqual([
    0,
    expect.stringMatching(/^builds: 1, versions: 1;/),
  ]);
});
