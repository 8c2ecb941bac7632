/** A deployment by the program itself, to a store that fails for a minute in the middle of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ended,
  expectDeployed,
  makePlace,
  makeSource,
  startProgram,
  storeAt,
} from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';

const OUTAGE_MS = 60_000;

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

it('waits while the store answers 5xx for a minute, and completes', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  let failing = 0;
  let firstAt: number | undefined;
  proxy.react = (_, number) => {
    if (number < 20) return 'forward';
    firstAt ??= Date.now();
    if (Date.now() - firstAt > OUTAGE_MS) return 'forward';
    failing += 1;
    return failing % 2 === 0
      ? { status: 500, code: 'InternalError' }
      : { status: 503, code: 'SlowDown' };
  };
  const end = await ended(startProgram(source, place.target, proxy.endpoint));
  expect(end, end.text).toMatchObject({ status: 0 });
  // Of some thirty requests at once, each is repeated after pauses that double up to eight seconds.
  expect(failing).toBeGreaterThan(30);
  expect(failing).toBeLessThan(1_000);
  await expectDeployed(storeAt(place), source);
});
