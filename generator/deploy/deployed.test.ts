import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Claim } from './claim.ts';
import { readDeployed, requireOwnTarget } from './deployed.ts';
import { openFolderStore } from './open-store.ts';
import type { Store } from './store.ts';

const HEADERS = { cacheControl: '', contentType: '' };
const LEASE = { leaseMs: 60_000, now: () => 0, sleep: () => Promise.resolve() };

function open(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-deployed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openFolderStore({ folder, place: 'file:x' });
}

it('requireOwnTarget() refuses a target with other objects', async () => {
  const store = open();
  await store.write('other.txt', Buffer.from('x'), HEADERS);
  const seen = await readDeployed(store);
  await expect(requireOwnTarget(store, 'a.example', seen)).rejects.toMatchObject({
    code: 'ERR_DEPLOY_TARGET',
    message: 'Cannot deploy to file:x: it holds "other.txt", and no index',
  });
});

it('requireOwnTarget() accepts the objects of a deployment that began after the claim was read', async () => {
  const store = open();
  const seen = await readDeployed(store);
  await Claim.take(store, undefined, 'a.example', LEASE);
  await store.write('records/x.json', Buffer.from('x'), HEADERS);
  await requireOwnTarget(store, 'a.example', seen);
  await expect(requireOwnTarget(store, 'b.example', seen)).rejects.toMatchObject({
    code: 'ERR_DEPLOY_TARGET',
  });
});
