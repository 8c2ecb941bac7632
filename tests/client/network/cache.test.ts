/** The cache with registries that change, and with damaged files. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CacheFiles, Cache } from '../../../client/registry/cache.ts';
import { Credentials } from '../../../client/registry/credentials.ts';
import { sha256Hex } from '../../../format/archive/integrity.ts';
import { temporaryFolder } from '../../generate/git-fixture.ts';
import {
  INTEGRITY,
  TARBALL,
  emptyCache,
  head,
  json,
  open,
  plainHead,
  serve,
  written,
} from './network-fixture.ts';
import { OPEN, reasonOf, type Status } from '../../../format/registry/status.ts';

const HEAD_PATH = '/heads/a/x.json';
const TARBALL_PATH = '/builds/a/x/1.0.0.tgz';

const yanked = (reason: string): Status => ({ is: 'yanked', reason });
const yankIn = (head: unknown): unknown =>
  reasonOf((head as { versions: { status: Status }[] }).versions[0]!.status);

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a document', () => {
  it('is requested with its ETag, and read from the cache on 304', async () => {
    const server = await serve({
      [HEAD_PATH]: (response, headers) => {
        if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
        else response.writeHead(200, { ETag: '"one"' }).end(JSON.stringify(written()));
      },
    });
    const { cache } = emptyCache();
    for (let run = 0; run < 3; run += 1) {
      expect(await plainHead(open(server.url, { cache }))).toEqual(head());
    }
    expect(server.headers.map((headers) => headers['if-none-match'])).toEqual([
      undefined,
      '"one"',
      '"one"',
    ]);
  });

  it('is requested with its Last-Modified if it has no ETag', async () => {
    const time = 'Sat, 21 Nov 2026 10:00:00 GMT';
    const server = await serve({
      [HEAD_PATH]: (response, headers) => {
        if (headers['if-modified-since'] === time) response.writeHead(304).end();
        else response.writeHead(200, { 'Last-Modified': time }).end(JSON.stringify(written()));
      },
    });
    const { cache } = emptyCache();
    await plainHead(open(server.url, { cache }));
    expect(await plainHead(open(server.url, { cache }))).toEqual(head());
    expect(server.asked).toHaveLength(2);
  });

  it('that changed is downloaded again', async () => {
    let status: Status = OPEN;
    const server = await serve({
      [HEAD_PATH]: (response) => {
        response
          .writeHead(200, { ETag: `"${status.is}"` })
          .end(JSON.stringify(written({ status })));
      },
    });
    const { cache } = emptyCache();
    await plainHead(open(server.url, { cache }));
    status = { is: 'yanked', reason: 'leaks' };
    expect(await plainHead(open(server.url, { cache }))).toEqual(head({ status }));
  });

  it('304 without a conditional request is an error', async () => {
    const server = await serve({ [HEAD_PATH]: (response) => void response.writeHead(304).end() });
    await expect(plainHead(open(server.url, emptyCache()))).rejects.toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
    });
  });

  it('of one registry is never returned for another registry, or for another private header', async () => {
    const { cache } = emptyCache();
    const tagged = (reason: string) =>
      serve({
        [HEAD_PATH]: (response, { authorization = '' }) => {
          response
            .writeHead(200, { ETag: '"same"' })
            .end(JSON.stringify(written({ status: yanked(`${reason} ${String(authorization)}`) })));
        },
      });
    const [one, two] = [await tagged('one'), await tagged('two')];
    const as = (url: string, user: string) =>
      open(url, {
        cache,
        credentials: new Credentials({
          STACKYARD_HEADERS: user === '' ? '' : `${url} Authorization: ${user}`,
        }),
      });
    const seen = async (isOffline: boolean, url: string, user: string) => {
      const credentials = new Credentials({
        STACKYARD_HEADERS: user === '' ? '' : `${url} Authorization: ${user}`,
      });
      return yankIn(await plainHead(open(url, { cache, isOffline, credentials })));
    };
    for (const server of [one, two]) {
      for (const user of ['', 'alice', 'bob']) await plainHead(as(server.url, user));
    }
    for (const [name, { url }] of [
      ['one', one],
      ['two', two],
    ] as const) {
      for (const user of ['', 'alice', 'bob']) {
        expect(await seen(true, url, user)).toBe(`${name} ${user}`);
      }
      await expect(seen(true, url, 'carol')).rejects.toMatchObject({ code: 'ERR_NETWORK' });
    }
    expect(one.headers.every((headers) => headers['if-none-match'] === undefined)).toBe(true);
  });

  it('leaves no trace of a header in names and contents of files', async () => {
    const { cache, folder } = emptyCache();
    const server = await serve({
      [HEAD_PATH]: json(written()),
      [TARBALL_PATH]: (r) => r.end(TARBALL),
    });
    const secret = 'Bearer 0123456789';
    const credentials = new Credentials({
      STACKYARD_HEADERS: `${server.url} Authorization: ${secret}`,
    });
    const registry = open(server.url, { cache, credentials });
    await plainHead(registry);
    await registry.tarball('a/x', '1.0.0', INTEGRITY);
    const files = filesOf(folder);
    expect(files.length).toBe(3);
    const all = files.map((file) => file + readFileSync(file, 'latin1')).join('');
    for (const form of [
      secret,
      Buffer.from(secret).toString('base64'),
      sha256Hex(Buffer.from(secret)),
    ]) {
      expect(all).not.toContain(form);
    }
    expect(files.every((file) => (statSync(file).mode & 0o77) === 0)).toBe(true);
  });
});

describe('a tarball', () => {
  it('is requested once, even from several registries', async () => {
    const one = await serve({ [TARBALL_PATH]: (response) => response.end(TARBALL) });
    const two = await serve({});
    const { cache } = emptyCache();
    await open(one.url, { cache }).tarball('a/x', '1.0.0', INTEGRITY);
    expect(await open(two.url, { cache }).tarball('a/x', '1.0.0', INTEGRITY)).toEqual(TARBALL);
    expect([one.asked.length, two.asked.length]).toEqual([1, 0]);
  });

  it.each<[string, (file: string) => void]>([
    ['altered', (file) => writeFileSync(file, 'any byteS')],
    ['cut', (file) => truncateSync(file, 3)],
    ['empty', (file) => truncateSync(file, 0)],
    ['unreadable', (file) => chmodSync(file, 0o000)],
  ])('that is %s in the cache is fetched again and written again', async (_, damage) => {
    const server = await serve({ [TARBALL_PATH]: (response) => response.end(TARBALL) });
    const { cache, folder } = emptyCache();
    await open(server.url, { cache }).tarball('a/x', '1.0.0', INTEGRITY);
    const [file = ''] = filesOf(join(folder, 'blobs'));
    damage(file);
    expect(await open(server.url, { cache }).tarball('a/x', '1.0.0', INTEGRITY)).toEqual(TARBALL);
    expect(readFileSync(file)).toEqual(TARBALL);
  });

  it('that is a link in the cache is not followed, and replaced', async () => {
    const server = await serve({ [TARBALL_PATH]: (response) => response.end(TARBALL) });
    const { cache, folder } = emptyCache();
    const outside = join(temporaryFolder(), 'outside');
    writeFileSync(outside, TARBALL);
    const name = sha256Hex(TARBALL);
    mkdirSync(join(folder, 'blobs', name.slice(0, 2)), { recursive: true });
    const file = join(folder, 'blobs', name.slice(0, 2), name.slice(2));
    symlinkSync(outside, file);
    await open(server.url, { cache }).tarball('a/x', '1.0.0', INTEGRITY);
    expect(server.asked).toHaveLength(1);
    expect(readFileSync(file)).toEqual(TARBALL);
    expect(filesOf(folder)).toContain(file);
  });
});

describe('a document of the cache', () => {
  it.each<[string, (file: string, other: string) => void]>([
    [
      'altered',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('module', 'modulo')),
    ],
    ['cut', (file) => truncateSync(file, 200)],
    ['not ours', (file) => writeFileSync(file, '{"name":"x"}\n{}')],
    ['no label', (file) => writeFileSync(file, 'x'.repeat(10_000))],
    ['that of another path', (file, other) => writeFileSync(file, readFileSync(other))],
  ])('%s is not used', async (_, damage) => {
    const server = await serve({ [HEAD_PATH]: json(written()), '/registry.json': json({}) });
    const { cache, folder } = emptyCache();
    await plainHead(open(server.url, { cache }));
    const [file = ''] = filesOf(folder);
    await cache.keepDocument({ base: server.url, secret: '' }, 'heads/a/y.json', {
      bytes: Buffer.from(JSON.stringify(written({ status: yanked('planted') }))),
      validators: {},
    });
    const other = filesOf(folder).find((name) => name !== file) ?? '';
    damage(file, other);
    await expect(plainHead(open(server.url, { cache, isOffline: true }))).rejects.toMatchObject({
      code: 'ERR_NETWORK',
    });
    expect(await plainHead(open(server.url, { cache }))).toEqual(head());
    expect(await plainHead(open(server.url, { cache, isOffline: true }))).toEqual(head());
  });
});

it.runIf(process.getuid?.() === 0)('nothing of another user is read', async () => {
  const server = await serve({ [HEAD_PATH]: json(written()) });
  const { cache, folder } = emptyCache();
  await plainHead(open(server.url, { cache }));
  const [file = ''] = filesOf(folder);
  const offline = (fresh: Cache) => plainHead(open(server.url, { cache: fresh, isOffline: true }));
  chownSync(file, 12_345, 12_345);
  await expect(offline(cache)).rejects.toMatchObject({ code: 'ERR_NETWORK' });
  await plainHead(open(server.url, { cache }));
  expect(await offline(cache)).toEqual(head());
  chownSync(folder, 12_345, 12_345);
  const warnings: string[] = [];
  const fresh = new Cache(new CacheFiles(folder, (problem) => warnings.push(problem)));
  await expect(offline(fresh)).rejects.toMatchObject({ code: 'ERR_NETWORK' });
  expect(warnings).toEqual([expect.stringContaining('it belongs to another user')]);
});

describe('without network', () => {
  it('a cached document is returned, and a missing one is an error with a hint', async () => {
    const server = await serve({
      [HEAD_PATH]: json(written()),
      [TARBALL_PATH]: (r) => r.end(TARBALL),
    });
    const { cache } = emptyCache();
    const filling = open(server.url, { cache });
    await plainHead(filling);
    await filling.tarball('a/x', '1.0.0', INTEGRITY);
    const before = server.asked.length;
    const offline = open(server.url, { cache, isOffline: true });
    expect(await plainHead(offline)).toEqual(head());
    expect(await offline.tarball('a/x', '1.0.0', INTEGRITY)).toEqual(TARBALL);
    await expect(offline.indexFile('heads/a/y.json')).rejects.toMatchObject({
      code: 'ERR_NETWORK',
      message: expect.stringContaining(`${server.url}/heads/a/y.json with --offline`),
      hint: expect.stringContaining('once without --offline'),
    });
    await expect(
      offline.tarball('a/x', '2.0.0', `sha256-${'A'.repeat(43)}=`),
    ).rejects.toMatchObject({ code: 'ERR_NETWORK' });
    expect(server.asked).toHaveLength(before);
  });
});

describe('a folder that cannot be used', () => {
  // Root may write anywhere: for root, the folder contains a file where a folder must be.
  it.each(['a file', 'not writable'])('%s is no error and is reported once', async (kind) => {
    const server = await serve({
      [HEAD_PATH]: json(written()),
      [TARBALL_PATH]: (r) => r.end(TARBALL),
    });
    const warnings: string[] = [];
    const { cache, folder } = emptyCache((problem) => warnings.push(problem));
    if (kind === 'a file') {
      for (const name of ['blobs', 'documents']) writeFileSync(join(folder, name), '');
    } else if (process.getuid?.() !== 0) {
      chmodSync(folder, 0o500);
    } else {
      return;
    }
    const registry = open(server.url, { cache });
    expect(await plainHead(registry)).toEqual(head());
    expect(await registry.tarball('a/x', '1.0.0', INTEGRITY)).toEqual(TARBALL);
    await registry.close();
    expect(warnings).toEqual([expect.stringContaining(`The cache in "${folder}" is not used`)]);
    chmodSync(folder, 0o700);
  });

  it('that is a file is no error', async () => {
    const server = await serve({ [HEAD_PATH]: json(written()) });
    const file = join(temporaryFolder(), 'cache');
    writeFileSync(file, 'mine');
    const registry = open(server.url, { cache: new Cache(new CacheFiles(file)) });
    expect(await plainHead(registry)).toEqual(head());
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
