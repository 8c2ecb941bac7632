/** A version that was withdrawn, in projects that have it and in those that ask for it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  bringUpToDate,
  makeProject,
  readProject,
  serveRegistry,
  stackyard,
} from '../client/registry-fixture.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Lock } from '../../format/project/lock.ts';

const PLACED = 'src/x/index.ts';
const GONE = 'its tarball is gone';

let url: string;
let project: string;
let withdraw: (...versions: string[]) => Promise<void>;

/** Runs with an empty cache: what was downloaded before is not there. */
function run(...args: string[]): Promise<Ended> {
  const variables = { STACKYARD_CACHE: join(temporaryFolder(), 'cache'), STACKYARD_REGISTRY: url };
  return stackyard([...args, '-C', project], variables);
}

function versions(): (string | undefined)[] {
  const lock = JSON.parse(readProject(project)['stackyard.lock.json'] ?? '{}') as Lock;
  return Object.values(lock.builds).map(({ version }) => version);
}

beforeEach(async () => {
  const git = new GitFixture();
  const at = { base: 'src/x', files: ['index.ts'] };
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    git.commit(build('a/x', version, at, { 'index.ts': `export const V = '${version}';\n` }));
  }
  for (const [version, range] of Object.entries({ '1.0.0': '^1.1.0', '1.1.0': '^1.0.0' })) {
    const needs = { base: 'src/y', files: ['index.ts'], builds: { 'a/x': range } };
    git.commit(build('b/y', version, needs, { 'index.ts': 'export const Y = 1;\n' }));
  }
  const served = await serveRegistry(git);
  ({ url } = served);
  project = makeProject();
  withdraw = async (...numbers) => {
    const reasons = Object.fromEntries(numbers.map((one) => [one, 'It has a key']));
    git.commit({ 'builds/a/owner.json': JSON.stringify({ withdrawn: { x: reasons } }) });
    await bringUpToDate(git, served.index);
  };
});

describe('a version that was withdrawn', () => {
  it('cannot be added or viewed, and the error names why and which one to use', async () => {
    await withdraw('1.1.0');
    for (const command of [['add'], ['info', '--files']]) {
      const refused = await run(...command, 'a/x@1.1.0');
      expect([refused.status, refused.stderr]).toEqual([
        3,
        `error: "a/x" 1.1.0 was withdrawn: "It has a key"\nhint: ${GONE}: use a/x@2.0.0\n`,
      ]);
    }
    expect(readProject(project)).not.toHaveProperty('stackyard.lock.json');
    expect((await run('add', 'a/x@^1.0.0', '--no-install')).status).toBe(0);
    expect(versions()).toEqual(['1.0.0']);
    const info = await run('info', 'a/x@1.1.0');
    expect(info.stdout).toContain('1.1.0 (withdrawn), latest 2.0.0');
    expect(info.stdout).toContain('2.0.0, 1.1.0 (withdrawn), 1.0.0');
  });

  it('is reported while it is installed, and update leaves it, also for a lower one', async () => {
    expect((await run('add', 'a/x@^1.0.0', '--no-install')).status).toBe(0);
    expect(versions()).toEqual(['1.1.0']);
    await withdraw('1.1.0');
    const outdated = await run('outdated', '--json');
    expect(JSON.parse(outdated.stdout)).toMatchObject({
      data: { builds: [{ current: '1.1.0', wanted: '1.0.0', status: { is: 'withdrawn' } }] },
    });
    expect((await run('outdated')).stdout).toContain('(withdrawn: It has a key)');
    expect((await run('doctor')).stdout).toContain('was withdrawn, and its tarball is gone');
    // The installed files are the base of no merge any more, and those without edits need none.
    const updated = await run('update', '--no-install');
    expect([updated.status, versions()]).toEqual([0, ['1.0.0']]);
    expect(readProject(project)[PLACED]).toBe("export const V = '1.0.0';\n");
  });

  it('stays with a warning where no other is in range, and edits of it are never lost', async () => {
    expect((await run('add', 'a/x@1.1.0', '--no-install')).status).toBe(0);
    await withdraw('1.1.0');
    const held = await run('update', '--no-install');
    expect([held.status, versions()]).toEqual([0, ['1.1.0']]);
    expect(held.stderr).toContain('was withdrawn, and its tarball is gone: It has a key');
    writeFileSync(join(project, PLACED), "export const V = 'mine';\n");
    const edited = await run('update', 'a/x@^1.0.0', '--no-install');
    expect([edited.status, edited.stderr]).toEqual([5, expect.stringContaining(PLACED)]);
    expect(readProject(project)[PLACED]).toBe("export const V = 'mine';\n");
  });

  it('cannot be restored from a lock: the error names the reason', async () => {
    expect((await run('add', 'a/x@1.1.0', '--no-install')).status).toBe(0);
    await withdraw('1.1.0', '1.0.0', '2.0.0');
    expect((await run('verify')).status).toBe(0);
    rmSync(join(project, PLACED));
    const refused = await run('install', '--no-install');
    expect([refused.status, refused.stderr]).toEqual([
      3,
      `error: "a/x" 1.1.0 was withdrawn: "It has a key"\nhint: ${GONE}, and the build has no other version: use another build\n`,
    ]);
    expect((await run('remove', 'a/x', '--no-install')).status).toBe(0);
  });

  it('is named where a build requires it, and those that admit another one are installed', async () => {
    await withdraw('1.1.0');
    const refused = await run('add', 'b/y@1.0.0');
    expect([refused.status, refused.stderr]).toEqual([
      3,
      `error: "b/y" 1.0.0 needs "a/x" ^1.1.0, but "a/x" 1.1.0 was withdrawn: "It has a key"\nhint: ${GONE}: use another version of "b/y", or another build\n`,
    ]);
    const added = await run('add', 'b/y', '--no-install');
    expect([added.status, versions()]).toEqual([0, ['1.0.0', '1.1.0']]);
  });
});
