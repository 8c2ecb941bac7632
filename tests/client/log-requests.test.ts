/** What installs request of a registry with a log: little at first, then only its checkpoint. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { Scenario, expectDone, lockedLog } from './log-scenario.ts';
import { makeProject, serveChanged, stackyard } from './registry-fixture.ts';

it('an install requests only the checkpoint again while nothing is published', async () => {
  const scenario = await Scenario.begin();
  const before = scenario.copy();
  // More entries than the client reads when it sees a log for the first time.
  const many = Array.from({ length: 258 }, (_, n) => build(`b/x${n}`, '1.0.0'));
  scenario.git.commit(Object.assign({}, ...many) as Record<string, string>);
  await scenario.publish();
  const requested: string[] = [];
  const url = await serveChanged(scenario.index, (request) => {
    requested.push(request.url!);
    return false;
  });
  const variables = { STACKYARD_STATE: temporaryFolder(), STACKYARD_CACHE: temporaryFolder() };
  const install = async (): Promise<string[]> => {
    requested.length = 0;
    const place = ['-C', makeProject(), '--registry', url, '--no-install'];
    const ended = await stackyard(['add', 'a/y', ...place], variables);
    expect([ended.status, ended.stderr]).toEqual([0, expect.anything()]);
    return requested.toSorted();
  };
  const named = (paths: readonly string[], folder: string): number =>
    paths.filter((path) => path.startsWith(`/${folder}/`)).length;
  const cold = await install();
  // registry.json, head and the document of the version; the root of the map and their leaves.
  expect(named(cold, 'documents')).toBe(3);
  expect(named(cold, 'log/map')).toBeLessThanOrEqual(3);
  expect(named(cold, 'log/map-entries')).toBe(1);
  expect(cold.filter((path) => !/^\/(?:documents|log\/map|log\/map-entries)\//.test(path))).toEqual(
    [
      '/builds/a/y/1.0.0.tgz',
      '/log/checkpoint',
      // The last tile of each level is needed for the last entry, the first for that of the version.
      '/log/tile/0/000',
      '/log/tile/0/001.p/6',
      '/log/tile/1/000.p/1',
    ],
  );
  expect(await install()).toEqual(['/log/checkpoint']);
  scenario.git.commit(build('a/z', '1.0.0'));
  await scenario.publish();
  const grown = await install();
  expect(grown).toContain('/log/tile/0/001.p/8');
  expect(grown.filter((path) => path.includes('/entries/'))).toEqual([]);
  expect(await install()).toEqual(['/log/checkpoint']);
  // A cache may serve a checkpoint from before the first tile was full.
  rmSync(join(before, 'log/tile'), { recursive: true });
  scenario.serve(before);
  expect(existsSync(join(scenario.index, 'log/tile/0/000.p'))).toBe(false);
  await expectDone(scenario, ['add', 'a/x']);
  expect(lockedLog(scenario.project, 'a/x')!.checkpoint).toMatch(/^registry\.example\/log\n3\n/);
});
