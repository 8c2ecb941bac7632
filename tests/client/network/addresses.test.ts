/** An address of a registry, folders, private headers, and servers that waste time. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Credentials } from '../../../client/registry/credentials.ts';
import { temporaryFolder } from '../../generate/git-fixture.ts';
import { INFO, stateFiles, writeFiles } from '../state-files.ts';
import {
  INTEGRITY,
  TARBALL,
  head,
  json,
  open,
  plainHead,
  serve,
  serveState,
  written,
} from './network-fixture.ts';

const HEAD_PATH = '/heads/a/x.json';
const TARBALL_PATH = '/builds/a/x/1.0.0.tgz';

/** A folder with the state of a registry. */
function folderOf(documents: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  const texts = Object.entries(documents).map(([path, one]) => [path, JSON.stringify(one)]);
  writeFiles(folder, stateFiles(Object.fromEntries(texts) as Record<string, string>));
  return folder;
}

describe('an address', () => {
  it('whose head contradicts what is installed is refused', async () => {
    const other = written({ integrity: `sha256-${'A'.repeat(43)}=` });
    const evil = await serveState({ 'heads/a/x.json': other });
    const pins = new Map([['a/x', { version: '1.0.0', integrity: INTEGRITY }]]);
    await expect(open(evil.url, { pins }).head('a/x')).rejects.toMatchObject({
      code: 'ERR_INTEGRITY',
      message: expect.stringContaining('"a/x" 1.0.0, which is installed with'),
    });
  });
});

describe('a folder', () => {
  it.each(['path', 'address'])('given as %s is a registry', async (form) => {
    const folder = folderOf({ 'heads/a/x.json': written() });
    writeFiles(folder, new Map([['builds/a/x/1.0.0+b.1.tgz', TARBALL]]));
    const registry = open(form === 'path' ? folder : pathToFileURL(folder).href);
    expect(await registry.head('a/x')).toEqual(head());
    expect(await registry.head('a/y')).toBeUndefined();
    expect(await registry.tarball('a/x', '1.0.0+b.1', INTEGRITY)).toEqual(TARBALL);
    expect(registry.base).toBe(pathToFileURL(folder).href);
  });

  it('works without network, and refuses an entry that is too large or not a file', async () => {
    const folder = folderOf({ 'heads/a/x.json': written() });
    const documents = readdirSync(join(folder, 'documents'));
    for (const name of documents) writeFileSync(join(folder, 'documents', name), ' '.repeat(6e6));
    const large = open(folder, { isOffline: true });
    await expect(large.head('a/x')).rejects.toMatchObject({ code: 'ERR_REGISTRY_ANSWER' });
    rmSync(join(folder, 'log/checkpoint'));
    mkdirSync(join(folder, 'log/checkpoint'));
    const other = open(folder, { isOffline: true });
    await expect(other.head('a/x')).rejects.toMatchObject({ code: 'ERR_REGISTRY_ANSWER' });
  });

  it('has in a lock the public address that its index states, otherwise its own', async () => {
    const published = folderOf({ 'registry.json': { ...INFO, base_url: 'https://r.example/' } });
    const own = folderOf({});
    expect(await open(published).lockAddress()).toBe('https://r.example');
    expect(await open(own).lockAddress()).toBe(pathToFileURL(own).href);
  });

  it.each([
    [{ base_url: '' }, 'its address'],
    [{ base_url: 'https://r.example/' }, 'r.example'],
    [{ base_url: 'no address' }, 'its address'],
    [{ base_url: 'https://r.example', origin: 'registry.example/main' }, 'registry.example/main'],
  ])('has by registry.json %j the origin %s', async (fields, origin) => {
    const folder = folderOf({ 'registry.json': { ...INFO, ...fields } });
    const expected =
      origin === 'its address' ? `localhost${pathToFileURL(folder).pathname}` : origin;
    expect(await open(folder).origin()).toBe(expected);
  });

  it.each(['https://r.example', '../x', 'r.example/a\u0007', 'x'.repeat(201), ''])(
    'is refused when registry.json states the origin %j',
    async (origin) => {
      const registry = open(folderOf({ 'registry.json': { ...INFO, origin } }));
      await expect(registry.knownInfo()).rejects.toMatchObject({ code: 'ERR_REGISTRY_ANSWER' });
    },
  );

  it.each(['file://host/share', '/nowhere/at/all', './nothing', 'file:///etc/hostname'])(
    '%s is refused',
    (address) => {
      expect(() => open(address)).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
    },
  );
});

describe('a private header', () => {
  const SECRET = 'Bearer s3cr3t-t0k3n';

  it('is sent to its origin, also when it redirects within, and never to another', async () => {
    const other = await serve({ [HEAD_PATH]: json(written()) });
    const server = await serve({
      [HEAD_PATH]: (r) => void r.writeHead(302, { Location: '/moved' }).end(),
      '/moved': json(written()),
      '/heads/a/y.json': (r) =>
        void r.writeHead(307, { Location: `${other.url}${HEAD_PATH}` }).end(),
    });
    const credentials = new Credentials({
      STACKYARD_HEADERS: `${server.url} Authorization: ${SECRET}`,
    });
    const registry = open(server.url, { credentials });
    await plainHead(registry);
    await registry.indexFile('heads/a/y.json').catch(() => {});
    await plainHead(open(other.url, { credentials }));
    expect(server.headers.map((h) => h['authorization'])).toEqual([SECRET, SECRET, SECRET]);
    expect(other.headers.length).toBeGreaterThan(0);
    expect(other.headers.map((h) => h['authorization'])).toEqual(
      other.headers.map(() => undefined),
    );
  });

  it('is in no error, and the error without it names the variable to set', async () => {
    for (const status of [401, 403]) {
      const server = await serve({ [HEAD_PATH]: (r) => void r.writeHead(status).end() });
      const credentials = new Credentials({
        STACKYARD_HEADERS: `${server.url} Authorization: ${SECRET}`,
      });
      const refused = await plainHead(open(server.url, { credentials })).catch((e: unknown) => e);
      expect(refused).toMatchObject({ hint: expect.stringContaining('STACKYARD_HEADERS') });
      expect(
        JSON.stringify(refused) + String(refused) + Reflect.get(Object(refused), 'stack'),
      ).not.toContain('s3cr3t');
      await expect(plainHead(open(server.url))).rejects.toMatchObject({
        code: 'ERR_REGISTRY_ANSWER',
        hint: expect.stringContaining(
          `set STACKYARD_HEADERS to "${server.url} Authorization: Bearer ..." with your token`,
        ),
      });
    }
  });
});

describe('a server that wastes time', () => {
  it('is aborted when it sends single bytes without end', async () => {
    const drip = (response: ServerResponse): void => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const server = await serve({ [HEAD_PATH]: drip });
    const limits = { graceMs: 200, minBytesPerSecond: 1000, tries: 1 };
    await expect(plainHead(open(server.url, { limits }))).rejects.toMatchObject({
      code: 'ERR_NETWORK',
      message: expect.stringContaining('too slow'),
    });
  });

  it('that requests a longer pause than the limit is an error at once', async () => {
    for (const value of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      const server = await serve({
        [HEAD_PATH]: (r) => void r.writeHead(429, { 'Retry-After': value }).end(),
      });
      await expect(plainHead(open(server.url))).rejects.toMatchObject({
        hint: expect.stringMatching(/asks to wait: try again in (3600|35\d\d) seconds/),
      });
      expect(server.asked).toHaveLength(1);
    }
  });

  it('gets a limited number of requests at once, and the next as soon as one ends', async () => {
    let [now, most] = [0, 0];
    const held: (() => void)[] = [];
    const answers = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `/heads/a/b${n}.json`,
        (response: ServerResponse) => {
          now += 1;
          most = Math.max(most, now);
          held.push(() => {
            now -= 1;
            response.end(JSON.stringify({ ...written(), id: `a/b${n}` }));
          });
        },
      ]),
    );
    const server = await serve(answers);
    const registry = open(server.url, { limits: { parallel: 3 } });
    const heads = Array.from({ length: 12 }, (_, n) => registry.indexFile(`heads/a/b${n}.json`));
    const drain = setInterval(() => held.shift()?.(), 20);
    await Promise.all(heads);
    clearInterval(drain);
    expect(most).toBe(3);
  });

  it('with an encoded document is refused, and the digest decides about an encoded tarball', async () => {
    const coded = (bytes: string | Uint8Array) => (response: ServerResponse) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bytes);
    };
    const server = await serve({
      [HEAD_PATH]: coded(JSON.stringify(written())),
      [TARBALL_PATH]: coded(TARBALL),
    });
    await expect(plainHead(open(server.url))).rejects.toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
      message: expect.stringContaining('coded (gzip)'),
    });
    expect(await open(server.url).tarball('a/x', '1.0.0', INTEGRITY)).toEqual(TARBALL);
    expect(server.headers.map((h) => h['accept-encoding'])).toEqual(['identity', 'identity']);
  });
});
