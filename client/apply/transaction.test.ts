import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { runs, some } from '../../tests/run/runs.ts';
import { ClientError } from '../errors.ts';
import { applyChanges } from './transaction.ts';
import { recover } from './recover.ts';
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
import type { FileChange } from '../plan/plan.ts';

async function project(files: Readonly<Record<string, string>> = BEFORE): Promise<string> {
  const folder = await makeProject(files);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => new Error('did not fail'),
    (e: unknown) => e,
  );
  if (!(error instanceof ClientError)) throw error;
  return error.code;
}

async function stepsOf(folder: string): Promise<string[]> {
  const steps: string[] = [];
  await applyChanges(folder, WRITES, COMMIT, {
    emptied: EMPTIED,
    step: (label) => steps.push(label),
  });
  return steps;
}

test('creates, replaces, makes folders and keeps modes', async () => {
  const folder = await project();
  await applyChanges(folder, WRITES, COMMIT, { emptied: EMPTIED });
  const mask = (mode: number): string => (mode & ~process.umask()).toString(8);
  expect(await treeOf(folder)).toEqual({
    bin: expect.stringMatching(/^folder/),
    'bin/run.sh': 'file 750 #!/bin/sh\nexit 0\n',
    'bin/tool': `file ${mask(0o755)} #!/bin/sh\n`,
    old: expect.stringMatching(/^folder/),
    'old/kept': expect.stringMatching(/^folder/),
    'old/kept/mine.txt': expect.stringMatching(/mine\n$/),
    'package.json': `file ${mask(0o644)} {"name":"p","dependencies":{}}\n`,
    src: expect.stringMatching(/^folder/),
    'src/auth': `folder ${mask(0o777)}`,
    'src/auth/.gitkeep': `file ${mask(0o644)} `,
    'src/auth/session': `folder ${mask(0o777)}`,
    'src/auth/session/store.ts': `file ${mask(0o644)} export {};\n`,
    'src/main.ts': `file ${mask(0o755)} main();\n`,
    'stackyard.lock.json': `file ${mask(0o644)} {"lockVersion":1,"builds":{}}\n`,
  });
});

test('commits a lock file that was not there, in an empty project', async () => {
  const folder = await project({});
  await applyChanges(folder, [], write('stackyard.lock.json', '{}\n'));
  expect(Object.keys(await treeOf(folder))).toEqual(['stackyard.lock.json']);
});

test('deletes the lock file with the last build, and makes it again when that is undone', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  const run = applyChanges(folder, WRITES, LAST_COMMIT, {
    emptied: EMPTIED,
    step: (label) => {
      if (label === 'delete stackyard.lock.json') throw new Error('fault');
    },
  });
  await expect(run).rejects.toThrow('fault');
  expect(await treeOf(folder)).toEqual(before);
  await applyChanges(folder, WRITES, LAST_COMMIT, { emptied: EMPTIED });
  expect(await treeOf(folder)).not.toHaveProperty(COMMIT.path);
});

test('an executable replacement of a private file stays private', async () => {
  const folder = await project({ a: 'a' });
  await chmod(join(folder, 'a'), 0o600);
  await applyChanges(folder, [write('a', 'b', 'a', true)], write('l', ''));
  expect((await stat(join(folder, 'a'))).mode & 0o7777).toBe(0o700);
});

test('an error at any step leaves the tree as before, or after once committed', async () => {
  const done = await project();
  const steps = await stepsOf(done);
  const after = await treeOf(done);
  const commitStep = steps.indexOf('place stackyard.lock.json');
  expect(commitStep).toBeGreaterThan(10);
  for (const [index, label] of steps.entries()) {
    const folder = await project();
    const before = await treeOf(folder);
    let count = 0;
    const run = applyChanges(folder, WRITES, COMMIT, {
      emptied: EMPTIED,
      step: () => {
        if (count++ === index) throw new Error(`fault at ${label}`);
      },
    });
    if (index <= commitStep) {
      await expect(run).rejects.toThrow(`fault at ${label}`);
      expect(await treeOf(folder), label).toEqual(before);
    } else {
      await run;
      await recover(folder);
      expect(await treeOf(folder), label).toEqual(after);
    }
  }
});

test('an abort at a step rolls back; after the commit it has no effect', async () => {
  const steps = await stepsOf(await project());
  for (const [index, label] of some([...steps.entries()])) {
    const folder = await project();
    const before = await treeOf(folder);
    const abort = new AbortController();
    let count = 0;
    const run = applyChanges(folder, WRITES, COMMIT, {
      signal: abort.signal,
      step: () => {
        if (count++ === index) abort.abort();
      },
    });
    if (index < steps.indexOf('place stackyard.lock.json')) {
      expect(await codeOf(run), label).toBe('ERR_INTERRUPTED');
      expect(await treeOf(folder), label).toEqual(before);
    } else {
      await run;
    }
  }
});

test('an aborted signal stops before anything is written', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  const run = applyChanges(folder, WRITES, COMMIT, {
    emptied: EMPTIED,
    signal: AbortSignal.abort(),
  });
  expect(await codeOf(run)).toBe('ERR_INTERRUPTED');
  expect(await treeOf(folder)).toEqual(before);
});

test.each([
  ['a file that came', 'bin/tool', 'theirs'],
  ['the very same file that came', 'bin/tool', '#!/bin/sh\n'],
  ['a file that changed', 'src/main.ts', 'theirs'],
  ['the lock file that changed', 'stackyard.lock.json', 'theirs'],
])('does not overwrite %s between plan and commit', async (_, path, text) => {
  const steps = await stepsOf(await project());
  const last = steps.indexOf(`place ${path}`);
  for (const index of some([...steps.keys()].slice(0, last + 1))) {
    const folder = await project();
    const before = await treeOf(folder);
    let count = 0;
    const { writeFileSync } = await import('node:fs');
    const run = applyChanges(folder, WRITES, COMMIT, {
      step: () => {
        if (count++ === index) writeFileSync(join(folder, path), text);
      },
    });
    expect(await codeOf(run), steps[index]).toBe('ERR_PROJECT_CHANGED');
    const tree = await treeOf(folder);
    expect(tree[path], steps[index]).toMatch(new RegExp(`${text}$`));
    expect({ ...tree, [path]: '' }, steps[index]).toEqual({ ...before, [path]: '' });
  }
});

test('refuses when a file has changed since the plan', async () => {
  const folder = await project();
  const before = await treeOf(folder);
  const cases = [
    write('src/main.ts', 'x', 'other'),
    write('src/main.ts', 'x'),
    write('new', 'x', 'y'),
  ];
  for (const one of cases) {
    expect(await codeOf(applyChanges(folder, [one], COMMIT))).toBe('ERR_PROJECT_CHANGED');
  }
  expect(await treeOf(folder)).toEqual(before);
});

test('a file that changed again before the roll-back is kept, and so is the journal', async () => {
  const folder = await project();
  const { writeFileSync } = await import('node:fs');
  const run = applyChanges(folder, WRITES, COMMIT, {
    step: (label) => {
      if (label !== 'place stackyard.lock.json') return;
      writeFileSync(join(folder, 'package.json'), 'theirs');
      throw new Error('fault');
    },
  });
  expect(await codeOf(run)).toBe('ERR_JOURNAL');
  await expect(run).rejects.toThrow(/package\.json.*\.stackyard\/tmp\/.*fault/);
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('theirs');
  const tree = await treeOf(folder);
  expect(tree['.stackyard/journal.json']).toBeDefined();
  expect(tree['src/auth']).toBeUndefined();
  // Nothing else is written on top of it.
  expect(await codeOf(applyChanges(folder, [], write('l', '')))).toBe('ERR_JOURNAL');
});

test('keeps a folder in which another process put a file', async () => {
  const folder = await project();
  const { writeFileSync } = await import('node:fs');
  const run = applyChanges(folder, WRITES, COMMIT, {
    step: (label) => {
      if (label !== 'place stackyard.lock.json') return;
      writeFileSync(join(folder, 'src/auth/mine.ts'), 'mine');
      throw new Error('fault');
    },
  });
  await expect(run).rejects.toThrow('fault');
  const tree = await treeOf(folder);
  expect(Object.keys(tree).filter((path) => path.startsWith('src/auth/'))).toEqual([
    'src/auth/mine.ts',
  ]);
  expect(tree['.stackyard']).toBeUndefined();
});

test('a symlink that replaces a parent folder during the run is not followed', async () => {
  const folder = await project();
  const outside = await project({});
  const { renameSync, symlinkSync } = await import('node:fs');
  const run = applyChanges(folder, [write('src/x.ts', 'x')], COMMIT, {
    step: (label) => {
      if (label !== 'publish journal') return;
      renameSync(join(folder, 'src'), join(folder, 'src-old'));
      symlinkSync(outside, join(folder, 'src'));
    },
  });
  expect(await codeOf(run)).toBe('ERR_JOURNAL');
  expect(await treeOf(outside)).toEqual({});
});

test('refuses a .stackyard that is not a folder, or is a symlink', async () => {
  const file = await project({ '.stackyard': 'x' });
  expect(await codeOf(applyChanges(file, [], write('l', '')))).toBe('ERR_PATH_POLICY');
  const linked = await project({});
  const outside = await project({});
  await symlink(outside, join(linked, '.stackyard'));
  expect(await codeOf(applyChanges(linked, [], write('l', '')))).toBe('ERR_PATH_POLICY');
  expect(await treeOf(outside)).toEqual({});
});

test('does not stage through a symlinked tmp folder', async () => {
  const folder = await project({});
  const outside = await project({});
  await mkdir(join(folder, '.stackyard'));
  await symlink(outside, join(folder, '.stackyard/tmp'));
  expect(await codeOf(applyChanges(folder, [], write('l', '')))).toBe('ERR_PATH_POLICY');
  expect(await treeOf(outside)).toEqual({});
});

test('keeps files in .stackyard/ that are not ours', async () => {
  const folder = await project({ '.stackyard/notes': 'n', '.stackyard/.gitignore': 'mine\n' });
  const before = await treeOf(folder);
  await applyChanges(folder, [], write('l', ''));
  expect(await treeOf(folder)).toEqual({ ...before, l: expect.any(String) });
});

// Root may write anywhere, so a read-only folder proves nothing here; a full and a read-only file
// system refuse root as well.
test('a full disk rolls back', async (context) => {
  const folder = await project({});
  if (!mount(folder, 'size=256k')) return context.skip('SKIPPED: cannot mount a tmpfs');
  for (const [path, text] of Object.entries({ 'a.txt': 'a', l: 'l' })) {
    await writeFile(join(folder, path), text);
  }
  const before = await treeOf(folder);
  const big = { path: 'big', bytes: Buffer.alloc(400_000), executable: false, expected: undefined };
  const run = applyChanges(folder, [write('a.txt', 'b', 'a'), big], write('l', 'm', 'l'));
  await expect(run).rejects.toMatchObject({ code: 'ERR_WRITE', cause: { code: 'ENOSPC' } });
  expect(await treeOf(folder)).toEqual(before);
});

test('too few inodes for the folders roll back', async (context) => {
  const steps: string[] = [];
  const writes = [write('a.txt', 'b', 'a'), write('x/y/z/new', 'n')];
  // Room for the staging, then for an increasing number of the folders.
  for (let inodes = 8; inodes < 24; inodes++) {
    const folder = await project({});
    if (!mount(folder, `nr_inodes=${inodes}`)) return context.skip('SKIPPED: cannot mount a tmpfs');
    await writeFile(join(folder, 'a.txt'), 'a');
    const before = await treeOf(folder);
    const run = applyChanges(folder, writes, write('l', 'm'), {
      step: (label) => steps.push(label),
    });
    const failed = await run.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failed === undefined) continue;
    expect(failed).toMatchObject({ code: 'ERR_WRITE' });
    expect(await treeOf(folder)).toEqual(before);
  }
  expect(steps).toContain('remove folder x');
});

test('a read-only file system is an ERR_WRITE', async (context) => {
  const folder = await project({});
  if (!mount(folder, 'ro')) return context.skip('SKIPPED: cannot mount a tmpfs');
  await expect(applyChanges(folder, [], write('l', ''))).rejects.toMatchObject({
    code: 'ERR_WRITE',
    cause: { code: 'EROFS' },
  });
});

test('random writes with a fault at a random step give before or after', async () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((names) => `${names.join('/')}.f`);
  const text = fc.string({ maxLength: 8 });
  const texts = fc.dictionary(path, fc.tuple(text, fc.boolean()), {
    maxKeys: 6,
    noNullPrototype: true,
  });
  await fc.assert(
    fc.asyncProperty(texts, texts, text, fc.nat(60), async (there, wanted, lock, at) => {
      const files = Object.fromEntries(Object.entries(there).map(([p, [t]]) => [p, t]));
      const writes: FileChange[] = Object.entries(wanted).map(([p, [t, x]]) =>
        write(p, t, files[p], x),
      );
      const folder = await makeProject(files);
      const other = await makeProject(files);
      try {
        const before = await treeOf(folder);
        await applyChanges(other, writes, write('l', lock));
        const after = await treeOf(other);
        let count = 0;
        const fault = (): void => {
          if (count++ === at) throw new Error('fault');
        };
        const failed = await applyChanges(folder, writes, write('l', lock), { step: fault }).then(
          () => false,
          () => true,
        );
        const tree = await treeOf(folder);
        if (failed) expect(tree).toEqual(before);
        else expect(withoutWorkFolder(tree)).toEqual(after);
      } finally {
        await rm(folder, { recursive: true });
        await rm(other, { recursive: true });
      }
    }),
    { numRuns: runs(150) },
  );
});

/** After the commit an error only keeps the client from tidying, which the next run does. */
function withoutWorkFolder(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !path.startsWith('.stackyard')),
  );
}

function mount(folder: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder], { stdio: 'pipe' });
  } catch {
    console.warn(`SKIPPED: a tmpfs (${options}) cannot be mounted here`);
    return false;
  }
  onTestFinished(() => void execFileSync('umount', [folder]));
  return true;
}
