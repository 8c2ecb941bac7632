// stackyard/uploads with a real S3 server, with PostgreSQL, on full disks, and with storage that fails.

import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createUploadsModule,
  deleteUploadsOf,
  type UploadsModule,
  uploadsMigrations,
} from '../../builds/stackyard/uploads/index.ts';
import { database } from '../../builds/stackyard/sqlite/index.ts';
import { signRequest } from '../../builds/stackyard/uploads/s3.ts';
import { DISKS } from '../auth/full-disk.ts';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { makeBucket, type S3Server, startMoto } from '../deploy/s3-server.ts';
import {
  FRAMEWORKS,
  type Framework,
  type ModuleHost,
  openPostgres,
  startModuleHost,
  statusesOf,
} from './module-host.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500_000, 7)]);
const PAGE = Buffer.from(`<!doctype html>${' '.repeat(PNG.length - 15)}`);

let s3: S3Server;
let postgres: PostgresServer;
let now = Date.now();

beforeAll(async () => {
  [s3, postgres] = await Promise.all([startMoto(), startPostgres()]);
});
afterAll(async () => {
  postgres.remove();
  await s3.stop();
});

interface Host extends ModuleHost {
  readonly uploads: UploadsModule;
}

async function start(
  framework: Framework,
  env: Record<string, string>,
  postgresUrl?: string,
): Promise<Host> {
  let uploads: UploadsModule;
  const host = await startModuleHost({
    framework,
    postgresUrl,
    env,
    create: ({ database, authenticate }) => {
      uploads = createUploadsModule({ database, authenticate, now: () => now });
      return [uploads];
    },
  });
  return { ...host, uploads: uploads! };
}

async function bucketEnv(endpoint = s3.endpoint): Promise<Record<string, string>> {
  return {
    UPLOADS_S3_BUCKET: await makeBucket(s3),
    UPLOADS_S3_REGION: 'us-east-1',
    UPLOADS_S3_ENDPOINT: endpoint,
    UPLOADS_S3_PREFIX: 'a shop/',
    UPLOADS_S3_ACCESS_KEY_ID: s3.env['AWS_ACCESS_KEY_ID'] ?? '',
    UPLOADS_S3_SECRET_ACCESS_KEY: s3.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };
}

describe.each(FRAMEWORKS)('a bucket, on %s', (framework) => {
  let host: Host;
  let token: string;
  beforeAll(async () => {
    now = Date.now();
    host = await start(framework, await bucketEnv());
    token = host.register('owner@example.com');
  });
  afterAll(() => host.stop());

  const download = async (url: string, user = token) => {
    const answer = await host.ask(`GET ${url}`, { token: user });
    expect(answer.status).toBe(302);
    return fetch(answer.headers.get('location') ?? '');
  };

  test('through this server', async () => {
    const { status, body } = await host.ask(
      `POST /files?name=${encodeURIComponent("it's \u00e4.png")}`,
      { token, body: PNG },
    );
    expect([status, body.file?.type]).toEqual([201, 'image/png']);
    const answer = await download(body.file.url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="it's _.png"; filename*=UTF-8''it%27s%20%C3%A4.png`,
    );
    expect(
      (
        await host.ask(`GET ${body.file.url}`, {
          token,
          headers: { 'If-None-Match': `"${body.file.id}"` },
        })
      ).status,
    ).toBe(304);
    expect((await host.ask(`DELETE /files/${body.file.id}`, { token })).status).toBe(204);
    expect((await fetch(answer.url)).ok).toBe(false);
    const pieces = new ReadableStream({
      start: (controller) => (controller.enqueue(PNG), controller.close()),
    });
    expect((await host.ask('POST /files?name=a', { token, body: pieces })).code).toBe(
      'length_required',
    );
    expect((await host.ask('POST /files?name=a', { token, body: PAGE })).code).toBe(
      'type_not_allowed',
    );
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
    socket.write(
      `POST /files?name=lost.png HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 600000\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(PNG, resolve));
    socket.destroy();
    expect((await host.ask('GET /files', { token })).body.files).toEqual([]);
  });

  test('a sweep removes files and rows without their other half', async () => {
    const swept = host.register('swept@example.com');
    const ids: string[] = [];
    for (const name of ['a.png', 'b.png'])
      ids.push(
        (await host.ask(`POST /files?name=${name}`, { token: swept, body: PNG })).body.file.id,
      );
    expect(await host.uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 0,
      rowsWithoutFile: 0,
    });
    now += 3 * 3_600_000;
    // One file is lost in the bucket, and one row in the database.
    const { url } = await download(`/files/${ids[0]}/content`, swept);
    const keys = { region: 'us-east-1', accessKeyId: 'testing', secretAccessKey: 'testing' };
    const request = { method: 'DELETE', url: url.split('?')[0]! };
    const { headers } = signRequest(keys, request, new Date());
    expect((await fetch(request.url, { method: 'DELETE', headers })).status).toBe(204);
    database().prepare('DELETE FROM uploads_files WHERE id = ?').run(ids[1]);
    expect(await host.uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 1,
      rowsWithoutFile: 1,
    });
    expect(await host.uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 0,
      rowsWithoutFile: 0,
    });
  });
});

describe('a bucket that fails', () => {
  /** A server that takes the place of S3 and answers everything alike. */
  async function failing(answer: (server: Server) => void): Promise<string> {
    const server = createServer();
    answer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test.each([
    [507, 'XMinioStorageFull', 507, 'storage_full'],
    [403, 'QuotaExceeded', 507, 'storage_full'],
    [403, 'AccessDenied', 503, 'storage_unavailable'],
    [503, 'SlowDown', 503, 'storage_unavailable'],
  ])('%d %s is answered with %d', async (status, code, answered, word) => {
    let mark: string | undefined;
    const endpoint = await failing((server) => {
      server.on('request', (req, res) => {
        req.resume();
        req.once('end', () => {
          const isMark = req.url?.includes('store-id') && !req.url.includes('list-type');
          if (isMark && (mark !== undefined || req.method === 'PUT'))
            return void res.end((mark ??= 'x'));
          res.statusCode = isMark ? 404 : status;
          res.end(`<Error><Code>${code}</Code></Error>`);
        });
      });
    });
    const host = await start('express', await bucketEnv(endpoint));
    onTestFinished(() => host.stop());
    const token = host.register('a@example.com');
    const answer = await host.ask('POST /files?name=a', { token, body: PNG });
    expect([answer.status, answer.code]).toEqual([answered, word]);
    expect((await host.ask('GET /files', { token })).body.files).toEqual([]);
    expect((await host.ask('GET /ready')).status).toBe(503);
    expect(JSON.stringify(host.log)).toContain(code);
  });
});

describe('PostgreSQL', () => {
  test.each(FRAMEWORKS)('files, keys, quotas and deletion on %s', async (framework) => {
    const url = await postgres.createDatabase(`uploads_${framework}`);
    const host = await start(framework, { UPLOADS_USER_BYTES: String(3 * PNG.length) }, url);
    onTestFinished(() => host.stop());
    const token = host.register('a@example.com');
    const send = (headers = {}) =>
      host.ask('POST /files?name=a.png', { token, body: PNG, headers });
    const twice = await Promise.all([1, 2, 3].map(() => send({ 'Idempotency-Key': 'one' })));
    expect(statusesOf(twice)).toEqual([200, 200, 201]);
    const many = await Promise.all([1, 2, 3, 4].map(() => send()));
    expect(statusesOf(many)).toEqual([201, 201, 413, 413]);
    const list = await host.ask('GET /files?limit=2', { token });
    expect(list.body.files).toHaveLength(2);
    const rest = await host.ask(`GET /files?after=${list.body.next}`, { token });
    expect([rest.body.files.length, rest.body.next]).toEqual([1, null]);
    expect((await host.ask(`GET ${rest.body.files[0].url}`, { token })).body.equals(PNG)).toBe(
      true,
    );
    expect(await host.uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 0,
      rowsWithoutFile: 0,
    });
    await deleteUploadsOf(host.idOf(token));
    expect((await host.ask('GET /files', { token })).body.files).toEqual([]);
    now += 3 * 3_600_000;
    expect(await host.uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 0,
      rowsWithoutFile: 0,
    });
  });
});

test('the files of version 1 are kept on PostgreSQL', async () => {
  const url = await postgres.createDatabase('uploads_version_1');
  const pool = await openPostgres(uploadsMigrations.slice(0, 1), url);
  await pool.query(
    `INSERT INTO uploads_files VALUES ('one', 7, 'a', 'text/plain', 1, NULL, 1, NULL, 'key'),
      ('two', 12345678901, 'a', 'text/plain', 1, NULL, 2, NULL, 'key')`,
  );
  await openPostgres(uploadsMigrations, url);
  const { rows } = await pool.query(
    'SELECT id, user_id, request_key FROM uploads_files ORDER BY id',
  );
  expect(rows).toEqual([
    { id: 'one', user_id: '7', request_key: 'key' },
    { id: 'two', user_id: '12345678901', request_key: 'key' },
  ]);
  const again = `INSERT INTO uploads_files VALUES ('x', '7', 'a', '', 1, NULL, 1, 'key')`;
  await expect(pool.query(again)).rejects.toMatchObject({ code: '23505' });
  const types = `SELECT data_type FROM information_schema.columns WHERE table_name = 'uploads_files' AND column_name = 'user_id'`;
  expect((await pool.query(types)).rows).toEqual([{ data_type: 'text' }]);
});

test.each(DISKS.filter(([name]) => name.includes('file system')))(
  '%s is answered with 507 and leaves nothing',
  async (_name, make) => {
    const disk = make();
    onTestFinished(() => disk.remove());
    const host = await start('express', { UPLOADS_DIR: join(disk.file, '../uploads') });
    onTestFinished(() => host.stop());
    const token = host.register('a@example.com');
    disk.fill(process.pid);
    const answer = await host.ask('POST /files?name=a.png', { token, body: PNG });
    expect([answer.status, answer.code]).toEqual([507, 'storage_full']);
    disk.free(process.pid);
    expect((await host.ask('POST /files?name=a.png', { token, body: PNG })).status).toBe(201);
  },
);
