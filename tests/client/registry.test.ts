/** The network side of the client against registries that are down, broken or hostile. */
import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRecord } from '../../client/record/read-record.ts';
import { Registry } from '../../client/registry/registry.ts';
import type { NetworkLimits } from '../../client/registry/http.ts';
import { integrityOf, sha256Hex } from '../../format/archive/integrity.ts';
import { formatHead } from '../../format/index/head-document.ts';
import { documentPath } from '../../format/index/layout.ts';
import type { Head } from '../../format/index/record.ts';
import { plainHead } from './network/network-fixture.ts';
import { serveAnswers } from './registry-fixture.ts';
import { stateFiles } from './state-files.ts';
import { OPEN } from '../../format/registry/status.ts';

const TARBALL = Buffer.from('any bytes');
const HEAD: Head = {
  id: 'a/x',
  kind: 'module',
  latest: '1.0.0',
  documents: { record: integrityOf(TARBALL) },
  versions: [
    {
      version: '1.0.0',
      published_at: '2026-01-01T00:00:00.000Z',
      integrity: integrityOf(TARBALL),
      document: integrityOf(TARBALL),
      requires: {},
      provides: [],
      builds: {},
      risk: 'ok',
      status: OPEN,
    },
  ],
};
const WRITTEN = JSON.parse(formatHead(HEAD).text) as { versions: unknown[][] };

function open(
  url: string,
  limits: Partial<NetworkLimits> = {},
  signal = new AbortController().signal,
): Registry {
  const registry = new Registry(url, signal, { limits: { backoffMs: 1, ...limits } });
  onTestFinished(() => registry.close());
  return registry;
}

async function against(
  answer: RequestListener,
  limits?: Partial<NetworkLimits>,
): Promise<Registry> {
  return open(await serveAnswers(answer), limits);
}

function json(response: ServerResponse, value: unknown): void {
  response.end(JSON.stringify(value));
}

describe('the address', () => {
  it.each([
    ['ftp://example.org', 'ERR_USAGE'],
    ['example.org', 'ERR_USAGE'],
    ['https://example.org/?a=1', 'ERR_USAGE'],
    ['https://user:pass@example.org', 'ERR_USAGE'],
    ['http://example.org', 'ERR_INSECURE_URL'],
    ['http://127.0.0.1.example.org', 'ERR_INSECURE_URL'],
  ])('%s is refused', (url, code) => {
    expect(() => open(url)).toThrow(expect.objectContaining({ code }));
  });

  it('may have a path, with or without a slash at its end', async () => {
    const asked: string[] = [];
    const url = await serveAnswers((request, response) => {
      asked.push(request.url ?? '');
      json(response, WRITTEN);
    });
    await plainHead(open(`${url}/mirror/`));
    expect(asked).toEqual(['/mirror/heads/a/x.json']);
  });
});

/** A registry with one document, and this text in it. */
async function withHead(
  text: string,
  more: ReadonlyMap<string, string> = new Map(),
): Promise<Registry> {
  const files = new Map<string, string | Buffer>([
    ...stateFiles({ 'heads/a/x.json': text }),
    ...more,
  ]);
  return against((request, response) => {
    const bytes = files.get((request.url ?? '').slice(1));
    if (bytes === undefined) response.writeHead(404).end('<html>');
    else response.end(bytes);
  });
}
describe('a head with documents of older versions', () => {
  const versions = Array.from({ length: 130 }, (_, at) => {
    return { ...HEAD.versions[0]!, version: `1.${at}.0` };
  }).reverse();
  const { text, older } = formatHead({ ...HEAD, versions });
  const serving = (altered: string): Promise<Registry> => {
    const named = older.map(
      (one) => [documentPath(sha256Hex(Buffer.from(one))), one + altered] as const,
    );
    return withHead(text, new Map(altered === 'missing' ? [] : named));
  };

  it('has all versions', async () => {
    expect(older).toHaveLength(2);
    expect((await (await serving('')).head('a/x'))?.versions).toEqual(versions);
  });

  it.each([
    [' ', 'ERR_LOG'],
    ['missing', 'ERR_REGISTRY_ANSWER'],
  ])('is refused where one is %j', async (altered, code) => {
    await expect((await serving(altered)).head('a/x')).rejects.toMatchObject({ code });
  });
});

describe('an answer', () => {
  it('that is valid is returned, and what the state does not have is undefined', async () => {
    const registry = await withHead(JSON.stringify(WRITTEN));
    expect(await registry.head('a/x')).toEqual(HEAD);
    expect(await registry.head('a/y')).toBeUndefined();
    await expect(readRecord(registry, 'a/x', HEAD.versions[0]!)).rejects.toMatchObject({
      code: 'ERR_LOG',
    });
  });

  it.each<[string, string, string]>([
    ['HTML', '<!doctype html><p>Welcome', 'not JSON'],
    ['JSON that is cut', JSON.stringify(WRITTEN).slice(0, 80), 'not JSON'],
    ['another shape', JSON.stringify({ ...WRITTEN, versions: [] }), 'versions'],
    [
      'a bad version',
      JSON.stringify({ ...WRITTEN, versions: [['../1', ...WRITTEN.versions[0]!.slice(1)]] }),
      'version',
    ],
    ['another build', JSON.stringify({ ...WRITTEN, id: 'a/y' }), 'it is of "a/y"'],
    ['no bytes', '', 'not JSON'],
  ])('with %s is an error with the place and the problem', async (_, body, problem) => {
    const registry = await withHead(body);
    const error = await registry.head('a/x').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ERR_REGISTRY_ANSWER' });
    expect(String(error)).toContain(`${registry.base}/heads/a/x.json`);
    expect(String(error)).toContain(problem);
  });

  it.each([
    ['a page for people', '<!doctype html><p>Welcome', 'not JSON'],
    ['nothing', undefined, 'holds no index'],
  ])('with %s everywhere is of an address without an index', async (_, body, problem) => {
    const registry = await against((__, response) => {
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await expect(registry.head('a/x')).rejects.toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
      message: expect.stringContaining(problem),
    });
  });

  it.each([400, 401, 403, 418])('with status %i is an error at once', async (status) => {
    const requests: (string | undefined)[] = [];
    const registry = await against(({ url }, response) => {
      requests.push(url);
      response.writeHead(status).end();
    });
    await expect(plainHead(registry)).rejects.toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
      message: expect.stringContaining(`status ${status}`),
    });
    // Which credential a private registry wants may be in its description.
    const more = [401, 403].includes(status) ? ['/registry.json'] : [];
    expect(requests).toEqual(['/heads/a/x.json', ...more]);
  });

  it.each([429, 500, 503])(
    'with status %i is requested again, three times in all',
    async (status) => {
      let count = 0;
      const recovers = await against((_, response) => {
        count += 1;
        if (count < 3) response.writeHead(status, { 'Retry-After': '0' }).end();
        else json(response, WRITTEN);
      });
      expect(await plainHead(recovers)).toEqual(HEAD);
      const stays = await against((_, response) => response.writeHead(status).end());
      await expect(plainHead(stays)).rejects.toMatchObject({ code: 'ERR_REGISTRY_ANSWER' });
    },
  );

  it('that is cut off is requested again, and then a network error', async () => {
    let count = 0;
    const cut = (response: ServerResponse): void => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    };
    const recovers = await against((_, response) => {
      count += 1;
      if (count === 1) cut(response);
      else json(response, WRITTEN);
    });
    expect(await plainHead(recovers)).toEqual(HEAD);
    const stays = await against((_, response) => cut(response));
    await expect(plainHead(stays)).rejects.toMatchObject({ code: 'ERR_NETWORK' });
  });

  it('that never arrives is a network error', async () => {
    const registry = await against(() => {}, { firstByteMs: 100, tries: 1 });
    await expect(plainHead(registry)).rejects.toMatchObject({ code: 'ERR_NETWORK' });
    const drips = await against((_, response) => void response.write('{'), {
      idleMs: 100,
      tries: 1,
    });
    await expect(plainHead(drips)).rejects.toMatchObject({ code: 'ERR_NETWORK' });
  });

  it.each(['with its length', 'without its length'])(
    'that is too large, %s, is aborted',
    async (kind) => {
      let sent = 0;
      const registry = await against((_, response) => {
        if (kind === 'with its length') response.setHeader('Content-Length', String(2 ** 40));
        const piece = Buffer.alloc(2 ** 20, ' ');
        const more = (): void => {
          while (!response.destroyed) {
            sent += piece.length;
            if (!response.write(piece)) break;
          }
        };
        response.on('drain', more);
        more();
      });
      await expect(plainHead(registry)).rejects.toMatchObject({
        code: 'ERR_REGISTRY_ANSWER',
        message: expect.stringMatching(/over \d+ bytes/),
      });
      expect(sent).toBeLessThan(100 * 2 ** 20);
    },
  );

  it('that redirects is followed within the origin only', async () => {
    const other = await serveAnswers((_, response) => json(response, WRITTEN));
    const registry = await against((request, response) => {
      const to: Record<string, string> = {
        '/heads/a/x.json': '/moved/x.json',
        '/heads/a/loop.json': '/heads/a/loop.json',
        '/heads/a/other.json': `${other}/heads/a/x.json`,
        '/heads/a/file.json': 'file:///etc/passwd',
      };
      const location = to[request.url ?? ''];
      if (location === undefined) json(response, WRITTEN);
      else response.writeHead(302, { Location: location }).end();
    });
    expect(await plainHead(registry)).toEqual(HEAD);
    for (const id of ['a/loop', 'a/other', 'a/file']) {
      await expect(registry.indexFile(`heads/${id}.json`)).rejects.toMatchObject({
        code: 'ERR_REGISTRY_ANSWER',
      });
    }
  });
});

describe('a tarball', () => {
  it('is returned only when it has the digest', async () => {
    const right = await against((_, response) => response.end(TARBALL));
    expect(await right.tarball('a/x', '1.0.0', integrityOf(TARBALL))).toEqual(TARBALL);
    for (const bytes of ['any byteS', 'any byte', '']) {
      const wrong = await against((_, response) => response.end(bytes));
      await expect(wrong.tarball('a/x', '1.0.0', integrityOf(TARBALL))).rejects.toMatchObject({
        code: 'ERR_INTEGRITY',
        message: expect.stringContaining(integrityOf(TARBALL)),
      });
    }
  });

  it('that the head names but that is missing is an error', async () => {
    const registry = await against((_, response) => response.writeHead(404).end());
    await expect(registry.tarball('a/x', '1.0.0', integrityOf(TARBALL))).rejects.toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
    });
  });

  it('with build metadata in its version is requested by its encoded name', async () => {
    const asked: string[] = [];
    const registry = await against((request, response) => {
      asked.push(request.url ?? '');
      response.end(TARBALL);
    });
    await registry.tarball('a/x', '1.0.0+build.1', integrityOf(TARBALL));
    expect(asked).toEqual(['/builds/a/x/1.0.0%2Bbuild.1.tgz']);
  });
});

it('an interruption ends a request, and the wait before the next one', async () => {
  for (const answer of [
    () => {},
    (_: unknown, r: ServerResponse) => void r.writeHead(503, { 'Retry-After': '9' }).end(),
  ]) {
    const interruption = new AbortController();
    const registry = open(await serveAnswers(answer as RequestListener), {}, interruption.signal);
    const asked = plainHead(registry);
    await Promise.race([sleep(50), asked.catch(() => {})]);
    interruption.abort();
    await expect(asked).rejects.toThrow('aborted');
  }
});
