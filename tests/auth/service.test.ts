// The service as a process, over HTTP, with each store.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../run/runs.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import {
  type Answer,
  askUntilRefused,
  bearer,
  type BuiltService,
  buildService,
  readLog,
  type RunningService,
  send,
} from './service-fixture.ts';

const SECRET = 'a secret for tests that is long enough';
const PASSWORD = 'correct horse';
/** Where hashes are not the subject. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;

let built: BuiltService;
let postgres: PostgresServer | undefined;
let databases = 0;
/** Without other settings, for tests that need no database of their own: a start takes longer than most of them. */
let plain: RunningService;

beforeAll(async () => {
  built = await buildService();
  if (isLong()) postgres = await startPostgres();
  const DATABASE_URL = 'file:data/plain.sqlite';
  plain = await built.start({ DATABASE_URL, JWT_SECRET: SECRET, NODE_OPTIONS });
});

afterAll(async () => {
  await plain?.kill('SIGTERM');
  built?.remove();
  postgres?.remove();
});

/** As `withHashingService`, with hashes that cost little. */
function withService(
  env: Record<string, string>,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  return withHashingService({ NODE_OPTIONS, ...env }, work);
}

/** Runs `work` with a service that has an empty database of its own, and stops it. */
async function withHashingService(
  env: Record<string, string>,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  const file = `file:data/${++databases}.sqlite`;
  const service = await built.start({ DATABASE_URL: file, JWT_SECRET: SECRET, ...env });
  try {
    await work(service);
  } finally {
    await service.kill('SIGTERM');
  }
}

const register = ({ url }: RunningService, email: string, headers = {}): Promise<Answer> =>
  send('POST', `${url}/auth/register`, { email, password: PASSWORD }, headers);
const login = ({ url }: RunningService, email: string, password = PASSWORD): Promise<Answer> =>
  send('POST', `${url}/auth/login`, { email, password });

describe.each(isLong() ? ['sqlite', 'postgres'] : ['sqlite'])('with %s', (kind) => {
  const urlOf = async (): Promise<string> =>
    (kind === 'postgres' && (await postgres?.createDatabase(`s${++databases}`))) ||
    `file:data/${++databases}.sqlite`;

  test('an account lives through all routes', async () => {
    const run = kind === 'sqlite' ? withHashingService : withService;
    await run({ DATABASE_URL: await urlOf() }, async (service) => {
      const { url } = service;
      expect((await send('GET', `${url}/health`)).body).toEqual({ status: 'ok' });
      expect(await send('GET', `${url}/ready`)).toMatchObject({
        status: 200,
        body: { status: 'ready' },
      });

      const registered = await register(service, ' A@Example.com ');
      expect(registered.status).toBe(201);
      expect(registered.body.user).toEqual({
        id: 1,
        email: 'a@example.com',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect((await register(service, 'a@example.com')).body.error).toMatchObject({
        status: 409,
        message: 'Email is already registered',
      });
      const loggedIn = await login(service, 'a@example.com');
      expect(loggedIn.status).toBe(200);
      expect(loggedIn.body.user).toEqual(registered.body.user);
      const wrong = await login(service, 'a@example.com', 'wrong');
      const unknown = await login(service, 'b@example.com');
      for (const { status, body } of [wrong, unknown]) {
        expect([status, body.error['message']]).toEqual([401, 'Invalid email or password']);
      }

      const session = bearer(loggedIn.body.token);
      const me = () => send('GET', `${url}/auth/me`, undefined, session);
      expect((await me()).body).toEqual({ user: registered.body.user });
      expect((await send('POST', `${url}/auth/logout`, undefined, session)).status).toBe(204);
      expect((await me()).status).toBe(401);

      const first = bearer(registered.body.token);
      const change = { current_password: PASSWORD, new_password: 'another horse' };
      const changed = await send('POST', `${url}/auth/password`, change, first);
      expect(changed.status).toBe(200);
      expect((await login(service, 'a@example.com')).status).toBe(401);
      const last = bearer(changed.body.token);
      expect((await send('DELETE', `${url}/auth/me`, undefined, last)).status).toBe(204);
      expect((await send('GET', `${url}/auth/me`, undefined, last)).body.error).toMatchObject({
        status: 401,
        message: 'Account no longer exists',
      });
      // A new account does not inherit data of the deleted one.
      expect((await register(service, 'a@example.com')).body.user.id).toBe(2);
    });
  });

  test('one of twenty registrations of an address at once succeeds', async () => {
    await withService({ DATABASE_URL: await urlOf() }, async (service) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => register(service, 'a@example.com')),
      );
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });
  });

  test('attempts are limited, with the seconds to wait', async () => {
    const env = { DATABASE_URL: await urlOf(), RATE_LIMIT: 'on', RATE_LIMIT_PER_MINUTE: '3' };
    await withService(env, async (service) => {
      const answers: Answer[] = [];
      for (let tries = 0; tries < 5; tries++)
        answers.push(await login(service, `${tries}@example.com`));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
      const refused = answers.at(-1);
      expect(refused?.body.error).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect((await send('GET', `${service.url}/health`)).status).toBe(200);
      // Each process has its own counts; the counts in PostgreSQL are shared.
      await withService(env, async (other) => {
        expect((await login(other, 'x@example.com')).status).toBe(kind === 'postgres' ? 429 : 401);
      });
    });
  });

  test('SIGTERM lets running requests finish, and the process ends', async () => {
    // A loaded machine takes seconds for a hash.
    const env = { JWT_SECRET: SECRET, SHUTDOWN_TIMEOUT_MS: '60000' };
    const service = await built.start({ DATABASE_URL: await urlOf(), ...env });
    await register(service, 'a@example.com');
    const running = Array.from({ length: 4 }, () => login(service, 'a@example.com'));
    // One answer, so all have been sent; two hashes are computed at once, so the last login still waits.
    await Promise.race(running);
    const exit = service.kill('SIGTERM');
    const answers = await Promise.all(running);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.at(-1)?.headers.get('connection')).toBe('close');
    expect(await exit).toEqual({ code: 0, signal: null });
    await expect(send('GET', `${service.url}/health`)).rejects.toThrow('fetch failed');
    expect(readLog(service).at(-1)).toMatchObject({ msg: 'The service has stopped' });
    expect(service.output.stderr).toBe('');
  });

  test('a stop breaks no request of busy clients', async () => {
    const DATABASE_URL = await urlOf();
    for (let stop = 0; stop < (isLong() ? 10 : 2); stop++) {
      const service = await built.start({ DATABASE_URL, JWT_SECRET: SECRET, NODE_ENV: 'test' });
      const clients = Array.from({ length: 8 }, () => askUntilRefused(`${service.url}/auth/me`));
      await send('GET', `${service.url}/auth/me`);
      expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      for (const { statuses, broken } of await Promise.all(clients)) {
        expect([[...statuses], broken]).toEqual([[401], []]);
      }
    }
  });

  test('while it is about to stop, it answers, is not ready, and keeps no connection', async () => {
    const env = { DATABASE_URL: await urlOf(), JWT_SECRET: SECRET, SHUTDOWN_DELAY_MS: '600000' };
    const service = await built.start(env);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    expect((await send('GET', `${service.url}/ready`)).headers.get('connection')).toBe(
      'keep-alive',
    );
    service.process.kill('SIGTERM');
    await expect.poll(() => service.output.stdout).toContain('The service is stopping');
    const ready = await send('GET', `${service.url}/ready`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect(ready.body['checks']).toMatchObject({ shutdown: 'in_progress' });
    // A connection from before gets one answer.
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
    await service.kill('SIGKILL');
  });
});

test('only the mode needs to be set in development', async () => {
  const service = await built.start();
  expect(existsSync(join(built.folder, 'data', 'auth.sqlite'))).toBe(true);
  expect((await register(service, 'a@example.com')).status).toBe(201);
  expect(readLog(service)[0]).toMatchObject({
    level: 'warn',
    msg: expect.stringContaining('JWT_SECRET'),
  });
  await service.kill('SIGTERM');
});

test('npm run auth starts it, and SIGTERM stops it and not only npm', async () => {
  const DATABASE_URL = `file:${join(built.folder, 'script.sqlite')}`;
  const service = await built.startScript({ DATABASE_URL });
  expect((await send('GET', `${service.url}/ready`)).status).toBe(200);
  await service.kill('SIGTERM');
  await expect(send('GET', `${service.url}/ready`)).rejects.toThrow('fetch failed');
  expect(readLog(service).at(-1)).toMatchObject({ msg: 'The service has stopped' });
});

test('requests have ids and security headers, and are logged without secrets', async () => {
  const service = plain;
  const before = readLog(service).length;
  const given = await send('GET', `${service.url}/health`, undefined, {
    'x-request-id': 'abc-1',
  });
  expect(given.headers.get('x-request-id')).toBe('abc-1');
  const answer = await register(service, 'logged@example.com', { 'x-request-id': 'a b' });
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  for (const [name, value] of [
    ['content-security-policy', "default-src 'none';frame-ancestors 'none'"],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['referrer-policy', 'no-referrer'],
    ['cache-control', 'no-store'],
    ['x-powered-by', null],
    ['etag', null],
  ] as const) {
    expect(answer.headers.get(name), name).toBe(value);
  }
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const wrong = { email: 'logged@example.com', password: 'wrong password' };
  const failed = await send('POST', `${service.url}/auth/login`, wrong, { traceparent });
  expect(failed.body.error['requestId']).toBe(failed.headers.get('x-request-id'));
  const lines = () =>
    readLog(service)
      .slice(before)
      .filter(({ req }) => req !== undefined);
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()[1]).toMatchObject({
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: '00f067aa0ba902b7',
    req: { id: failed.headers.get('x-request-id'), method: 'POST', path: '/auth/login' },
    res: { status: 401 },
  });
  const { stdout } = service.output;
  for (const secret of [
    PASSWORD,
    'wrong password',
    'logged@example.com',
    answer.body.token,
    SECRET,
  ]) {
    expect(stdout).not.toContain(secret);
  }
});

test('metrics have a port of their own, and none by default', async () => {
  expect(plain.metricsUrl).toBeUndefined();
  expect((await send('GET', `${plain.url}/metrics`)).status).toBe(404);
  await withService({ METRICS_PORT: '0' }, async (service) => {
    await register(service, 'a@example.com');
    await login(service, 'a@example.com', 'wrong');
    expect((await send('GET', `${service.url}/metrics`)).status).toBe(404);
    const { text } = await send('GET', `${service.metricsUrl}/metrics`);
    expect(text).toContain('auth_account_events_total{type="registered"} 1');
    expect(text).toContain('auth_account_events_total{type="login_failed"} 1');
    expect(text).toContain('auth_database_up 1');
    expect(text).toMatch(/_count\{method="POST",route="\/auth\/login",status="401"\} 1/);
    expect((await send('GET', `${service.metricsUrl}/auth/me`)).status).toBe(404);
  });
});

test('clients that disconnect during a request do no harm', async () => {
  const service = plain;
  await register(service, 'left@example.com');
  const body = JSON.stringify({ email: 'left@example.com', password: PASSWORD });
  for (const sentBytes of [0, 10, body.length, body.length, body.length]) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body.slice(0, sentBytes));
    await sleep(20);
    socket.destroy();
  }
  expect((await login(service, 'left@example.com')).status).toBe(200);
  expect(service.output.stderr).toBe('');
  expect(readLog(service).filter(({ level }) => level === 'error')).toEqual([]);
});

test('a request with two Host headers gets 400, on every path', async () => {
  const service = plain;
  for (const path of ['/auth/me', '/health', '/auth/login']) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const headers = 'Host: a.example\r\nHost: b.example\r\nConnection: close';
    socket.end(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer, path).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer, path).toContain('"code":"several_hosts"');
  }
});

test('common passwords are accepted, and refused for new accounts and changes on request', async () => {
  const common = { email: 'a@example.com', password: 'PassWord' };
  const change = { current_password: PASSWORD, new_password: '12345678' };
  const changed = async (service: RunningService) => {
    const { body } = await register(service, 'careful@example.com');
    return send('POST', `${service.url}/auth/password`, change, bearer(body.token));
  };
  expect((await send('POST', `${plain.url}/auth/register`, common)).status).toBe(201);
  expect((await changed(plain)).status).toBe(200);
  await withService({ COMMON_PASSWORDS: 'refuse' }, async (service) => {
    const refused = await send('POST', `${service.url}/auth/register`, common);
    expect([refused.status, refused.body.error['message']]).toEqual([
      400,
      'Invalid request: password: Password is too common: choose another one',
    ]);
    expect((await changed(service)).status).toBe(400);
  });
});

test('a request that takes too long is aborted', async () => {
  const env = { DATABASE_URL: `file:data/${++databases}.sqlite`, SHUTDOWN_TIMEOUT_MS: '1000' };
  const service = await built.start(env);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await expect.poll(() => readLog(service).length).toBeGreaterThan(0);
  await sleep(100);
  const begin = Date.now();
  expect(await service.kill('SIGTERM')).toMatchObject({ code: 1 });
  expect(Date.now() - begin).toBeGreaterThanOrEqual(900);
  expect(Date.now() - begin).toBeLessThan(5000);
});

test('a second signal ends the process at once', async () => {
  const service = await built.start({ DATABASE_URL: `file:data/${++databases}.sqlite` });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await sleep(100);
  service.process.kill('SIGTERM');
  await expect.poll(() => service.output.stdout).toContain('The service is stopping');
  expect(await service.kill('SIGTERM')).toMatchObject({ signal: 'SIGTERM' });
});

describe('the service does not start', () => {
  test('with a wrong configuration, and reports every fault of it', async () => {
    const env = {
      PORT: 'Zq-port',
      DATABASE_URL: 'mysql://user:Zq-password@host/db',
      JWT_SECRET: 'Zq-short',
      JWT_SECRET_STRICT: '1',
      JWT_TTL_SECONDS: 'Zq-ttl',
      RATE_LIMIT: 'Zq-limit',
      LOG_LEVEL: 'Zq-level',
      TRUST_PROXY: 'Zq-proxy',
    };
    const { output, exit } = built.run(env);
    expect((await exit).code).toBe(2);
    expect(output.stdout).toBe('');
    expect(output.stderr).toMatch(
      /^error: Cannot read the configuration from the environment: 7 problems\n/,
    );
    for (const name of Object.keys(env).filter((each) => each !== 'JWT_SECRET_STRICT')) {
      expect(output.stderr).toContain(`  ${name}: use `);
    }
    expect(output.stderr).not.toContain('Zq');
  });

  test.each([
    [{ REPORTS: 'on' }, /REPORTS: is served by "stackyard-registry reports"/],
    [{ SHUTDOWN_TIMEOUT_SECONDS: '5' }, /SHUTDOWN_TIMEOUT_SECONDS: use SHUTDOWN_TIMEOUT_MS/],
    [{ WORKERS: '4' }, /WORKERS: needs PostgreSQL/],
  ])('with %j', async (env, message) => {
    const { output, exit } = built.run(env);
    expect((await exit).code).toBe(2);
    expect(output.stderr).toMatch(message);
  });

  test('without a mode and without a secret', async () => {
    const { output, exit } = built.run({ NODE_ENV: '', PORT: '0' });
    expect((await exit).code).toBe(2);
    expect(output.stdout).toBe('');
    expect(output.stderr).toMatch(
      /^error: Cannot read the configuration from the environment: 1 problem\n {2}JWT_SECRET: is not set, and neither is NODE_ENV: .*\n$/,
    );
  });

  test('on a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { output, exit } = built.run({ PORT: String(port) });
    expect((await exit).code).toBe(1);
    expect(output.stderr).toMatch(/^error: .*EADDRINUSE/);
    server.close();
  });

  test('on a file that is no database', async () => {
    const { output, exit } = built.run({ PORT: '0', DATABASE_URL: `file:${import.meta.filename}` });
    expect((await exit).code).toBe(1);
    expect(output.stderr).toMatch(/^error: Cannot open database /);
  });
});

test('a secret is rotated without ending sessions', async () => {
  const DATABASE_URL = `file:data/${++databases}.sqlite`;
  const [OLD, NEW] = [`${SECRET} old`, `${SECRET} new`];
  let token = '';
  const me = async ({ url }: RunningService) =>
    (await send('GET', `${url}/auth/me`, undefined, bearer(token))).status;
  await withService({ DATABASE_URL, JWT_SECRET: OLD }, async (service) => {
    token = (await register(service, 'a@example.com')).body.token;
    expect(await me(service)).toBe(200);
  });
  await withService(
    { DATABASE_URL, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD },
    async (service) => {
      expect(await me(service)).toBe(200);
      const kidOf = (jwt: string) =>
        JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
      const renewed = (await login(service, 'a@example.com')).body.token;
      expect(kidOf(renewed)).not.toBe(kidOf(token));
    },
  );
  await withService({ DATABASE_URL, JWT_SECRET: NEW }, async (service) => {
    expect(await me(service)).toBe(401);
  });
});

test('openapi.json is valid, complete and matches the responses', async () => {
  const { url } = plain;
  const document = (await send('GET', `${url}/openapi.json`)).body as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    components: object;
  };
  expect(
    await new Validator().validate(structuredClone<Record<string, unknown>>(document)),
  ).toEqual({ valid: true });

  // Every documented operation is there, and each path admits the documented methods and no others.
  for (const [path, operations] of Object.entries(document.paths)) {
    const documented = Object.keys(operations)
      .filter((method) => method !== 'parameters')
      .map((method) => method.toUpperCase());
    const { status, headers } = await send('OPTIONS', url + path);
    expect(status).toBe(204);
    const allowed = (headers.get('allow') ?? '')
      .split(', ')
      .filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
    expect(allowed.sort(), path).toEqual(documented.sort());
    expect((await send('PATCH', url + path)).status).toBe(405);
  }

  // Every response has a documented status and the documented form.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', components: document.components });
  const { token } = (await register(plain, 'described@example.com')).body;
  const change = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
  const calls: [method: string, path: string, body?: unknown, headers?: Record<string, string>][] =
    [
      ['POST', '/auth/register', { email: 'other@example.com', password: PASSWORD }],
      ['POST', '/auth/register', { email: 'other@example.com', password: PASSWORD }],
      ['POST', '/auth/register', { email: 'no', password: 'short' }],
      ['POST', '/auth/register', { email: 'x'.repeat(20_000) }],
      ['POST', '/auth/login', { email: 'other@example.com', password: PASSWORD }],
      ['POST', '/auth/login', { email: 'other@example.com', password: 'wrong' }],
      ['POST', '/auth/login', []],
      ['GET', '/auth/me'],
      ['GET', '/auth/me', undefined, bearer(token)],
      ['GET', '/auth/me', undefined, bearer('x')],
      ['POST', '/auth/password', { current_password: 'x', new_password: PASSWORD }, bearer(token)],
      ['POST', '/auth/password', {}, bearer(token)],
      ['POST', '/auth/password', change, bearer(token)],
      ['GET', '/auth/sessions', undefined, bearer(token)],
      ['POST', '/auth/logout', undefined, bearer(token)],
      ['POST', '/auth/logout-all'],
      ['DELETE', '/auth/me', undefined, bearer(token)],
      ['GET', '/health'],
      ['GET', '/ready'],
    ];
  const seen = new Set<number>();
  for (const [method, path, body, headers] of calls) {
    const answer = await send(method, url + path, body, headers);
    seen.add(answer.status);
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const response = responses[String(answer.status)] as
      | { content?: { 'application/json': { schema: { $ref: string } } } }
      | undefined;
    expect(response, `${method} ${path} ${answer.status}`).toBeDefined();
    const ref = response?.content?.['application/json'].schema.$ref;
    if (ref === undefined) continue;
    expect(
      ajv.validate({ $ref: `doc${ref}` }, answer.body),
      `${ajv.errorsText()}: ${answer.text}`,
    ).toBe(true);
  }
  expect([...seen].sort((a, b) => a - b)).toEqual([200, 201, 400, 401, 403, 409, 413]);
});
