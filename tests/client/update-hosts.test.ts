/** `stackyard update --pull-request` with real git over HTTP, at the API of each code host. */
import { expect, it } from 'vitest';
import { advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { GitFixture, temporaryFolder } from '../generate/git-fixture.ts';
import { CHANGELOG, KINDS, STORE, Team, store, web } from './update-host.ts';

it.each(KINDS)('opens, refreshes and closes its own requests at %s', async (kind) => {
  const team = await Team.open(kind);
  const { host } = team;
  expect((await team.update()).states).toEqual({});
  await team.publish({
    ...store('1.1.0', ['export const a = 2;', ...STORE.slice(1)], { 'CHANGELOG.md': CHANGELOG }),
    ...web('1.1.0'),
  });
  await team.publish(advisoryFile({ affected: affects('bob/store', '0', '1.1.0') }));

  host.faults.push({ status: 429, headers: { 'retry-after': '0' } });
  const first = await team.update();
  expect(first.isRestored).toBe(true);
  expect([first.status, first.states], first.stderr + first.stdout).toEqual([
    0,
    { 'bob-store': 'opened', 'alice-web': 'opened' },
  ]);
  const [request] = host.of('bob-store');
  expect(request).toMatchObject({
    base: 'main',
    title: 'Update bob/store to 1.1.0',
    isDraft: false,
    state: 'open',
  });
  expect([...request!.labels].sort()).toEqual(['dependencies', 'security']);
  expect([...host.of('alice-web')[0]!.labels]).toEqual(['dependencies']);
  expect(request!.body).toContain('| `bob/store` | 1.0.0 | 1.1.0 |');
  expect(request!.body).toContain('`x_STACKYARD-2026-0001` in `bob/store`');
  // What a publisher wrote stays in its fence.
  expect(request!.body).toContain('``````text\n- Closes the hole, @everyone `````\n``````');
  for (const id of ['bob/store', 'alice/web']) {
    expect(team.branch(id.replace('/', '-'))).toEqual(await team.byHand(id));
  }

  host.changes.length = 0;
  const tips = host.git('for-each-ref');
  expect((await team.update()).states).toEqual({
    'bob-store': 'unchanged',
    'alice-web': 'unchanged',
  });
  expect([host.changes, host.git('for-each-ref')]).toEqual([[], tips]);

  // A newer version, and a base that moved: one commit on the new base.
  await team.publish(store('1.2.0', ['export const a = 3;', ...STORE.slice(1)]));
  team.commit({
    'src/store/index.ts': [...STORE.slice(0, 4), 'export const z = 9;', ''].join('\n'),
  });
  expect((await team.update()).states).toEqual({
    'bob-store': 'refreshed',
    'alice-web': 'refreshed',
  });
  expect(host.of('bob-store')).toHaveLength(1);
  expect(host.of('bob-store')[0]!.title).toBe('Update bob/store to 1.2.0');
  expect(host.git('rev-list', '--count', 'main..stackyard/update/bob-store')).toBe('1');
  expect(host.git('merge-base', 'main', 'stackyard/update/bob-store')).toBe(team.project.head);
  const merged = team.branch('bob-store');
  expect(merged['src/store/index.ts']).toBe(
    ['export const a = 3;', '', '', '', 'export const z = 9;', ''].join('\n'),
  );
  expect(merged).toEqual(await team.byHand('bob/store'));

  // A person changes a branch: also where the message stays the same.
  const work = new GitFixture(temporaryFolder());
  work.git('remote', 'add', 'origin', host.bare);
  work.git('fetch', '-q', 'origin', 'stackyard/update/alice-web');
  work.git('reset', '-q', '--hard', 'FETCH_HEAD');
  work.write({ 'src/web/index.ts': '// by hand\n' });
  work.gitAll(['add', '-A'], ['commit', '-q', '--amend', '--no-edit']);
  work.git('push', '-q', '-f', 'origin', 'HEAD:refs/heads/stackyard/update/alice-web');
  await team.publish(web('1.3.0'));
  const edited = host.git('rev-parse', 'stackyard/update/alice-web');
  expect((await team.update()).states).toEqual({
    'bob-store': 'unchanged',
    'alice-web': 'edited',
  });
  expect(host.git('rev-parse', 'stackyard/update/alice-web')).toBe(edited);

  // Main gets the version: the request has no purpose any more.
  team.commit(merged, 'Update by hand');
  const closed = await team.update('bob/store');
  expect(closed.isRestored).toBe(true);
  expect(closed.states).toEqual({ 'bob-store': 'closed' });
  expect(host.of('bob-store')[0]).toMatchObject({
    state: 'closed',
    comments: [expect.stringContaining('base branch')],
  });
  expect(host.branches()).toEqual(['main', 'stackyard/update/alice-web']);
});

it('conflicts stand between markers in a draft; limits, ignored builds and a dry run open nothing', async () => {
  const team = await Team.open('github', { ignore: ['alice/*'], limit: 1 });
  team.commit({ 'src/store/index.ts': 'export const a = 7;\n' });
  await team.publish({
    ...store('1.1.0', ['export const a = 2;', 'export const z = 3;', '']),
    ...web('1.1.0'),
  });
  expect((await team.update('--dry-run')).states).toEqual({ 'bob-store': 'planned' });
  expect([team.host.requests, team.host.branches()]).toEqual([[], ['main']]);
  expect(await team.update()).toMatchObject({
    states: { 'bob-store': 'opened' },
    isRestored: true,
  });
  const [draft] = team.host.of('bob-store');
  expect(draft).toMatchObject({ isDraft: true });
  expect(draft!.body).toContain('- `src/store/index.ts`');
  expect(team.branch('bob-store')).toEqual(await team.byHand('bob/store'));
  expect(team.branch('bob-store')['src/store/index.ts']).toMatch(/^<{7}/m);

  team.commit({ 'stackyard.updates.json': JSON.stringify({ limit: 1 }) });
  expect((await team.update()).states).toEqual({
    'bob-store': 'refreshed',
    'alice-web': 'waiting',
  });
});
