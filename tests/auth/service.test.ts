// The service as a process: how it starts, refuses to start, and stops. Its routes are tested with the application.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
let databases = 0;

beforeAll(async () => {
  built = await buildService();
});

afterAll(() => built?.remove());

const newFile = () => `file:data/${++databases}.sqlite`;
const register = ({ url }: RunningService, email: string): Promise<Answer> =>
  send('POST', `${url}/auth/register`, { email, password: PASSWORD });
const login = ({ url }: RunningService, email: string, password = PASSWORD): Promise<Answer> =>
  send('POST', `${url}/auth/login`, { email, password });

test('an account is kept over a restart with another secret', async () => {
  const DATABASE_URL = newFile();
  const [OLD, NEW] = [`${SECRET} old`, `${SECRET} new`];
  let service = await built.start({ DATABASE_URL, JWT_SECRET: OLD, NODE_OPTIONS });
  const registered = await register(service, ' A@Example.com ');
  expect(registered.status).toBe(201);
  await service.kill('SIGTERM');
  service = await built.start({
    DATABASE_URL,
    JWT_SECRET: NEW,
    JWT_SECRET_PREVIOUS: OLD,
    NODE_OPTIONS,
  });
  const { token } = (await login(service, 'a@example.com')).body;
  for (const each of [registered.body.token, token]) {
    const me = await send('GET', `${service.url}/auth/me`, undefined, bearer(each));
    expect(me.body).toEqual({ user: registered.body.user });
  }
  expect((await send('GET', `${service.url}/ready`)).status).toBe(200);
  await service.kill('SIGTERM');
});

test('failed logins are limited, with the seconds to wait', async () => {
  const env = { DATABASE_URL: newFile(), JWT_SECRET: SECRET, RATE_LIMIT: 'on', NODE_OPTIONS };
  const service = await built.start(env);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => login(service, 'a@example.com', 'wrong')),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  for (const { headers, body } of refused) {
    expect(body.error).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(headers.get('retry-after')).toBe('1');
  }
  await service.kill('SIGTERM');
});

test('SIGTERM lets running requests finish, and the process ends', async () => {
  // A loaded machine takes seconds for a hash.
  const env = { JWT_SECRET: SECRET, SHUTDOWN_TIMEOUT_MS: '60000' };
  const service = await built.start({ DATABASE_URL: newFile(), ...env });
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
  const DATABASE_URL = newFile();
  for (let stop = 0; stop < 2; stop++) {
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
  const service = await built.start({ DATABASE_URL: newFile(), SHUTDOWN_DELAY_MS: '600000' });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  expect((await send('GET', `${service.url}/ready`)).headers.get('connection')).toBe('keep-alive');
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

test('npm run auth starts it without settings, and SIGTERM stops it and not only npm', async () => {
  const DATABASE_URL = `file:${join(built.folder, 'data', 'script.sqlite')}`;
  const service = await built.startScript({ DATABASE_URL });
  expect(existsSync(join(built.folder, 'data', 'script.sqlite'))).toBe(true);
  expect((await register(service, 'a@example.com')).status).toBe(201);
  expect(readLog(service)[0]).toMatchObject({
    level: 'warn',
    msg: expect.stringContaining('JWT_SECRET'),
  });
  await service.kill('SIGTERM');
  await expect(send('GET', `${service.url}/ready`)).rejects.toThrow('fetch failed');
  expect(readLog(service).at(-1)).toMatchObject({ msg: 'The service has stopped' });
});

test('clients that disconnect during a request do no harm', async () => {
  const service = await built.start({ DATABASE_URL: newFile(), NODE_OPTIONS });
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
  await service.kill('SIGTERM');
});

describe('with a request that does not end', () => {
  const startHanging = async (env: Record<string, string> = {}): Promise<RunningService> => {
    const service = await built.start({ DATABASE_URL: newFile(), ...env });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const head =
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100';
    socket.write(`${head}\r\n\r\n`);
    // The service has the request when it asks for the body.
    await once(socket, 'data');
    socket.write('{');
    return service;
  };

  test('a stop cuts it off after SHUTDOWN_TIMEOUT_MS', async () => {
    const service = await startHanging({ SHUTDOWN_TIMEOUT_MS: '1000' });
    const begin = Date.now();
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 1 });
    expect(Date.now() - begin).toBeGreaterThanOrEqual(900);
  });

  test('a second signal ends the process at once', async () => {
    const service = await startHanging();
    service.process.kill('SIGTERM');
    await expect.poll(() => service.output.stdout).toContain('The service is stopping');
    expect(await service.kill('SIGTERM')).toMatchObject({ signal: 'SIGTERM' });
  });
});

describe('the service does not start', () => {
  test('with a wrong configuration, and reports every fault of it', async () => {
    const env = {
      NODE_ENV: 'production',
      PORT: 'Zq-port',
      DATABASE_URL: 'mysql://user:Zq-password@host/db',
      JWT_SECRET: 'Zq-short',
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
    for (const name of Object.keys(env).slice(1)) expect(output.stderr).toContain(`  ${name}: `);
    expect(output.stderr).not.toContain('Zq');
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
