/** Builds that are tried before they are published: from a folder or a tarball. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { parseLock } from '../../format/project/lock.ts';
import { GitFixture, build, manifest, temporaryFolder } from '../generate/git-fixture.ts';
import type { Ended } from '../run/script-process.ts';
import { bringUpToDate, readProject, serveRegistry, stackyard } from './registry-fixture.ts';

let git: GitFixture;
let index: string;
let url: string;
let root: string;
let project: string;
const CODE = 'src/dates/src/index.ts';

beforeEach(async () => {
  git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
  ({ url, index } = await serveRegistry(git));
  root = temporaryFolder();
  project = join(root, 'app');
  write('app/package.json', '{\n  "name": "app"\n}\n');
  writeDates('1.0.0', "export const day = 'local';\n");
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writeDates(version: string, code: string): void {
  write(
    'dates/stackyard.json',
    manifest('dates', version, { base: 'src/dates', builds: { 'b/db': '^1.0.0' } }),
  );
  write('dates/LICENSE', 'MIT License\n');
  write('dates/README.md', '# dates\n');
  write('dates/src/index.ts', code);
}

/** The files of the folder, as a commit of the registry has them. */
function publishDates(): void {
  const files = Object.entries(readProject(join(root, 'dates')));
  git.commit(Object.fromEntries(files.map(([path, text]) => [`builds/alice/dates/${path}`, text])));
}

async function run(...words: string[]): Promise<Ended> {
  return stackyard([...words, '-C', 'app', '--registry', url], {}, undefined, root);
}

async function pack(): Promise<string> {
  await stackyard(['pack', 'dates', '--out', 'dates.tgz'], {}, undefined, root);
  return integrityOf(readFileSync(join(root, 'dates.tgz')));
}

async function failed(
  ...words: string[]
): Promise<{ status: number | null; code: string; message: string; hint: string }> {
  const before = readProject(project);
  const { status, stdout } = await run(...words, '--json');
  expect(readProject(project)).toEqual(before);
  return {
    status,
    ...(JSON.parse(stdout) as { error: { code: string; message: string; hint: string } }).error,
  };
}

describe('add of a folder', () => {
  it('installs it with its requirements, again after a change, and update replaces it by the published version', async () => {
    const added = await run('add', './dates', '--owner', 'alice', '--no-install');
    expect([added.status, added.stderr]).toEqual([0, '']);
    expect(added.stdout).toContain('alice/dates 1.0.0 from ../dates');
    expect(added.stdout).toContain(`b/db 1.0.0 from ${url}, required by alice/dates`);
    expect((await run('list')).stdout).toContain(
      'alice/dates 1.0.0  in src/dates  (requested ^1.0.0)  from ../dates',
    );
    expect((await run('add', './dates', '--owner', 'alice', '--no-install')).stdout).toContain(
      'unchanged since',
    );

    writeDates('1.0.0', "export const day = 'second';\n");
    await run('add', './dates', '--owner', 'alice', '--no-install');
    expect(readFileSync(join(project, CODE), 'utf8')).toContain('second');

    const outdated = await run('outdated', '--exit-code');
    expect([outdated.status, outdated.stdout]).toEqual([
      0,
      'alice/dates 1.0.0  from ../dates, the registry has no such version or a newer one yet\n',
    ]);
    write(`app/${CODE}`, 'export const day =\n  "second"\n');
    const formatted = await run('verify', '--verbose');
    expect([formatted.status, formatted.stdout]).toEqual([
      0,
      expect.stringContaining(`reformatted  ${CODE}  (alice/dates)`),
    ]);
    write(`app/${CODE}`, 'export const day =\n  "third"\n');
    expect((await run('verify')).stdout).toContain(`edited  ${CODE}  (alice/dates)`);
    write(`app/${CODE}`, "export const day = 'second';\n");

    const waiting = await run('update', '--no-install');
    expect([waiting.status, waiting.stderr]).toEqual([
      0,
      expect.stringContaining('stays from "../dates"'),
    ]);
    publishDates();
    await bringUpToDate(git, index);
    expect((await run('outdated')).stdout).toContain(
      'alice/dates 1.0.0  from ../dates, published: stackyard update alice/dates replaces it\n',
    );
    rmSync(join(root, 'dates'), { recursive: true });
    const updated = await run('update', '--no-install');
    expect([updated.status, updated.stderr]).toEqual([0, '']);
    expect(readFileSync(join(project, 'stackyard.lock.json'), 'utf8')).not.toContain('"source"');
    expect((await run('verify')).status).toBe(0);
  });

  it('is compared, restored and refused by install as its place allows', async () => {
    await run('add', './dates', '--owner', 'alice', '--no-install');
    write(`app/${CODE}`, "export const day = 'mine';\n");
    expect((await run('diff')).stdout).toContain("-export const day = 'local';");
    rmSync(join(project, CODE));
    expect((await run('install', '--no-install')).status).toBe(0);
    expect(readFileSync(join(project, CODE), 'utf8')).toContain('local');

    rmSync(join(project, CODE));
    write('dates/src/index.ts', "export const day = 'changed';\n");
    const changed = await failed('install', '--no-install');
    expect(changed).toMatchObject({ status: 6, code: 'ERR_INTEGRITY' });
    expect(changed.message).toContain('Cannot restore "alice/dates": "../dates" is sha256-');
    rmSync(join(root, 'dates'), { recursive: true });
    const gone = await failed('install', '--no-install');
    expect(gone.message).toContain(
      'Cannot restore "alice/dates" from "../dates", which the lock names',
    );
    expect(gone.hint).toContain('exists only where it was made');
  });

  it('refuses folders that the registry would refuse', async () => {
    const cases: [string, () => void, string][] = [
      ['./nothing', () => {}, 'neither a folder nor a file'],
      ['./empty', () => mkdirSync(join(root, 'empty')), 'stackyard.json'],
      ['./dates', () => symlinkSync('/etc/hosts', join(root, 'dates/src/link')), 'link'],
    ];
    for (const [place, prepare, message] of cases) {
      prepare();
      const refused = await failed('add', place, '--no-install');
      expect([place, refused.message]).toEqual([place, expect.stringContaining(message)]);
      expect(refused.hint).not.toBe('');
    }
    rmSync(join(root, 'dates/src/link'));
    write('dates/stackyard.json', '{ "name": "dates" }\n');
    expect(await failed('add', './dates', '--no-install')).toMatchObject({
      status: 6,
      code: 'ERR_ARCHIVE',
    });
  });
});

describe('add of a tarball', () => {
  it('installs a file, and names the owner that an update would need', async () => {
    const integrity = await pack();
    const added = await run('add', './dates.tgz', '--no-install');
    expect([added.status, added.stderr]).toEqual([
      0,
      expect.stringContaining('with --owner <login>'),
    ]);
    const lock = JSON.parse(readFileSync(join(project, 'stackyard.lock.json'), 'utf8')) as object;
    expect(lock).toMatchObject({
      builds: { 'local/dates': { source: '../dates.tgz', integrity } },
    });
  });

  it('that a lock of an earlier version has from an address is refused with the way back', async () => {
    await pack();
    await run('add', './dates.tgz', '--owner', 'alice', '--no-install');
    const lock = readProject(project)[LOCK_FILE]!;
    const address = 'https://host.example/dates.tgz';
    write(`app/${LOCK_FILE}`, lock.replace('../dates.tgz', address));
    expect((await run('list')).stdout).toContain(`from ${address}`);
    rmSync(join(project, CODE));
    const refused = await failed('install', '--no-install');
    expect(refused.message).toContain(`Cannot restore "alice/dates" from "${address}"`);
    expect(refused.hint).toContain('"stackyard add" it again');
    expect(await failed('add', address)).toMatchObject({ status: 2, code: 'ERR_USAGE' });
  });

  it('refuses what is no tarball, and options without a local build', async () => {
    write('text.tgz', 'hello');
    expect(await failed('add', './text.tgz')).toMatchObject({ status: 6, code: 'ERR_ARCHIVE' });
    expect(await failed('add', './dates', '--owner', 'Not An Owner')).toMatchObject({ status: 2 });
    expect(await failed('add', 'b/db', '--owner', 'alice')).toMatchObject({
      status: 2,
      code: 'ERR_USAGE',
    });
  });
});

describe('a local build where no registry answers', () => {
  /** Nobody listens there. */
  const nowhere = { STACKYARD_REGISTRY: 'http://127.0.0.1:1' };
  const add = (words: readonly string[], variables = nowhere): Promise<Ended> =>
    stackyard(
      ['add', ...words, '--owner', 'alice', '--no-install', '-C', 'app'],
      { STACKYARD_CACHE: join(root, 'cache'), ...variables },
      undefined,
      root,
    );

  it('is installed, replaced and removed, also with --offline, when it requires nothing', async () => {
    write('dates/stackyard.json', manifest('dates', '1.0.0', { base: 'src/dates' }));
    for (const more of [[], ['--offline']]) {
      const added = await add(['./dates', ...more]);
      expect([added.status, added.stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(readProject(project)[CODE]).toBe("export const day = 'local';\n");
      const lock = parseLock(Buffer.from(readProject(project)[LOCK_FILE]!), LOCK_FILE);
      expect(lock.registries).toEqual({ default: { address: 'http://127.0.0.1:1' } });
      writeDates('1.0.1', "export const day = 'newer';\n");
      write('dates/stackyard.json', manifest('dates', '1.0.1', { base: 'src/dates' }));
      expect((await add(['./dates', ...more])).status).toBe(0);
      expect(readProject(project)[CODE]).toBe("export const day = 'newer';\n");
      const removed = await stackyard(
        ['remove', 'alice/dates', '-C', 'app'],
        nowhere,
        undefined,
        root,
      );
      expect(removed.status).toBe(0);
      expect(readProject(project)).not.toHaveProperty([CODE]);
      writeDates('1.0.0', "export const day = 'local';\n");
      write('dates/stackyard.json', manifest('dates', '1.0.0', { base: 'src/dates' }));
    }
  });

  it('is installed beside builds of a registry that answers no more', async () => {
    expect((await run('add', 'b/db', '--no-install')).status).toBe(0);
    write('dates/stackyard.json', manifest('dates', '1.0.0', { base: 'src/dates' }));
    const lock = readProject(project)[LOCK_FILE]!;
    write('app/stackyard.lock.json', lock.replace(url, nowhere.STACKYARD_REGISTRY));
    expect((await add(['./dates'], { STACKYARD_REGISTRY: '' })).status).toBe(0);
    expect(readProject(project)).toHaveProperty([CODE]);
  });

  it('is refused when it requires a build of the registry', async () => {
    const refused = await add(['./dates']);
    expect([refused.status, refused.stderr]).toEqual([7, expect.stringContaining('Cannot reach')]);
    expect(readProject(project)).not.toHaveProperty(['stackyard.lock.json']);
  });
});
