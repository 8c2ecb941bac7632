/** Deployments to a store that fails, and programs that meet each other there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3Store } from '../../generator/deploy/s3-store.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { runCommand } from '../run/generator-command.ts';
import {
  deployTo,
  ended,
  expectDeployed,
  makePlace,
  makeSource,
  startProgram,
  storeAt,
  puts,
} from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

describe('when the store fails', () => {
  it('never prints credentials that it refuses', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    proxy.react = () => ({ status: 403, code: 'SignatureDoesNotMatch' });
    const args = [place.target, '--endpoint', proxy.endpoint, '--out', source.index];
    const env = { AWS_ACCESS_KEY_ID: 'AKIDSHOWN', AWS_SECRET_ACCESS_KEY: 'verysecret' };
    const { status, stdout, stderr } = await runCommand('deploy', args, env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(': 403 SignatureDoesNotMatch [ERR_STORE_ACCESS]');
    expect(stderr).not.toMatch(/AKIDSHOWN|verysecret/);
  });

  it('names an action that it does not allow', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    proxy.react = ({ method }) =>
      method === 'PUT' ? { status: 403, code: 'AccessDenied' } : 'forward';
    const run = deployTo(storeAt(place, proxy.endpoint), source);
    await expect(run).rejects.toMatchObject({
      code: 'ERR_STORE_ACCESS',
      message: expect.stringMatching(/^Cannot write/),
    });
  });

  it('reports that it does not respond', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const bucket = { bucket: place.bucket, prefix: 'main', place: place.target };
    const store = openS3Store(bucket, 'http://127.0.0.1:1', 500);
    await expect(deployTo(store, source)).rejects.toThrow(/^Cannot read .*: ECONNREFUSED$/);
  });

  it('waits while it answers 429 and 5xx, and completes', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    let failing = 0;
    let firstAt: number | undefined;
    proxy.react = ({ method }, number) => {
      if (number < 30 || method !== 'PUT') return 'forward';
      firstAt ??= Date.now();
      if (Date.now() - firstAt > 4_000) return 'forward';
      failing += 1;
      return { status: [429, 500, 503][failing % 3]!, code: 'SlowDown' };
    };
    await deployTo(storeAt(place, proxy.endpoint), source);
    expect(failing).toBeGreaterThan(5);
    await expectDeployed(storeAt(place), source);
  });

  it('accepts that the response to any write is lost', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    const lost = new Set<string>();
    proxy.react = ({ method, path }) => {
      if (method !== 'PUT' || lost.has(path)) return 'forward';
      lost.add(path);
      return 'lose';
    };
    await deployTo(storeAt(place, proxy.endpoint), source);
    expect(lost.size).toBeGreaterThan(30);
    await expectDeployed(storeAt(place), source);
  });

  it('corrects a clock that is wrong, and reports one that the store still refuses', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    proxy.behindMs = 90 * 60_000;
    const refusal = { status: 403, code: 'RequestTimeTooSkewed' };
    proxy.react = ({ headers }) => {
      const time = String(headers['x-amz-date']);
      const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
      const isNear = Math.abs(Date.parse(iso) - (Date.now() - proxy.behindMs)) < 300_000;
      return isNear ? 'forward' : refusal;
    };
    await deployTo(storeAt(place, proxy.endpoint), source);
    await expectDeployed(storeAt(place), source);
    proxy.react = () => refusal;
    const run = deployTo(storeAt(place, proxy.endpoint), source);
    await expect(run).rejects.toMatchObject({ code: 'ERR_STORE_ACCESS' });
    await expect(run).rejects.toThrow('403 RequestTimeTooSkewed');
  });
});

it('three programs at once: one completes, and the others say so or have nothing to do', async () => {
  const place = await makePlace(server);
  const sources = await Promise.all([1, 2, 3].map(() => makeSource()));
  const runs = sources.map((source) => ended(startProgram(source, place.target, server.endpoint)));
  const outcomes = await Promise.all(runs);
  expect(outcomes.some(({ status }) => status === 0)).toBe(true);
  for (const { status, text } of outcomes) {
    if (status !== 0) expect(text).toContain('[ERR_DEPLOY_LOST]');
  }
  await deployTo(storeAt(place), sources[0]!);
  await deployTo(storeAt(place), sources[0]!);
  await expectDeployed(storeAt(place), sources[0]!);
});

it('writes that arrive twice, or late, change nothing', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  const later: (() => Promise<unknown>)[] = [];
  const inner = storeAt(place, proxy.endpoint);
  const twice: Store = {
    ...inner,
    write: async (...args) => {
      later.push(() => inner.write(...args));
      return inner.write(...args);
    },
  };
  await deployTo(twice, source);
  expect(later.length).toBeGreaterThan(30);
  for (const write of later.toReversed()) await write();
  await expectDeployed(storeAt(place), source);
});

it('an error in the middle leaves the older state, and the next run completes it', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  proxy.react = ({ method, path }) => {
    return method === 'PUT' && path.endsWith('/catalog.json')
      ? { status: 403, code: 'AccessDenied' }
      : 'forward';
  };
  const run = deployTo(storeAt(place, proxy.endpoint), source);
  await expect(run).rejects.toMatchObject({ code: 'ERR_STORE_ACCESS' });
  expect(await storeAt(place).read('log/checkpoint')).toBeUndefined();
  expect(puts(proxy.requests)).not.toContain('log/checkpoint');
  await deployTo(storeAt(place), source);
  await deployTo(storeAt(place), source);
  await expectDeployed(storeAt(place), source);
});
