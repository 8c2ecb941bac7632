/** Deployments to OpenStack Swift, a real object store: it checks signatures, and refuses conditional writes. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { build } from '../generate/git-fixture.ts';
import { deployTo, expectDeployed, makePlace, makeSource, storeAt } from './deploy-fixture.ts';
import { killDeployments } from './kill-deployments.ts';
import type { S3Server } from './s3-server.ts';
import { startSwift } from './swift-server.ts';
import { requireWhole } from './whole-index.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startSwift();
});
afterAll(() => server.stop());

it('uploads, updates, removes and repairs', async () => {
  const [source, place] = [await makeSource(), await makePlace(server)];
  const store = storeAt(place);
  const first = await deployTo(store, source);
  expect(first.conditions).toEqual({ absent: false, tag: false });
  await expectDeployed(store, source);
  await source.publish(build('a/x', '1.2.0'));
  const { sent } = await deployTo(store, source);
  expect(sent.files).toBeLessThan(20);
  const { plan } = await deployTo(store, source, { graceMs: 0 });
  expect(plan.expired).toHaveLength(1);
  await expectDeployed(store, source);
  expect(await requireWhole(async (path) => (await store.read(path))?.bytes)).toBe(5);
});

it('refuses a wrong key, without printing it', async () => {
  const [source, place] = [await makeSource(), await makePlace(server)];
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'verysecret');
  const run = deployTo(storeAt(place), source);
  await expect(run).rejects.toMatchObject({ code: 'ERR_STORE_ACCESS' });
  await expect(run).rejects.not.toThrow(/verysecret/);
});

it('killed at 10 random requests: no document names a missing object, and the next run completes', async () => {
  await expect(killDeployments(server, 10)).resolves.toBeUndefined();
});
