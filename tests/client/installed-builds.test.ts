/** `list` and `outdated` through the program. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { editHead } from './edit-head.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';
import { restate } from './state-files.ts';

async function installed(): Promise<{ git: GitFixture; project: string }> {
  const git = new GitFixture();
  git.commit(build('b/db', '1.0.0', { base: 'src/db', license: 'ISC' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  const added = await stackyard([
    'add',
    'a/web',
    '-C',
    project,
    '--registry',
    url,
    '--allow',
    'root',
  ]);
  expect(added.status).toBe(0);
  return { git, project };
}

describe('outdated', () => {
  it('reports wanted, latest, yanked, deprecated and missing versions', async () => {
    const { git, project } = await installed();
    git.commit(build('b/db', '1.2.0', { base: 'src/db' }));
    git.commit(build('b/db', '2.0.0', { base: 'src/db' }));
    git.commit(build('b/db', '2.1.0-rc.1', { base: 'src/db' }));
    const owner = {
      account_id: 1,
      maintainers: [],
      yanked: { web: { '1.0.0': 'leaks' } },
      deprecated: { web: { reason: 'old' } },
    };
    git.commit({ 'builds/a/owner.json': JSON.stringify(owner) });
    const { url } = await serveRegistry(git);
    const args = ['outdated', '-C', project, '--registry', url];
    const result = await stackyard(args);
    expect([result.status, result.stdout]).toEqual([
      0,
      'a/web 1.0.0  wanted 1.0.0, latest 1.0.0  (yanked: leaks; deprecated: old)\n' +
        'b/db 1.0.0  wanted 1.2.0, latest 2.0.0: "a/web" 1.0.0 needs "b/db" ^1.0.0\n',
    ]);
    expect((await stackyard([...args, '--exit-code'])).status).toBe(10);
    const other = new GitFixture();
    other.commit(build('c/c', '1.0.0'));
    const gone = await serveRegistry(other, git);
    const lost = await stackyard(['outdated', '-C', project, '--registry', gone.url]);
    expect(lost.stdout).toContain('the registry does not have it any more');
  });

  it('does not count a later version that differs in build metadata only', async () => {
    const { git, project } = await installed();
    const { url, index } = await serveRegistry(git);
    const file = join(index, 'heads/b/db.json');
    const repetition = { version: '1.0.0+evil', published_at: '2999-01-01T00:00:00.000Z' };
    const head = editHead(readFileSync(file), (one) => {
      one.versions.unshift({ ...one.versions[0]!, ...repetition });
      one.latest = '1.0.0+evil';
    });
    writeFileSync(file, head);
    restate(index);
    const at = ['-C', project, '--registry', url];
    const result = await stackyard(['outdated', ...at]);
    expect([result.status, result.stdout]).toEqual([0, 'All builds are up to date\n']);
    const updated = await stackyard(['update', ...at, '--json']);
    expect([updated.status, JSON.parse(updated.stdout)]).toMatchObject([0, { status: 'noop' }]);
    const viewed = await stackyard(['info', '--files', 'b/db', '--registry', url, '--json']);
    expect(JSON.parse(viewed.stdout)).toMatchObject({ data: { version: '1.0.0' } });
  });
});

it.each([['outdated'], ['list', 'x'], ['verify'], ['diff'], ['remove', 'a/x'], ['update', 'a/x']])(
  '%s reports a project without builds',
  async (...args) => {
    const ended = await stackyard([...args, '-C', makeProject()]);
    expect([ended.status, ended.stdout]).toEqual([9, '']);
    expect(ended.stderr).toContain('no build is installed here yet');
  },
);

it('verify distinguishes line ends that a checkout changed from edits', async () => {
  const git = new GitFixture();
  git.commit(build('a/web', '1.0.0', {}, { 'src/a.ts': '1;\n2;\n', 'src/b.ts': '1;\n' }));
  const { url } = await serveRegistry(git);
  const project = makeProject();
  await stackyard(['add', 'a/web', '-C', project, '--registry', url, '--allow', 'root']);
  writeFileSync(join(project, 'src/a.ts'), '1;\r\n2;\r\n');
  writeFileSync(join(project, 'src/b.ts'), '2;\r\n');
  const result = await stackyard(['verify', '-C', project]);
  expect([result.status, result.stdout]).toEqual([
    0,
    'edited  src/b.ts  (a/web)\nbuilds: 1, files: 4, edited: 1, reformatted: 1\n',
  ]);
  const { stdout } = await stackyard(['verify', '-C', project, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    data: { differences: [{ path: 'src/b.ts' }], reformatted: [{ path: 'src/a.ts' }] },
  });
});
