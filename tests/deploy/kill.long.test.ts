/** The program `deploy`, killed at any request while a client reads: the next run completes. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build } from '../generate/git-fixture.ts';
import {
  deployTo,
  ended,
  expectDeployed,
  makePlace,
  makeSource,
  startProgram,
  storeAt,
} from './deploy-fixture.ts';
import { startMoto, type S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';
import { requireWhole } from './whole-index.ts';

/** About as many as a run has. */
const REQUESTS_OF_A_RUN = 40;

/** Of the reader, so that it does not take the whole time of a slow server. */
const PAUSE_MS = 50;

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

it('killed at 20 random requests: no document names a missing object, and the next run completes', async () => {
  const [source, place] = [await makeSource(), await makePlace(server)];
  const [store, proxy] = [storeAt(place), await proxyBefore(server.endpoint)];
  await deployTo(store, source);
  let [isReading, reads] = [true, 0];
  const reading = (async () => {
    for (; isReading; reads += 1) {
      await wait(PAUSE_MS);
      await requireWhole(async (path) => (await store.read(path))?.bytes);
    }
  })();
  let [killed, attempt] = [0, 0];
  try {
    for (let round = 1; killed < 20; round += 1) {
      await source.publish({ ...build('a/x', `2.${round}.0`), ...build('b/y', `2.${round}.0`) });
      for (;;) {
        // Every third run may end, however few requests it needs.
        const isSpared = (attempt += 1) % 3 === 0;
        const number = isSpared ? Infinity : Math.ceil(Math.random() * REQUESTS_OF_A_RUN);
        const at = proxy.requests.length + number;
        const child = startProgram(source, place.target, proxy.endpoint);
        proxy.react = (_request, count) => {
          // Half of the requests that it dies with arrive.
          if (count === at) child.kill('SIGKILL');
          return count === at && round % 2 === 0 ? 'lose' : 'forward';
        };
        const { status, text } = await ended(child);
        if (status === 0) break;
        expect([status, text]).toEqual([null, '']);
        killed += 1;
      }
      await expectDeployed(store, source);
    }
  } finally {
    isReading = false;
    await reading;
  }
  expect(reads).toBeGreaterThan(0);
});
