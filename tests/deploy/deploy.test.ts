/** Deployments to a store with the interface of S3 (moto), and words that are refused. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writingOrder } from '../../format/index/layout.ts';
import { objectHeaders } from '../../generator/object-headers.ts';
import { deploy } from '../../generator/deploy/deploy.ts';
import { openFolderStore } from '../../generator/deploy/folder-store.ts';
import { SIGNER } from '../client/log-scenario.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import {
  deployTo,
  expectDeployed,
  forget,
  makePlace,
  makeSource,
  puts,
  storeAt,
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

it('a first deployment uploads everything in order, many files at once, with headers and checksums', async () => {
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
  expect(most).toBeGreaterThan(10);
  await expectDeployed(storeAt(place), source);
  expect(await requireWhole(async (path) => (await storeAt(place).read(path))?.bytes)).toBe(4);
  const written = puts(proxy.requests);
  expect(written.toSorted()).toEqual(Object.keys(readTree(source.index)));
  const order = written.map((path) => writingOrder(path));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  for (const { method, path: key, headers } of proxy.requests) {
    const [, path = ''] = key.split('/main/');
    if (method !== 'PUT' || path.startsWith('.deploy/')) continue;
    const { cacheControl, contentType } = objectHeaders(path);
    expect(headers).toMatchObject({
      'cache-control': cacheControl,
      'content-type': contentType,
      'x-amz-checksum-sha256': expect.stringMatching(/^[\w+/]{43}=$/),
    });
    expect(headers['if-none-match']).toBe(path === 'log/checkpoint' ? '*' : undefined);
  }
});

it('a publication uploads what it changed, from any machine, and then nothing', async () => {
  const [source, place, proxy] = [
    await makeSource(),
    await makePlace(server),
    await proxyBefore(server.endpoint),
  ];
  await deployTo(storeAt(place), source);
  const before = readTree(source.index);
  await source.publish(build('a/x', '1.2.0'));
  forget(source);
  await deployTo(storeAt(place, proxy.endpoint), source);
  const after = readTree(source.index);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(puts(proxy.requests).toSorted()).toEqual(changed);
  const own = proxy.requests.filter(({ path }) => path.includes('/.deploy/'));
  expect(own.length).toBeLessThan(12);
  const last = proxy.requests.find(({ method, path }) => {
    return method === 'PUT' && path.endsWith('/log/checkpoint');
  });
  expect(last?.headers['if-match']).toMatch(/^"[0-9a-f]{32}"$/);
  await expectDeployed(storeAt(place), source);
  forget(source);
  const seen = proxy.requests.length;
  expect((await deployTo(storeAt(place, proxy.endpoint), source)).uploads).toEqual([]);
  expect(proxy.requests.slice(seen).filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(proxy.requests.length - seen).toBeLessThan(8);
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
  const paths = lines.slice(0, -1).map((line) => line.slice('upload  '.length));
  expect(paths.toSorted()).toEqual(Object.keys(readTree(source.index)));
  expect(lines.at(-1)).toMatch(
    /^s3:\/\/.*: \d+ to upload, 0 unchanged, 0 to remove; nothing was written$/,
  );
  expect(proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

describe('refuses', () => {
  it('a signed log that does not continue the deployed one, such as after the index was lost', async () => {
    const source = await makeSource('registry.example');
    const store = openFolderStore(join(temporaryFolder(), 'www'), 'www');
    const sign = async (out: string): Promise<string> => {
      const repo = source.git.folder;
      await generateDocuments({ repo, out, threads: 1, signers: [SIGNER] });
      return out;
    };
    const signers = [SIGNER];
    const deployed = await sign(join(temporaryFolder(), 'index'));
    await deploy({ index: deployed, store, graceMs: 0, signers });
    source.git.commit(build('a/x', '1.2.0'));
    // Its map is at another place than that of the deployed log.
    const lost = await sign(join(temporaryFolder(), 'index'));
    const refused = deploy({ index: lost, store, graceMs: 0, signers });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOG' });
    await deploy({ index: await sign(deployed), store, graceMs: 0, signers });
  });

  it('a folder without an index', async () => {
    const args = ['s3://bucket', '--out', temporaryFolder()];
    const { status, stderr } = await runCommand('deploy', args);
    expect([status, stderr]).toEqual([1, expect.stringContaining('[ERR_DEPLOY_INDEX]')]);
  });

  it.each([
    [[], 'Argument <target> is missing'],
    [['s3://a/b', 's3://a/c'], 'Command "deploy" takes 1 argument, and got 2'],
    [['ftp://a/b'], 'no place to deploy to'],
    [['s3://bucket', '--grace', '-1'], '--grace'],
    [['s3://bucket', '--speed'], 'Option "--speed" is unknown'],
  ])('%j', async (args, message) => {
    const { status, stderr } = await runCommand('deploy', args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
