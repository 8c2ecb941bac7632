/** Deployments to a store with the interface of S3 (moto), with everything that may happen to them. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '../../generator/deploy/deploy.ts';
import { objectHeaders } from '../../generator/deploy/object-headers.ts';
import { openS3Store } from '../../generator/deploy/s3-store.ts';
import { stageOf } from '../../generator/pipeline/emit.ts';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import {
  deployTo,
  ended,
  expectDeployed,
  forget,
  makePlace,
  makeSource,
  startProgram,
  storeAt,
} from './deploy-fixture.ts';
import { startMoto } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import { proxyBefore } from './store-proxy.ts';
import type { Reaction, SeenRequest } from './store-proxy.ts';
import { requireWhole } from './whole-index.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startMoto();
});
afterAll(() => server.stop());

const NOTHING = { cacheControl: '', contentType: 'text/plain' };

/** Paths of the index that were written, in order. */
function puts(requests: readonly SeenRequest[]): string[] {
  return requests
    .filter(({ method, path }) => method === 'PUT' && !path.includes('/.deploy/'))
    .map(({ path }) => path.replace(/^\/[^/]+\/main\//, ''));
}

function uploadsOf({ plan }: Deployment): string[] {
  return [...plan.stages.flat(), ...(plan.registry ? [plan.registry] : [])].map(({ path }) => path);
}

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
    expect(plan.expired).toEqual([shard]);
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
    [[], 'Give one target'],
    [['s3://a/b', 's3://a/c'], 'Give one target'],
    [['ftp://a/b'], 'no place to deploy to'],
    [['s3://bucket', '--endpoint', 'https://key:secret@s3.example'], 'Option --endpoint'],
    [['s3://bucket', '--grace', '-1'], '--grace'],
    [['s3://bucket', '--speed'], "Unknown option '--speed'"],
  ])('%j', async (args, message) => {
    const { status, stderr } = await runCommand('deploy', args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
  });
});

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
    const start = Date.now();
    proxy.react = ({ method }, number) => {
      // Longer than the claim lasts.
      if (number < 40 || Date.now() - start > 4_000 || method !== 'PUT') return 'forward';
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

  it('works without the conditions of writes, and knows that they are missing', async () => {
    const [source, place, proxy] = [
      await makeSource(),
      await makePlace(server),
      await proxyBefore(server.endpoint),
    ];
    proxy.react = ({ method, headers }) => {
      if (method === 'PUT' && headers['if-match'] !== undefined)
        return { status: 501, code: 'NotImplemented' };
      // Ignored.
      delete (headers as Record<string, unknown>)['if-none-match'];
      return 'forward';
    };
    const first = await deployTo(storeAt(place, proxy.endpoint), source);
    expect(first.conditions).toEqual({ absent: false, tag: false });
    await source.publish(build('a/x', '1.2.0'));
    await deployTo(storeAt(place, proxy.endpoint), source);
    await expectDeployed(storeAt(place), source);
  });
});

describe('two deployments', () => {
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

describe('--verify', () => {
  it('finds and repairs objects that were altered, removed, or have other headers', async () => {
    const [source, place] = [await makeSource(), await makePlace(server)];
    const store = storeAt(place);
    await deployTo(store, source);
    const [tarball, head, record, catalog] = [
      'builds/a/x/1.0.0.tgz',
      'heads/a/x.json',
      'builds/b/y.json',
      'catalog.json',
    ] as const;
    const bytes = readFileSync(join(source.index, tarball));
    await store.write(tarball, Buffer.alloc(bytes.length), objectHeaders(tarball));
    await store.write(head, Buffer.from('{}'), objectHeaders(head));
    await store.remove(record);
    await store.write(catalog, readFileSync(join(source.index, catalog)), NOTHING);
    expect((await deployTo(store, source)).isCurrent).toBe(true);
    const { status, stdout } = await runCommand('deploy', [
      place.target,
      '--endpoint',
      server.endpoint,
      '--out',
      source.index,
      '--verify',
    ]);
    const repaired = [record, tarball, head, catalog]
      .toSorted()
      .map((path) => `repaired  ${path}\n`);
    expect([status, stdout]).toEqual([0, expect.stringContaining(repaired.join(''))]);
    await expectDeployed(store, source);
    expect((await deployTo(store, source, { isVerifying: true })).repaired).toEqual([]);
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

describe('file: targets', () => {
  it('become equal to the index, step by step', async () => {
    const source = await makeSource();
    const folder = join(temporaryFolder(), 'www');
    const run = async (...more: string[]) => {
      const { status, stdout, stderr } = await runCommand('deploy', [
        `file:${folder}`,
        '--out',
        source.index,
        ...more,
      ]);
      expect([status, stderr]).toEqual([0, '']);
      return stdout;
    };
    const deployed = (): Record<string, string> => {
      const files = Object.entries(readTree(folder)).filter(
        ([path]) => !path.startsWith('.deploy/'),
      );
      return Object.fromEntries(files);
    };
    await run();
    expect(deployed()).toEqual(readTree(source.index));
    expect(await run()).toContain('nothing to do');
    await source.publish({ ...build('a/x', '1.2.0'), 'builds/b': null });
    await run('--grace', '0');
    await run('--grace', '0');
    expect(deployed()).toEqual(readTree(source.index));
    rmSync(join(folder, 'heads/a/x.json'));
    writeFileSync(join(folder, 'builds/a/x/1.0.0.tgz'), 'other');
    expect(await run('--verify')).toContain(
      'repaired  builds/a/x/1.0.0.tgz\nrepaired  heads/a/x.json\n',
    );
    expect(deployed()).toEqual(readTree(source.index));
  });

  it('that hold other files are refused', async () => {
    const source = await makeSource();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'thesis.txt'), '');
    const { status, stderr } = await runCommand('deploy', [
      `file:${folder}`,
      '--out',
      source.index,
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('[ERR_DEPLOY_TARGET]')]);
  });
});
