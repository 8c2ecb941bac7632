/** Deployments to a store that fails, and deployments that meet another one. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3Store } from '../../generator/deploy/s3-store.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
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
  uploadsOf,
} from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';
import type { Reaction } from './store-proxy.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

const NOTHING = { cacheControl: '', contentType: 'text/plain' };

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
    expect(stderr).toContain(
      'refuses the credentials or this action (SignatureDoesNotMatch) [ERR_STORE_ACCESS]',
    );
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
    const options = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', retryMs: 500 };
    const store = openS3Store(
      { bucket: place.bucket, prefix: 'main', place: place.target },
      options,
    );
    await expect(deployTo(store, source)).rejects.toMatchObject({ code: 'ERR_STORE_UNREACHABLE' });
  });

  it('waits while it answers 5xx, and completes', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    let failing = 0;
    let firstAt: number | undefined;
    proxy.react = ({ method }, number) => {
      if (number < 40 || method !== 'PUT') return 'forward';
      firstAt ??= Date.now();
      // Longer than the claim lasts.
      if (Date.now() - firstAt > 4_000) return 'forward';
      failing += 1;
      return { status: 503, code: 'SlowDown' };
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
    await expect(run).rejects.toMatchObject({ code: 'ERR_STORE_CLOCK' });
    await expect(run).rejects.toThrow('is 90 minutes ahead of the store');
  });
});

describe('two deployments', () => {
  // In every run of the tests, the two that are stopped at a certain request are enough.
  it('at once: one completes, the other is refused or has nothing to do', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const runs = [1, 2, 3].map(() => ended(startProgram(source, place.target, server.endpoint)));
    const outcomes = await Promise.all(runs);
    expect(outcomes.some(({ status }) => status === 0)).toBe(true);
    for (const { status, text } of outcomes) {
      if (status !== 0) expect(text).toMatch(/\[ERR_DEPLOY_(?:BUSY|LOST)\]/);
    }
    await expectDeployed(storeAt(place), source);
  });

  it('of which one waits in the middle: the other is refused, and the first completes', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    const other = { ...source, index: join(temporaryFolder(), 'index') };
    cpSync(source.index, other.index, { recursive: true });
    let go = (): void => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    const reached = new Promise<void>((resolve) => {
      proxy.react = async ({ method, path }): Promise<Reaction> => {
        if (method === 'PUT' && path.includes('/heads/')) {
          resolve();
          await waiting;
        }
        return 'forward';
      };
    });
    const first = deployTo(storeAt(place, proxy.endpoint), source);
    await reached;
    await expect(deployTo(storeAt(place), other)).rejects.toMatchObject({
      code: 'ERR_DEPLOY_BUSY',
    });
    go();
    await first;
    await expectDeployed(storeAt(place), source);
  });

  it('of which one replaced registry.json: the other ends, and the next one completes', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    await deployTo(storeAt(place), source);
    await source.publish(build('a/x', '1.2.0'));
    proxy.react = async ({ method, path }): Promise<Reaction> => {
      if (method === 'PUT' && path.endsWith('/registry.json')) {
        const { bytes } = (await storeAt(place).read('registry.json'))!;
        await storeAt(place).write(
          'registry.json',
          Buffer.concat([bytes, Buffer.from('\n')]),
          NOTHING,
        );
      }
      return 'forward';
    };
    const run = deployTo(storeAt(place, proxy.endpoint), source);
    await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOST' });
    await deployTo(storeAt(place), source);
    await expectDeployed(storeAt(place), source);
  });
});

it('an error in the middle leaves the older state, and the next run uploads only the rest', async () => {
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
  await expect(deployTo(storeAt(place, proxy.endpoint), source)).rejects.toMatchObject({
    code: 'ERR_STORE_ACCESS',
  });
  const done = puts(proxy.requests).filter((path) => path !== 'catalog.json');
  proxy.react = () => 'forward';
  const next = await deployTo(storeAt(place, proxy.endpoint), source);
  expect(uploadsOf(next).filter((path) => done.includes(path))).toEqual([]);
  await expectDeployed(storeAt(place), source);
});
