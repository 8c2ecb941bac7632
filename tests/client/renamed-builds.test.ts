/** Names decide nothing: the same builds under other names resolve alike, from a generated registry on. */
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

/** `a/top` needs both, of which only one can have its highest version: the one that it names first. */
async function chosen(first: string, second: string): Promise<Record<string, string>> {
  const git = new GitFixture();
  git.commit(build('a/core', '1.0.0', { base: 'src/core' }));
  git.commit(build('a/core', '2.0.0', { base: 'src/core' }));
  for (const [id, core] of [
    [first, '^1.0.0'],
    [second, '^2.0.0'],
  ] as const) {
    const base = `src/${id.slice(2)}`;
    git.commit(build(id, '1.0.0', { base }));
    git.commit(build(id, '2.0.0', { base, builds: { 'a/core': core } }));
  }
  const builds = { [first]: '*', [second]: '*' };
  git.commit(build('a/top', '1.0.0', { base: 'src/top', builds }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const args = ['add', '--dry-run', 'a/top', '-C', project, '--registry', url, '--json'];
  const { status, stdout } = await stackyard(args);
  expect(status).toBe(0);
  const { data } = JSON.parse(stdout) as {
    data: { plan: { builds: { id: string; version: string }[] } };
  };
  return Object.fromEntries(data.plan.builds.map(({ id, version }) => [id, version]));
}

it('prefers what a manifest names first, whatever it is called', async () => {
  const rest = { 'a/core': '1.0.0', 'a/top': '1.0.0' };
  expect(await chosen('a/b', 'a/z')).toEqual({ ...rest, 'a/b': '2.0.0', 'a/z': '1.0.0' });
  expect(await chosen('a/z', 'a/b')).toEqual({ ...rest, 'a/z': '2.0.0', 'a/b': '1.0.0' });
});
