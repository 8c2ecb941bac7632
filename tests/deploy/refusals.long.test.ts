/** Deployments that are refused: targets of others, older or altered indexes, folders without one. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import {
  deployTo,
  expectDeployed,
  makePlace,
  makeSource,
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

const NOTHING = { cacheControl: '', contentType: 'text/plain' };

describe('refuses', () => {
  it.each([
    ['other files', { 'notes.txt': 'hello' }, 'holds "notes.txt", and no index'],
    ['another registry.json', { 'registry.json': '{"items":[]}' }, 'that of another program'],
  ])('a place with %s, and writes nothing', async (_what, files, message) => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    for (const [path, text] of Object.entries(files))
      await store.write(path, Buffer.from(text), NOTHING);
    const run = deployTo(store, source);
    await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_TARGET' });
    await expect(run).rejects.toThrow(message);
    const paths = [];
    for await (const { path } of store.list()) paths.push(path);
    expect(paths).toEqual(Object.keys(files));
  });

  it('the index of another registry', async () => {
    const [source, other, place] = [
      await makeSource(),
      await makeSource('other.example'),
      await makePlace(server),
    ];
    await deployTo(storeAt(place), other);
    await expect(deployTo(storeAt(place), source)).rejects.toMatchObject({
      code: 'ERR_DEPLOY_TARGET',
    });
    await expectDeployed(storeAt(place), other);
  });

  it('an index that is older than the deployed one', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const old = join(temporaryFolder(), 'index');
    cpSync(source.index, old, { recursive: true });
    await source.publish(build('a/x', '1.2.0'));
    await deployTo(storeAt(place), source);
    const run = deployTo(storeAt(place), { ...source, index: old });
    await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOG' });
    await expectDeployed(storeAt(place), source);
  });

  it('other bytes of a published version, before it writes anything', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    await deployTo(storeAt(place), source);
    writeFileSync(join(source.index, 'builds/a/x/1.0.0.tgz'), 'other');
    const run = deployTo(storeAt(place, proxy.endpoint), source);
    await expect(run).rejects.toMatchObject({ code: 'ERR_DEPLOY_IMMUTABLE' });
    expect(puts(proxy.requests)).toEqual([]);
  });

  it('a folder without an index', async () => {
    const place = await makePlace(server);
    const index = temporaryFolder();
    const { status, stderr } = await runCommand('deploy', [place.target, '--out', index]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('has no index [ERR_DEPLOY_INDEX]'),
    ]);
  });

  it.each([
    [[], 'Argument <target> is missing'],
    [['s3://a/b', 's3://a/c'], 'Command "deploy" takes 1 argument, and got 2'],
    [['ftp://a/b'], 'no place to deploy to'],
    [['s3://bucket', '--endpoint', 'https://key:secret@s3.example'], 'The endpoint is no http'],
    [['s3://bucket', '--grace', '-1'], '--grace'],
    [['s3://bucket', '--speed'], 'Option "--speed" is unknown'],
  ])('%j', async (args, message) => {
    const { status, stderr } = await runCommand('deploy', args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
  });
});
