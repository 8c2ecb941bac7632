import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Claim, readClaim, type Lease } from './claim.ts';
import { openFolderStore } from './open-store.ts';
import type { Store } from './store.ts';

const FOREIGN = { format: 1, id: 'other', state: 'working', machine: 'far', pid: 1, renewals: 0 };

/** A store, and a clock that only pauses move. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-claim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store: Store = openFolderStore({ folder, place: 'file:x' });
  let time = 0;
  let onSleep = (): void => {};
  const lease: Lease = {
    leaseMs: 60_000,
    now: () => time,
    sleep: (ms) => {
      time += ms;
      onSleep();
      return Promise.resolve();
    },
  };
  const put = (claim: object): void => {
    writeFileSync(join(folder, '.deploy/claim.json'), JSON.stringify({ ...FOREIGN, ...claim }));
  };
  const take = async () =>
    (await Claim.take(store, await readClaim(store), 'a.example', lease)).claim;
  return {
    store,
    take,
    put,
    pass: (ms: number): void => void (time += ms),
    time: () => time,
    whileWaiting: (act: () => void): void => void (onSleep = act),
  };
}

const busy = { code: 'ERR_DEPLOY_BUSY' };
const lost = { code: 'ERR_DEPLOY_LOST' };

describe('Claim', () => {
  it('is taken, refused to others, returned and taken again', async () => {
    const { store, take } = open();
    const first = await take();
    expect((await readClaim(store))?.claim).toMatchObject({
      state: 'working',
      origin: 'a.example',
    });
    await expect(take()).rejects.toMatchObject(busy);
    await first.finish();
    expect((await readClaim(store))?.claim.state).toBe('done');
    await (await take()).stop();
    expect((await readClaim(store))?.claim.state).toBe('stopped');
    await take();
  });

  it('of another machine that is renewed is respected', async () => {
    const { take, put, whileWaiting } = open();
    await (await take()).finish();
    put({});
    let renewals = 0;
    whileWaiting(() => put({ renewals: (renewals += 1) }));
    await expect(take()).rejects.toMatchObject(busy);
  });

  it('of another machine that is not renewed is taken over after the lease', async () => {
    const { take, put, time } = open();
    await (await take()).finish();
    put({});
    await take();
    expect(time()).toBeGreaterThanOrEqual(60_000);
  });

  it('of another machine that ends is taken over at once', async () => {
    const { take, put, whileWaiting, time } = open();
    await (await take()).finish();
    put({});
    whileWaiting(() => put({ state: 'done' }));
    await take();
    expect(time()).toBeLessThan(60_000);
  });

  it('is renewed when its lease is old, also after a long pause', async () => {
    const { store, take, pass } = open();
    const claim = await take();
    await claim.ensure();
    expect((await readClaim(store))?.claim.renewals).toBe(0);
    pass(500_000);
    await Promise.all([claim.ensure(), claim.ensure()]);
    expect((await readClaim(store))?.claim.renewals).toBe(1);
    await claim.finish();
  });

  it('that was taken over cannot be renewed', async () => {
    const { take, put, pass } = open();
    const claim = await take();
    put({ state: 'done' });
    pass(60_000);
    await expect(claim.ensure()).rejects.toMatchObject(lost);
    await expect(claim.finish()).rejects.toMatchObject(lost);
    await claim.stop();
  });
});
