import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { access, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { withProjectLock } from './project-lock.ts';
import { makeProject, treeOf } from '../../tests/client/project-tree.ts';
import { runs } from '../../tests/run/runs.ts';

async function project(): Promise<string> {
  const folder = await makeProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function holdElsewhere(folder: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../../tests/client/crash-run.ts');
  const child = spawn(process.execPath, [script, 'hold', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

async function putLock(folder: string, holder: object | string): Promise<string> {
  await mkdir(join(folder, '.stackyard'), { recursive: true });
  const path = join(folder, '.stackyard/lock');
  await writeFile(path, typeof holder === 'string' ? holder : JSON.stringify(holder));
  return path;
}

const ENDED = { pid: 2 ** 22 + 5, host: hostname(), since: '2026-01-01T00:00:00.000Z', token: 't' };

test('returns the result, and leaves no files', async () => {
  const folder = await project();
  const result = await withProjectLock(folder, async () => {
    expect(JSON.parse(await readFile(join(folder, '.stackyard/lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    });
    expect(await readFile(join(folder, '.stackyard/.gitignore'), 'utf8')).toBe('*\n');
    return 7;
  });
  expect(result).toBe(7);
  expect(await treeOf(folder)).toEqual({});
});

test('is released when the work fails', async () => {
  const folder = await project();
  const run = withProjectLock(folder, () => Promise.reject(new Error('work failed')));
  await expect(run).rejects.toThrow('work failed');
  expect(await treeOf(folder)).toEqual({});
});

test('a second client waits, then names who holds the lock', async () => {
  const folder = await project();
  const holder = await holdElsewhere(folder);
  const started = performance.now();
  const run = withProjectLock(folder, async () => {}, { waitMs: 300 });
  await expect(run).rejects.toMatchObject({
    code: 'ERR_BUSY',
    hint: expect.stringMatching(/wait/),
  });
  await expect(run).rejects.toThrow(new RegExp(`process ${holder.pid} on ".*" since 20`));
  expect(performance.now() - started).toBeGreaterThan(290);
  expect(Object.keys(await treeOf(folder))).toEqual([
    '.stackyard',
    '.stackyard/.gitignore',
    '.stackyard/lock',
  ]);
});

test('a client that waits gets the lock when the first ends', async () => {
  const folder = await project();
  const order: string[] = [];
  const first = withProjectLock(folder, async () => {
    await sleep(150);
    order.push('first');
  });
  await sleep(20);
  await withProjectLock(folder, async () => void order.push('second'));
  await first;
  expect(order).toEqual(['first', 'second']);
  expect(await treeOf(folder)).toEqual({});
});

test('the lock of a killed process is taken over', async () => {
  const folder = await project();
  const holder = await holdElsewhere(folder);
  holder.kill('SIGKILL');
  await withProjectLock(folder, async () => {});
  expect(await treeOf(folder)).toEqual({});
});

test('the lock of an ended process is taken over by one client at a time', async () => {
  for (let round = 0; round < runs(10); round++) {
    const folder = await project();
    await putLock(folder, ENDED);
    let inside = 0;
    let most = 0;
    const client = (): Promise<void> =>
      withProjectLock(
        folder,
        async () => {
          most = Math.max(most, ++inside);
          await access(join(folder, '.stackyard/.gitignore'));
          await sleep(1);
          inside--;
        },
        { waitMs: 10_000 },
      );
    await Promise.all(Array.from({ length: 8 }, client));
    expect(most).toBe(1);
    expect(await treeOf(folder)).toEqual({});
  }
});

test('a guard that a killed client left does not block', async () => {
  const folder = await project();
  await putLock(folder, ENDED);
  await writeFile(join(folder, '.stackyard/lock-takeover'), JSON.stringify(ENDED));
  await withProjectLock(folder, async () => {});
  expect(await treeOf(folder)).toEqual({});
});

test('a later process with the same pid does not keep the lock', async () => {
  const folder = await project();
  await putLock(folder, { ...ENDED, pid: process.pid, birth: 'boot:1' });
  const run = withProjectLock(folder, async () => 'taken', { waitMs: 0 });
  if (process.platform === 'linux') expect(await run).toBe('taken');
  else await expect(run).rejects.toMatchObject({ code: 'ERR_BUSY' });
});

test('a lock of another host is never taken over', async () => {
  const folder = await project();
  await putLock(folder, { ...ENDED, host: 'else\u001Bwhere' });
  const run = withProjectLock(folder, async () => {}, { waitMs: 0 });
  await expect(run).rejects.toMatchObject({
    code: 'ERR_BUSY',
    message: expect.stringContaining(String.raw`on "else\u{1b}where"`),
    hint: expect.stringContaining('delete ".stackyard/lock"'),
  });
});

test('an unreadable lock counts as held at first, as stale later', async () => {
  const folder = await project();
  const path = await putLock(folder, '{"pid":');
  const run = withProjectLock(folder, async () => {}, { waitMs: 0 });
  await expect(run).rejects.toMatchObject({ code: 'ERR_BUSY' });
  await utimes(path, 1, 1);
  await withProjectLock(folder, async () => {});
  expect(await treeOf(folder)).toEqual({});
});

test('refuses a .stackyard that is a file', async () => {
  const folder = await project();
  await writeFile(join(folder, '.stackyard'), '');
  const run = withProjectLock(folder, async () => {});
  await expect(run).rejects.toMatchObject({ code: 'ERR_PATH_POLICY' });
});
