/** An advisory from its pull request to a warning in a project that has the build installed, without network. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import {
  bringUpToDate,
  makeProject,
  readProject,
  serveRegistry,
  stackyard,
} from '../client/registry-fixture.ts';
import { GateFixture, build } from '../publish/gate-fixture.ts';
import { ADVISORY, advisoryFile, affects } from './advisory-fixture.ts';

const ID = 'alice/web-forms';

it('an advisory reaches an installed project, and its owner ignores or follows it', async () => {
  const gate = new GateFixture();
  const { index, url } = await serveRegistry(gate.git);
  const project = makeProject();
  const cache = join(temporaryFolder(), 'cache');
  const run = (...args: string[]) => {
    return stackyard([...args, '-C', project], { STACKYARD_CACHE: cache, STACKYARD_REGISTRY: url });
  };
  expect((await run('add', ID, '--no-install')).status).toBe(0);
  expect(await run('outdated')).toMatchObject({ status: 0, stderr: '' });

  // The pull request has the fixed version with it; the gate merges both at once.
  const affected = affects(ID, '0', '1.0.1');
  const verdict = await gate.propose({ ...advisoryFile({ affected }), ...build(ID, '1.0.1') });
  expect(verdict).toMatchObject({ verdict: 'merge', reasons: [] });
  gate.land(verdict);
  await bringUpToDate(gate.git, index);
  expect(await run('outdated')).toMatchObject({ status: 10 });

  // From here on without network, and from the cache alone.
  const offline = await run('outdated', '--offline', '--json');
  expect(offline.status).toBe(10);
  expect(JSON.parse(offline.stdout)).toMatchObject({
    data: {
      advisories: [
        { id: ADVISORY.id, build: ID, version: '1.0.0', good: '1.0.1', summary: ADVISORY.summary },
      ],
    },
    next: [{ command: `stackyard update ${ID}@^1.0.1` }],
  });
  const warning = `"${ID}" 1.0.0, which is installed, has advisory ${ADVISORY.id}, first good version 1.0.1`;
  expect((await run('verify', '--offline')).stderr).toContain(warning);
  expect((await run('doctor', '--offline')).stdout).toContain(warning);
  expect((await run('outdated', '--offline')).stdout).toContain(`${ADVISORY.id}: good from 1.0.1`);

  // What the project ignores stays ignored until the build leaves.
  const ignore = ['outdated', '--ignore', ADVISORY.id, '--offline'];
  expect((await run(...ignore, '--reason', 'Not called')).status).toBe(0);
  expect((await run('outdated', '--offline')).status).toBe(0);
  const lock = (): { ignored?: object } =>
    JSON.parse(readProject(project)['stackyard.lock.json'] ?? '{}') as { ignored?: object };
  expect(lock().ignored).toEqual({ [ADVISORY.id]: { reason: 'Not called', builds: [ID] } });
  expect((await run('add', 'alice/page-tables', '--to', 'src/tables', '--no-install')).status).toBe(
    0,
  );
  expect(lock().ignored).toBeDefined();
  expect((await run('remove', ID, '--no-install')).status).toBe(0);
  expect(lock().ignored).toBeUndefined();

  // A new install of the affected version warns, and the good one does not.
  expect((await run('add', `${ID}@1.0.0`, '--no-install')).stderr).toContain(ADVISORY.id);
  const updated = await run('update', `${ID}@^1.0.0`, '--no-install');
  expect([updated.status, updated.stderr]).toEqual([0, '']);
  expect((await run('outdated')).status).toBe(0);
});
