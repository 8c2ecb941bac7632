/** `search --fits` through the program; `tests/scripts/search.txt` has the rest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

async function search(args: readonly string[]): Promise<unknown> {
  const { stdout } = await stackyard(['search', ...args, '--json']);
  return (JSON.parse(stdout) as { data: unknown }).data;
}

it('with --fits returns the newest version that fits, with the risk of that version', async () => {
  const git = new GitFixture();
  git.commit(build('a/web', '1.0.0', { description: 'Serves' }));
  git.commit(build('a/web', '1.1.0', { description: 'Serves' }));
  git.commit(
    build('a/web', '2.0.0', { description: 'Serves', stack: { requires: { node: '>=900' } } }),
  );
  git.commit(build('a/never', '1.0.0', { stack: { requires: { node: '>=900' } } }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const args = ['--fits', '-C', project, '--registry', url];
  const fitting = { id: 'a/web', version: '1.1.0', latest: '2.0.0', installed: false };
  const found = await search(['serves', ...args]);
  expect(found).toMatchObject({ builds: [fitting], total: 1, matching: 1, looked_at: 1 });
  // Without words: of all builds.
  const all = await search(args);
  expect(all).toMatchObject({ builds: [fitting], total: 1, matching: 2, looked_at: 2 });
  const first = await stackyard(['search', ...args, '--limit', '1']);
  expect(first.stdout).toMatch(/^a\/web 1\.1\.0 .* newest that fits \(latest is 2\.0\.0\)$/m);
  const place = ['-C', project, '--registry', url, '--no-install', '--allow', 'root'];
  await stackyard(['add', 'a/web@1.0.0', ...place]);
  const installed = { id: 'a/web', version: '1.0.0', installed: true };
  expect(await search(args)).toMatchObject({ builds: [installed] });
  const none = await stackyard(['search', 'never', ...args]);
  expect([none.status, none.stdout]).toEqual([
    0,
    'None of 1 found could be added to this project: "stackyard add <build> --dry-run" shows why\n',
  ]);
});

it('with --fits lists what is for the framework and the database of the project first', async () => {
  const git = new GitFixture();
  const needs: Record<string, Record<string, string>> = {
    'a/any': { typescript: '*' },
    'a/koa': { koa: '*' },
    'a/routes': { express: '^5.0.0' },
    'a/tables': { database: '*', express: '^5.0.0' },
  };
  for (const [id, requires] of Object.entries(needs)) {
    git.commit(build(id, '1.0.0', { description: 'Serves', stack: { requires } }));
  }
  git.commit(build('a/sql', '1.0.0', { base: 'src/sql', stack: { provides: ['database'] } }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const packages = { dependencies: { express: '^5.0.0', typescript: '^6.0.0' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(packages));
  const place = ['-C', project, '--registry', url];
  await stackyard(['add', 'a/sql', ...place, '--no-install', '--allow', 'root']);
  const { builds } = (await search(['serves', '--fits', ...place])) as { builds: { id: string }[] };
  expect(builds.map(({ id }) => id)).toEqual(['a/tables', 'a/routes', 'a/any']);
});
