/** A run from a partial clone, `git clone --filter=blob:none`: it fetches what it reads at once, and nothing else. */
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

interface Cloned {
  readonly origin: GitFixture;
  readonly remote: string;
  readonly clone: string;
}

function cloned(filter = 'blob:none'): Cloned {
  const origin = new GitFixture();
  origin.commit({ 'registry.config.json': '{}\n', 'docs/large.md': 'x'.repeat(5_000) });
  for (const id of ['alice/web', 'bob/tool', 'carol/mail']) origin.commit(build(id, '1.0.0'));
  const remote = join(temporaryFolder(), 'remote.git');
  git('.', 'clone', '-q', '--bare', origin.folder, remote);
  git(remote, 'config', 'uploadpack.allowFilter', 'true');
  git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const clone = join(temporaryFolder(), 'clone.git');
  git('.', 'clone', '-q', '--bare', `--filter=${filter}`, pathToFileURL(remote).href, clone);
  return { origin, remote, clone };
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Every fetch of promised objects makes a pack. */
function fetches(clone: string): number {
  const packs = readdirSync(join(clone, 'objects/pack'));
  return packs.filter((name) => name.endsWith('.promisor')).length;
}

function missing(clone: string): number {
  const listed = git(clone, 'rev-list', '--objects', '--missing=print', 'HEAD');
  return listed.split('\n').filter((line) => line.startsWith('?')).length;
}

it('fetches what a full and an incremental run read in one request each', async () => {
  const { origin, remote, clone } = cloned();
  const out = join(temporaryFolder(), 'index');
  const before = fetches(clone);
  await generate({ repo: clone, out, threads: 2 });
  // The configuration is read first, to know what is read at all.
  expect(fetches(clone) - before).toBe(2);
  // Files that belong to no build stay where they are.
  expect(missing(clone)).toBe(1);

  for (const id of ['alice/web', 'bob/tool', 'carol/mail']) origin.commit(build(id, '1.1.0'));
  git(origin.folder, 'push', '-q', remote, 'main');
  git(clone, 'fetch', '-q', 'origin', '+refs/heads/*:refs/heads/*');
  const fetched = fetches(clone);
  const report = await generate({ repo: clone, out, threads: 2 });
  expect(report).toMatchObject({ isFull: false, published: 3 });
  expect(fetches(clone) - fetched).toBe(1);

  const whole = join(temporaryFolder(), 'index');
  await generate({ repo: origin.folder, out: whole, threads: 1 });
  expect(readTree(out)).toEqual(readTree(whole));
});

it('reports a remote that is gone, with what to do, and writes nothing', async () => {
  const { remote, clone } = cloned();
  const out = join(temporaryFolder(), 'index');
  // The configuration is there already.
  git(clone, 'cat-file', '-p', 'HEAD:registry.config.json');
  renameSync(remote, `${remote}.gone`);
  await expect(generate({ repo: clone, out, threads: 1 })).rejects.toMatchObject({
    code: 'ERR_GIT',
    message: expect.stringMatching(/^Cannot fetch \d+ objects from "origin"/),
    hint: expect.stringContaining('whole clone'),
  });
  expect(readdirSync(out)).toEqual([]);
});

it('refuses a clone without folders, with the commands that fix it', async () => {
  const { clone } = cloned('tree:0');
  const out = join(temporaryFolder(), 'index');
  await expect(generate({ repo: clone, out, threads: 1 })).rejects.toMatchObject({
    code: 'ERR_TREELESS_CLONE',
    hint: expect.stringContaining('"git fetch --refetch origin"'),
  });
  expect(readdirSync(out)).toEqual([]);
  git(clone, 'config', 'remote.origin.partialclonefilter', 'blob:none');
  git(clone, 'fetch', '-q', '--refetch', 'origin');
  await expect(generate({ repo: clone, out, threads: 1 })).resolves.toMatchObject({ published: 3 });
});
