/** What `stackyard update --pull-request` refuses, and what it does not open again; `update-hosts.test.ts` has the rest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stackyard } from './registry-fixture.ts';
import { Team, store, web } from './update-host.ts';

it('a request that a person closed stays closed until there is a newer version', async () => {
  const team = await Team.open('github', { groups: { all: ['*'] } });
  await team.publish({ ...store('1.1.0', ['export const a = 2;', '']), ...web('1.1.0') });
  expect((await team.update()).states).toEqual({ all: 'opened' });
  const [request] = team.host.of('all');
  expect(request!.title).toBe('Update all: alice/web, bob/store');
  request!.state = 'closed';
  expect((await team.update()).states).toEqual({ all: 'declined' });
  await team.publish(web('1.2.0'));
  expect((await team.update()).states).toEqual({ all: 'opened' });
});

it('refuses files that are not committed, wrong settings, and a run without a token', async () => {
  const team = await Team.open('github');
  const file = join(team.project.folder, 'package.json');
  const text = readFileSync(file, 'utf8');
  team.project.write({ 'package.json': `${text}\n` });
  expect((await team.update()).stdout).toContain('files that are not committed');
  team.project.write({ 'package.json': text });
  const variables = { STACKYARD_CACHE: team.cache, STACKYARD_REGISTRY: team.url, GITHUB_TOKEN: '' };
  const open = ['update', '--pull-request', '-C', team.project.folder];
  const without = await stackyard(open, variables);
  expect(without.stderr).toContain('There is no token for the code host');
  team.commit({ 'stackyard.updates.json': '{ "limit": "many" }' });
  const wrong = await team.update();
  expect(wrong.stdout).toContain('"stackyard.updates.json');
  expect(wrong.stdout).toContain('ERR_PROJECT_FILE');
});
