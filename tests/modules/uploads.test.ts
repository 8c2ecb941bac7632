// The routes of stackyard/uploads on Express and Hono, with SQLite and a local folder.

import { Validator } from '@seriousme/openapi-schema-validator';
import { connect } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createUploadsModule,
  deleteFile,
  deleteUploadsOf,
  filesOf,
  openFile,
  type UploadsModule,
  uploadsMigrations,
} from '../../builds/stackyard/uploads/index.ts';
import { migrate as migrateSqlite } from '../../builds/stackyard/sqlite/migrate.ts';
import {
  FRAMEWORKS,
  type ModuleHost,
  openSqlite,
  startModuleHost,
  statusesOf,
} from './module-host.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(10_000, 7)]);

describe.each(FRAMEWORKS)('uploads on %s', (framework) => {
  let host: ModuleHost;
  let uploads: UploadsModule;
  let owner: string;
  let other: string;
  const folder = mkdtempSync(join(tmpdir(), 'uploads-test-'));
  const shared = new Set<string>();

  beforeAll(async () => {
    host = await startModuleHost({
      framework,
      env: { UPLOADS_DIR: folder, UPLOADS_MAX_BYTES: '300000', UPLOADS_USER_BYTES: '2000000' },
      create: ({ database, authenticate }) => {
        uploads = createUploadsModule({
          database,
          authenticate,
          mayRead: (user, file) => user?.id === file.userId || shared.has(file.id),
        });
        return [uploads];
      },
    });
    owner = host.register('owner@example.com');
    other = host.register('other@example.com');
  });
  afterAll(async () => {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const stored = (): string[] =>
    readdirSync(join(folder, 'files')).flatMap((shard) =>
      readdirSync(join(folder, 'files', shard)),
    );
  const incoming = (): string[] => readdirSync(join(folder, 'incoming'));
  const send = (name: string, body: Buffer | string, headers = {}, token = owner) =>
    host.ask(`POST /files?name=${encodeURIComponent(name)}`, { body, token, headers });

  test('a file comes back as it was, with its type by content', async () => {
    const { status, body } = await send('photo.txt', PNG, { 'Content-Type': 'text/html' });
    expect(status).toBe(201);
    expect(body.file).toMatchObject({ name: 'photo.txt', type: 'image/png', size: PNG.length });
    const answer = await host.ask(`GET ${body.file.url}`, { token: owner });
    expect(answer.status).toBe(200);
    expect(answer.body.equals(PNG)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="photo.txt"; filename*=UTF-8''photo.txt`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag: `"${body.file.id}"`,
    });
    const head = await host.ask(`HEAD ${body.file.url}`, { token: owner });
    expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([
      200,
      String(PNG.length),
      0,
    ]);
    expect(
      (await host.ask(`GET ${body.file.url}?download`, { token: owner })).headers.get(
        'content-disposition',
      ),
    ).toMatch(/^attachment;/);
  });

  test('ranges and conditions', async () => {
    const { body } = await send('a.png', PNG);
    const get = (headers: Record<string, string>) =>
      host.ask(`GET ${body.file.url}`, { token: owner, headers });
    const part = await get({ Range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range'), part.body.length]).toEqual([
      206,
      `bytes 10-19/${PNG.length}`,
      10,
    ]);
    expect(part.body.equals(PNG.subarray(10, 20))).toBe(true);
    expect((await get({ Range: 'bytes=-5' })).body.equals(PNG.subarray(-5))).toBe(true);
    const behind = await get({ Range: `bytes=${PNG.length}-` });
    expect([behind.status, behind.code, behind.headers.get('content-range')]).toEqual([
      416,
      'range_not_satisfiable',
      `bytes */${PNG.length}`,
    ]);
    expect((await get({ Range: 'bytes=0-1,4-5' })).status).toBe(200);
    expect((await get({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
    const unchanged = await get({ 'If-None-Match': `W/"${body.file.id}"` });
    expect([unchanged.status, unchanged.body.length, unchanged.headers.get('etag')]).toEqual([
      304,
      0,
      `"${body.file.id}"`,
    ]);
    expect((await get({ 'If-Match': '"other"' })).code).toBe('precondition_failed');
  });

  test('hostile names are text, and hostile types are refused or offered as downloads', async () => {
    const { body } = await send(
      '../../etc/p"as\u202Eswd\r\nSet-Cookie: a=b \u{1F4A9}.pdf',
      Buffer.from('%PDF-1.7'),
    );
    expect(body.file.name).toBe('p"asswdSet-Cookie: a=b \u{1F4A9}.pdf');
    const answer = await host.ask(`GET ${body.file.url}`, { token: owner });
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="p_asswdSet-Cookie: a=b _.pdf"; filename*=UTF-8''p%22asswdSet-Cookie%3A%20a%3Db%20%F0%9F%92%A9.pdf`,
    );
    expect(answer.headers.get('set-cookie')).toBeNull();
    for (const page of [
      '<!doctype html><script>alert(1)</script>',
      '\ufeff <svg onload=alert(1)>',
      'MZ\0\0',
    ]) {
      expect((await send('a.png', page, { 'Content-Type': 'image/png' })).code).toBe(
        'type_not_allowed',
      );
    }
    expect((await send('a.txt', '')).code).toBe('empty_file');
    expect(incoming()).toEqual([]);
    for (const id of ['..%2f..%2fstore-id', 'store-id', '%00', 'a'.repeat(36)]) {
      expect((await host.ask(`GET /files/${id}/content`, { token: owner })).status).toBe(404);
    }
  });

  test('a file too large leaves nothing, with and without a length', async () => {
    const before = stored().length;
    expect((await send('a.png', Buffer.concat([PNG, Buffer.alloc(300_000)]))).code).toBe(
      'file_too_large',
    );
    const pieces = new ReadableStream({
      start(controller) {
        controller.enqueue(PNG);
        for (let index = 0; index < 40; index++) controller.enqueue(new Uint8Array(10_000));
        controller.close();
      },
    });
    const answer = await host.ask('POST /files?name=a.png', { body: pieces, token: owner });
    expect([answer.status, answer.code]).toEqual([413, 'file_too_large']);
    expect([incoming(), stored().length]).toEqual([[], before]);
  });

  test('a connection that is lost in the middle leaves nothing', async () => {
    const before = stored().length;
    const { port } = new URL(host.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST /files?name=a.png HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner}\r\nContent-Length: 200000\r\n\r\n`;
    socket.write(head);
    socket.write(PNG);
    await expect.poll(incoming).toHaveLength(1);
    socket.destroy();
    await expect.poll(incoming).toEqual([]);
    expect(stored()).toHaveLength(before);
    expect((await host.ask('GET /files', { token: owner })).status).toBe(200);
  });

  test('only the owner reads, lists and deletes; others see no difference to what is not there', async () => {
    const { body } = await send('mine.png', PNG);
    const { id, url } = body.file;
    for (const line of [`GET ${url}`, `GET /files/${id}`, `DELETE /files/${id}`]) {
      expect((await host.ask(line, { token: other })).code).toBe('file_not_found');
      expect((await host.ask(line)).code).toBe('missing_token');
    }
    shared.add(id);
    const answer = await host.ask(`GET ${url}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=3600, immutable',
    ]);
    shared.delete(id);
    expect((await host.ask(`DELETE /files/${id}`, { token: owner })).status).toBe(204);
    expect((await host.ask(`GET ${url}`, { token: owner })).code).toBe('file_not_found');
    expect(stored()).not.toContain(id);
  });

  test('the same upload twice is one file; another one with its key is refused', async () => {
    const key = { 'Idempotency-Key': `key-${framework}` };
    const answers = await Promise.all([
      send('a.png', PNG, key),
      send('a.png', PNG, key),
      send('a.png', PNG, key),
    ]);
    expect(statusesOf(answers)).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.file.id)).size).toBe(1);
    expect((await send('a.png', Buffer.concat([PNG, PNG]), key)).code).toBe(
      'idempotency_key_reused',
    );
    expect((await send('a.png', PNG, { 'Idempotency-Key': 'a b' })).code).toBe('invalid_request');
  });

  test('pages of a list neither repeat nor hide files', async () => {
    const token = host.register('lists@example.com');
    const ids: string[] = [];
    for (let index = 0; index < 5; index++)
      ids.unshift((await send(`${index}.png`, PNG, {}, token)).body.file.id);
    const seen: string[] = [];
    for (let after = ''; ;) {
      const { body } = await host.ask(`GET /files?limit=2${after}`, { token });
      seen.push(...body.files.map(({ id }: { id: string }) => id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=x']) {
      expect((await host.ask(`GET /files?${query}`, { token })).code).toBe('invalid_request');
    }
  });

  test('a quota holds also against uploads at the same time', async () => {
    const token = host.register('quota@example.com');
    const large = Buffer.concat([PNG, Buffer.alloc(280_000)]);
    for (let index = 0; index < 5; index++)
      expect((await send('a.png', large, {}, token)).status).toBe(201);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('a.png', large, {}, token)));
    expect(statusesOf(answers)).toEqual([201, 413, 413, 413]);
    expect(incoming()).toEqual([]);
  });

  test('the files of a user go with the account, also those that arrive after its deletion', async () => {
    const token = host.register('gone@example.com');
    const { body } = await send('a.png', PNG, {}, token);
    let finish = (): void => {};
    const pieces = new ReadableStream({
      start(controller) {
        controller.enqueue(PNG);
        finish = () => {
          controller.enqueue(PNG);
          controller.close();
        };
      },
    });
    const late = host.ask('POST /files?name=late.png', { body: pieces, token });
    await expect.poll(incoming).toHaveLength(1);
    const id = host.idOf(token);
    host.remove(token);
    await deleteUploadsOf(id);
    expect(stored()).not.toContain(body.file.id);
    finish();
    expect((await late).code).toBe('missing_token');
    expect(incoming()).toEqual([]);
    expect(await filesOf(id)).toEqual([]);
  });

  test('a sweep removes what nothing refers to, and leaves what is young or used', async () => {
    const kept = (await send('kept.png', PNG)).body.file.id as string;
    const lost = (await send('lost.png', PNG)).body.file.id as string;
    const orphan = '00000000-0000-4000-8000-000000000000';
    const young = '00000000-0000-4000-8000-000000000001';
    const part = '00000000-0000-4000-8000-000000000002';
    mkdirSync(join(folder, 'files', '00'), { recursive: true });
    writeFileSync(join(folder, 'files', '00', orphan), 'a');
    writeFileSync(join(folder, 'files', '00', young), 'a');
    writeFileSync(join(folder, 'files', '00', 'notes.txt'), 'of another program');
    writeFileSync(join(folder, 'incoming', part), 'a');
    for (const path of [join('files', '00', orphan), join('incoming', part)])
      utimesSync(join(folder, path), 1, 1);
    rmSync(join(folder, 'files', lost.slice(0, 2), lost));
    expect(await uploads.sweep()).toEqual({
      unfinished: 1,
      filesWithoutRow: 1,
      rowsWithoutFile: 0,
    });
    expect(stored()).toEqual(expect.arrayContaining([kept, young, 'notes.txt']));
    expect(stored()).not.toContain(orphan);
    expect(incoming()).toEqual([]);
    // The storage of another database: its files are not ours to remove.
    writeFileSync(join(folder, 'store-id'), 'another');
    writeFileSync(join(folder, 'incoming', part), 'a');
    utimesSync(join(folder, 'incoming', part), 1, 1);
    expect(await uploads.sweep()).toEqual({
      unfinished: 0,
      filesWithoutRow: 0,
      rowsWithoutFile: 0,
    });
    expect(existsSync(join(folder, 'incoming', part))).toBe(true);
    rmSync(join(folder, 'incoming', part));
  });

  test('other modules list, read and delete files', async () => {
    const token = host.register('modules@example.com');
    const userId = host.idOf(token);
    const { id } = (await send('a.png', PNG, {}, token)).body.file;
    expect(await filesOf(userId)).toEqual([
      expect.objectContaining({ id, userId: String(userId), name: 'a.png' }),
    ]);
    const opened = await openFile(id);
    expect(Buffer.from(await new Response(opened?.bytes).arrayBuffer()).equals(PNG)).toBe(true);
    expect([await deleteFile(id), await deleteFile(id), await openFile(id)]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(await filesOf({ id: userId })).toEqual([]);
  });

  test('one user has five uploads at once, and others are not affected', async () => {
    const token = host.register('many@example.com');
    const finishes: (() => void)[] = [];
    const begun = Array.from({ length: 5 }, () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(PNG);
          finishes.push(() => controller.close());
        },
      });
      return host.ask('POST /files?name=a.png', { token, body });
    });
    await expect.poll(incoming).toHaveLength(5);
    expect((await send('a.png', PNG, {}, token)).code).toBe('too_many_uploads');
    expect((await send('a.png', PNG)).status).toBe(201);
    for (const finish of finishes) finish();
    expect(statusesOf(await Promise.all(begun))).toEqual([201, 201, 201, 201, 201]);
    expect((await send('a.png', PNG, {}, token)).status).toBe(201);
  });

  test('the description, readiness and methods', async () => {
    const { body } = await host.ask('GET /openapi.json');
    expect(await new Validator().validate(body)).toMatchObject({ valid: true });
    expect(Object.keys(body.paths['/files'])).toEqual(['get', 'post']);
    expect(body.paths['/files/{id}/content'].get.responses['206'].content).toHaveProperty('*/*');
    expect((await host.ask('GET /ready')).status).toBe(200);
    expect((await host.ask('PUT /files', { token: owner })).headers.get('allow')).toBe(
      'GET, POST, HEAD, OPTIONS',
    );
  });
});

test('settings', () => {
  const never = (): never => {
    throw new Error('Not used');
  };
  const { checkSettings } = createUploadsModule({ database: never, authenticate: never });
  const names = (env: Record<string, string>) => checkSettings(env).map(({ name }) => name);
  expect(names({})).toEqual([]);
  expect(names({ UPLOADS_MAX_BYTES: '10MB', UPLOADS_USER_BYTES: '0' })).toEqual([
    'UPLOADS_MAX_BYTES',
    'UPLOADS_USER_BYTES',
  ]);
  expect(names({ UPLOADS_TYPES: 'image/png, text/html' })).toEqual([]);
  expect(names({ UPLOADS_TYPES: 'image/png,image/*' })).toEqual(['UPLOADS_TYPES']);
  const bucket = { UPLOADS_S3_BUCKET: 'a', UPLOADS_S3_ACCESS_KEY_ID: 'b' };
  expect(names({ ...bucket, UPLOADS_S3_ENDPOINT: 'https://a.example/path' })).toEqual([
    'UPLOADS_S3_REGION',
    'UPLOADS_S3_SECRET_ACCESS_KEY',
    'UPLOADS_S3_ENDPOINT',
  ]);
});

test('the files of version 1, whose users have numbers as ids, are kept', async () => {
  const db = openSqlite(uploadsMigrations.slice(0, 1));
  const old = db.prepare(
    "INSERT INTO uploads_files VALUES (?, ?, 'a', 'text/plain', 1, NULL, ?, ?, ?)",
  );
  old.run('one', 7, 1, null, 'key');
  old.run('two', 7, 2, null, null);
  old.run('three', 12345678901, 3, null, 'key');
  old.run('pending', 7, 4, 5, null);
  db.exec('INSERT INTO uploads_users VALUES (7)');
  migrateSqlite(db, uploadsMigrations);
  const rows = db.prepare('SELECT id, user_id, created_at, request_key FROM uploads_files').all();
  expect(rows).toEqual([
    { id: 'one', user_id: '7', created_at: 1, request_key: 'key' },
    { id: 'two', user_id: '7', created_at: 2, request_key: null },
    { id: 'three', user_id: '12345678901', created_at: 3, request_key: 'key' },
  ]);
  const insert = db.prepare("INSERT INTO uploads_files VALUES (?, ?, 'a', '', 1, NULL, ?, ?)");
  expect(() => insert.run('four', '7', 4, 'key')).toThrow('UNIQUE');
  const plan = db
    .prepare(
      'EXPLAIN QUERY PLAN SELECT id FROM uploads_files WHERE user_id = ? ORDER BY created_at',
    )
    .all('7');
  expect(JSON.stringify(plan)).toContain('uploads_files_by_user');
});
