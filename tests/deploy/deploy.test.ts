/** Deployments to a store with the interface of S3 (moto). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectHeaders } from '../../generator/deploy/object-headers.ts';
import { stageOf } from '../../generator/pipeline/emit.ts';
import { build } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import {
  deployTo,
  expectDeployed,
  forget,
  makePlace,
  makeSource,
  storeAt,
  puts,
} from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';
import type { Reaction } from './store-proxy.ts';
import { requireWhole } from './whole-index.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

const NOTHING = { cacheControl: '', contentType: 'text/plain' };

describe('a first deployment', () => {
  it('uploads everything in order, with headers, checksums and conditions', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    await deployTo(storeAt(place, proxy.endpoint), source);
    await expectDeployed(storeAt(place), source);
    const read = async (path: string) => (await storeAt(place).read(path))?.bytes;
    expect(await requireWhole(read)).toBe(4);
    const written = puts(proxy.requests);
    expect(written.toSorted()).toEqual(Object.keys(readTree(source.index)));
    expect(written.at(-1)).toBe('registry.json');
    const stages = written.map(stageOf);
    expect(stages).toEqual(stages.toSorted((a, b) => a - b));
    for (const { method, path: key, headers } of proxy.requests) {
      const [, path = ''] = key.split('/main/');
      if (method !== 'PUT' || path.startsWith('.deploy/')) continue;
      const { cacheControl, contentType } = objectHeaders(path);
      const isImmutable = cacheControl.endsWith('immutable');
      expect(headers).toMatchObject({
        'cache-control': cacheControl,
        'content-type': contentType,
        'x-amz-checksum-sha256': expect.stringMatching(/^[\w+/]{43}=$/),
      });
      expect(headers['if-none-match']).toBe(
        isImmutable || path === 'registry.json' ? '*' : undefined,
      );
    }
  });

  it('has many requests under way at once', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    let [now, most] = [0, 0];
    proxy.react = async ({ method, path }): Promise<Reaction> => {
      if (method !== 'PUT' || !path.includes('/schema/')) return 'forward';
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      now -= 1;
      return 'forward';
    };
    await deployTo(storeAt(place, proxy.endpoint), source);
    expect(most).toBe(Object.keys(readTree(join(source.index, 'schema'))).length);
  });
});

describe('a later deployment', () => {
  it('writes nothing when nothing changed, from any machine', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    await deployTo(storeAt(place), source);
    forget(source);
    const { isCurrent } = await deployTo(storeAt(place, proxy.endpoint), source);
    expect(isCurrent).toBe(true);
    expect(proxy.requests.map(({ method }) => method)).not.toContain('PUT');
    expect(proxy.requests.length).toBeLessThan(6);
  });

  it('uploads only what a publication changed, and registry.json on the condition that it is the same', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    await deployTo(storeAt(place), source);
    const before = readTree(source.index);
    await source.publish(build('a/x', '1.2.0'));
    forget(source);
    const { sent } = await deployTo(storeAt(place, proxy.endpoint), source);
    const after = readTree(source.index);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(puts(proxy.requests).toSorted()).toEqual(changed);
    expect(sent.files).toBe(changed.length);
    const last = proxy.requests.find(
      ({ path, method }) => method === 'PUT' && path.endsWith('/registry.json'),
    );
    expect(last?.headers['if-match']).toMatch(/^"[0-9a-f]{32}"$/);
    await expectDeployed(storeAt(place), source);
  });

  it('removes what is gone after the grace period, not before', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    await deployTo(store, source);
    const shard = Object.keys(readTree(source.index)).find((path) => path.startsWith('catalog/'))!;
    await store.write('favicon.ico', Buffer.from('x'), NOTHING);
    await source.publish(build('a/x', '1.2.0'));
    await deployTo(store, source);
    expect(await store.inspect(shard)).toBeDefined();
    expect((await deployTo(store, source)).isCurrent).toBe(true);
    const { plan } = await deployTo(store, source, { graceMs: 0 });
    // The log had 4 entries, and has 5: no checkpoint needs the width of 3 any more.
    const narrow = ['log/tile/0/000.p/3', 'log/tile/entries/000.p/3'];
    expect(plan.expired).toEqual([shard, ...narrow]);
    expect(await store.inspect(shard)).toBeUndefined();
    // What the interface does not have belongs to the operator.
    expect(await store.inspect('favicon.ico')).toBeDefined();
    await expectDeployed(store, source);
  });

  it('takes over an index that another program uploaded, with the right headers', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    for (const path of Object.keys(readTree(source.index))) {
      await store.write(path, readFileSync(join(source.index, path)), NOTHING);
    }
    const { repaired } = await deployTo(store, source);
    expect(repaired).toHaveLength(Object.keys(readTree(source.index)).length);
    await expectDeployed(store, source);
  });
});

it('--dry-run lists what would be done, and writes nothing', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  const args = [place.target, '--endpoint', proxy.endpoint, '--out', source.index, '--dry-run'];
  const { status, stdout } = await runCommand('deploy', args);
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(
    lines
      .slice(0, -1)
      .map((line) => line.slice('upload  '.length))
      .toSorted(),
  ).toEqual(Object.keys(readTree(source.index)));
  expect(lines.at(-1)).toMatch(
    /^s3:\/\/.*: \d+ to upload, 0 unchanged, 0 to remove; nothing was written$/,
  );
  expect(proxy.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
});

describe('a store without its list of files', () => {
  it('gets back objects that were removed, altered where they may change, or have other headers', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    await deployTo(store, source);
    const [tarball, head, record, catalog] = [
      'builds/a/x/1.0.0.tgz',
      'heads/a/x.json',
      'builds/b/y.json',
      'catalog.json',
    ] as const;
    await store.remove(tarball);
    await store.write(head, Buffer.from('{}'), objectHeaders(head));
    await store.remove(record);
    await store.write(catalog, readFileSync(join(source.index, catalog)), NOTHING);
    expect((await deployTo(store, source)).isCurrent).toBe(true);
    for await (const { path } of store.list()) {
      if (path.startsWith('.deploy/')) await store.remove(path);
    }
    await deployTo(store, source);
    await expectDeployed(store, source);
  });

  it('replaces a damaged manifest', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    await deployTo(store, source);
    await store.write('.deploy/manifest.json', Buffer.from('{'), NOTHING);
    await deployTo(store, source);
    expect((await deployTo(store, source)).isCurrent).toBe(true);
    await expectDeployed(store, source);
  });
});

it('an index that changes while it is deployed is not mixed', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  proxy.react = ({ method, path }) => {
    if (method === 'PUT' && path.endsWith('.tgz'))
      writeFileSync(join(source.index, 'catalog.json'), '{}');
    return 'forward';
  };
  const run = deployTo(storeAt(place, proxy.endpoint), source);
  await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_INDEX' });
  expect(await storeAt(place).inspect('registry.json')).toBeUndefined();
});
