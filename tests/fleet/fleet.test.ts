/** The inventory of repositories in folders and at addresses; `organisation.test.ts` has those of a code host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serveRegistry } from '../client/registry-fixture.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { installed, published, runFleet } from './fleet-fixture.ts';

it('folders, a list, and addresses that are no repository', async () => {
  const { url, index } = await serveRegistry(published());
  const work = new GitFixture();
  const files = await installed(url, 'bob/store');
  work.commit(files);
  const other = new GitFixture(undefined, work);
  const folder = temporaryFolder();
  const nothing = join(folder, 'nothing');
  mkdirSync(nothing);
  const list = join(folder, 'list.txt');
  writeFileSync(
    list,
    `# ours\n\n${work.folder}\nfile://${other.folder}\n${nothing}\nhttp://127.0.0.1:1/x.git\n`,
  );
  const out = join(folder, 'fleet');
  const { status, fleet } = await runFleet(out, '--source', list, '--registry', index);
  expect(status).toBe(1);
  const rows = Object.values(fleet.repositories).map(({ address, state, projects }) => [
    address,
    state,
    projects.length,
  ]);
  expect(new Set(rows)).toEqual(
    new Set([
      [work.folder, 'read', 1],
      [`file://${other.folder}`, 'read', 1],
      [nothing, 'failed', 0],
      ['http://127.0.0.1:1/x.git', 'failed', 0],
    ]),
  );
  const builds = Object.values(fleet.repositories).flatMap(({ projects }) =>
    projects.map((one) => one.builds['bob/store']!),
  );
  expect(builds[0]).toEqual(builds[1]);
  expect(builds[0]!.edits).toBe(0);

  for (const source of ['ext::sh -c id', 'gitea:acme', '--upload-pack=id', join(folder, 'none')]) {
    const refused = await runFleet(join(folder, 'other'), `--source=${source}`);
    expect([refused.status, existsSync(join(folder, 'other'))], source).toEqual([2, false]);
  }
});

it('the page escapes what repositories say', async () => {
  const { url } = await serveRegistry(published());
  const work = new GitFixture();
  const files = await installed(url, 'bob/store');
  const bad = '<script>alert(1)</script>';
  work.commit({ [`${bad}/stackyard.lock.json`]: files['stackyard.lock.json']! });
  const out = join(temporaryFolder(), 'fleet');
  expect((await runFleet(out, '--source', work.folder)).status).toBe(0);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page).not.toContain('<script');
  expect(page).toContain('&lt;script&gt;');
});
