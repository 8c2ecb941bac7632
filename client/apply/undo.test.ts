import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { withProjectLock } from './project-lock.ts';
import { recover } from './recover.ts';
import { applyChanges } from './transaction.ts';
import {
  BEFORE,
  COMMIT,
  EMPTIED,
  LAST_COMMIT,
  WRITES,
  makeProject,
  treeOf,
  write,
} from '../../tests/client/project-tree.ts';
import { isDeep } from '../../tests/run/runs.ts';

const TRANSACTION = '00000000-0000-4000-8000-000000000000';
const KILLED_AT_ONCE = 8;
/** The steps at which runs are killed: all of them in `test:long`. */
const EVERY = isDeep() ? 1 : 4;

async function project(files: Readonly<Record<string, string>> = BEFORE): Promise<string> {
  const folder = await makeProject(files);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function runKilled(action: string, folder: string, at: number): Promise<boolean> {
  const child = spawn(process.execPath, [inject('programs').crashRun, action, folder, String(at)], {
    stdio: 'pipe',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status, signal) => {
      if (status === null || status === 0) resolve(signal === 'SIGKILL');
      else reject(new Error(`crash-run.ts ended with status ${status}`));
    });
  });
}

function recoverLocked(folder: string): Promise<string> {
  return withProjectLock(folder, () => recover(folder));
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: KILLED_AT_ONCE }, worker));
}

test('nothing to do without .stackyard/, and nothing is made', async () => {
  const folder = await project({});
  expect(await recover(folder)).toBe('nothing');
  expect(await treeOf(folder)).toEqual({});
});

test('a run killed at any step is undone or finished', { timeout: 60_000 }, async () => {
  const done = await project();
  const steps: string[] = [];
  await applyChanges(done, WRITES, COMMIT, {
    emptied: EMPTIED,
    step: (label) => steps.push(label),
  });
  const after = await treeOf(done);
  const before = await treeOf(await project());
  const results = new Set<string>();
  const last = steps.length - 1;
  await inParallel(Math.ceil(last / EVERY) + 1, async (part) => {
    const index = Math.min(part * EVERY, last);
    const folder = await project();
    expect(await runKilled('apply', folder, index), steps[index]).toBe(true);
    const result = await recoverLocked(folder);
    results.add(result);
    const committed = index > steps.indexOf('place stackyard.lock.json');
    expect(await treeOf(folder), `${index} ${steps[index]}`).toEqual(committed ? after : before);
  });
  expect([...results].toSorted()).toEqual(['finished', 'nothing', 'undone']);
});

test('a removal of the last build killed at any step is undone or finished', async () => {
  const done = await project();
  const steps: string[] = [];
  await applyChanges(done, WRITES, LAST_COMMIT, {
    emptied: EMPTIED,
    step: (label) => steps.push(label),
  });
  const after = await treeOf(done);
  const before = await treeOf(await project());
  const last = steps.length - 1;
  await inParallel(Math.ceil(last / EVERY) + 1, async (part) => {
    const index = Math.min(part * EVERY, last);
    const folder = await project();
    expect(await runKilled('apply-last', folder, index), steps[index]).toBe(true);
    await recoverLocked(folder);
    const committed = index > steps.indexOf('delete stackyard.lock.json');
    expect(await treeOf(folder), `${index} ${steps[index]}`).toEqual(committed ? after : before);
  });
}, 60_000);

test('a recovery killed at any step can be repeated', { timeout: 60_000 }, async () => {
  const steps: string[] = [];
  const crashed = await project();
  await applyChanges(crashed, WRITES, COMMIT, {
    emptied: EMPTIED,
    step: (label) => steps.push(label),
  });
  const before = await treeOf(await project());
  const after = await treeOf(crashed);
  for (const label of ['place stackyard.lock.json', 'delete journal']) {
    const source = await project();
    await runKilled('apply', source, steps.indexOf(label));
    let killed = true;
    for (let from = 0; killed; from += KILLED_AT_ONCE) {
      await inParallel(KILLED_AT_ONCE, async (offset) => {
        const folder = await project({});
        await cp(source, folder, { recursive: true, preserveTimestamps: true });
        if (!(await runKilled('recover', folder, (from + offset) * EVERY))) killed = false;
        await recoverLocked(folder);
        expect(await treeOf(folder)).toEqual(label === 'delete journal' ? after : before);
      });
    }
  }
});

test('a commit file with the same bytes as before does not count as committed', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  const same = write(COMMIT.path, BEFORE[COMMIT.path] ?? '', BEFORE[COMMIT.path]);
  await interrupt(folder, [write('new', 'n')], same, 'place stackyard.lock.json');
  expect(await recover(folder)).toBe('undone');
  expect(await treeOf(folder)).toEqual(before);
});

test('a lock file that was edited after the commit does not undo the commit', async () => {
  const folder = await project();
  await runFailingTidy(folder);
  await writeFile(join(folder, COMMIT.path), 'edited');
  expect(await recover(folder)).toBe('finished');
  expect(await readFile(join(folder, COMMIT.path), 'utf8')).toBe('edited');
  expect((await treeOf(folder))['bin/tool']).toBeDefined();
});

test('a file that was changed since is kept, and the error names its original', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  await interrupt(folder, WRITES, COMMIT, 'place stackyard.lock.json');
  await writeFile(join(folder, 'package.json'), 'theirs');
  const run = recover(folder);
  await expect(run).rejects.toMatchObject({ code: 'ERR_JOURNAL' });
  await expect(run).rejects.toThrow(
    /"package\.json" \(original: "\.stackyard\/tmp\/.*\/old\/0003"\)/,
  );
  const tree = await treeOf(folder);
  expect(tree['package.json']).toMatch(/theirs$/);
  expect(tree['src/auth']).toBeUndefined();
  // Put right by hand, the rest is cleared up.
  await writeFile(join(folder, 'package.json'), BEFORE['package.json'] ?? '');
  expect(await recover(folder)).toBe('undone');
  expect(await treeOf(folder)).toEqual(before);
});

test('staging without a journal is dropped', async () => {
  const folder = await project({
    a: 'a',
    [`.stackyard/tmp/${TRANSACTION}/journal.json`]: '{"jour',
  });
  expect(await recover(folder)).toBe('nothing');
  expect(Object.keys(await treeOf(folder))).toEqual(['a']);
});

test.each([
  ['torn', '{"journalVersion":1,'],
  ['of another version', '{"journalVersion":2}'],
  ['without writes', journal([])],
])('a journal that is %s is an ERR_JOURNAL with a way out', async (_, text) => {
  const folder = await project({ '.stackyard/journal.json': text });
  await expect(recover(folder)).rejects.toMatchObject({
    code: 'ERR_JOURNAL',
    hint: expect.stringContaining('delete ".stackyard"'),
  });
});

test.each(['../outside', '.git/hooks/pre-commit', '/etc/passwd', '.stackyard/lock'])(
  'a hostile journal cannot reach %s',
  async (path) => {
    const folder = await project({ '.stackyard/journal.json': journal([path]) });
    await expect(recover(folder)).rejects.toMatchObject({ code: 'ERR_PATH_POLICY' });
  },
);

test('a hostile journal cannot write through symlinks', async () => {
  const outside = await project({ victim: 'v' });
  const folder = await project({ '.stackyard/journal.json': journal(['sub/victim']) });
  await symlink(outside, join(folder, 'sub'));
  await expect(recover(folder)).rejects.toMatchObject({ code: 'ERR_PATH_POLICY' });

  const second = await project({ '.stackyard/journal.json': journal(['victim']), victim: 'v' });
  await mkdir(join(second, '.stackyard/tmp'));
  await symlink(outside, join(second, '.stackyard/tmp', TRANSACTION));
  await expect(recover(second)).rejects.toMatchObject({ code: 'ERR_PATH_POLICY' });
  expect(Object.keys(await treeOf(outside))).toEqual(['victim']);
});

test('a .stackyard that is a symlink is refused', async () => {
  const folder = await project({});
  const outside = await project({ 'tmp/mine': 'm' });
  await symlink(outside, join(folder, '.stackyard'));
  await expect(recover(folder)).rejects.toMatchObject({ code: 'ERR_PATH_POLICY' });
  expect(Object.keys(await treeOf(outside))).toEqual(['tmp', 'tmp/mine']);
});

/** Leaves a project as a kill at `label` does: from there on every step fails. */
async function interrupt(
  folder: string,
  writes: typeof WRITES,
  commit: typeof COMMIT,
  label: string,
): Promise<void> {
  let stopped = false;
  const run = applyChanges(folder, writes, commit, {
    step: (now) => {
      stopped ||= now === label;
      if (stopped) throw new Error('stopped');
    },
  });
  await expect(run).rejects.toMatchObject({ code: 'ERR_JOURNAL' });
}

async function runFailingTidy(folder: string): Promise<void> {
  await applyChanges(folder, WRITES, COMMIT, {
    step: (label) => {
      if (label === 'delete journal') throw new Error('stopped');
    },
  });
}

function journal(paths: readonly string[]): string {
  const after = integrityOf(Buffer.from('v'));
  const writes = paths.map((path) => ({ path, before: null, after, mode: 0o644 }));
  return JSON.stringify({ journalVersion: 1, transaction: TRANSACTION, writes, folders: [] });
}
