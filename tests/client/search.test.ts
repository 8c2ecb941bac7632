/** `search --fits` through the program; `tests/scripts/search.txt` has the rest. */
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
