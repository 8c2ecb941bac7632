// WORKERS: several processes of the service on one port and one PostgreSQL.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import {
  askUntilRefused,
  type BuiltService,
  buildService,
  readLog,
  type RunningService,
  send,
} from './service-fixture.ts';

const ACCOUNT = { email: 'a@example.com', password: 'correct horse' };

let built: BuiltService;
let postgres: PostgresServer;
let databases = 0;
let env: Record<string, string>;
let service: RunningService;

beforeAll(async () => {
  built = await buildService();
  postgres = await startPostgres();
}, 60_000);

afterAll(() => {
  built?.remove();
  postgres?.remove();
});

beforeEach(async () => {
  env = {
    NODE_ENV: 'test',
    WORKERS: '4',
    DATABASE_URL: await postgres.createDatabase(`w${++databases}`),
    JWT_SECRET: 'a secret for tests that is long enough',
    METRICS_PORT: '0',
  };
  service = await built.start(env);
});

afterEach(() => service.kill('SIGTERM'));

const pidsOf = (): number[] => {
  const { pid } = service.process;
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
};
const isRunning = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

test('four workers share the accounts, and one address has the metrics of all', async () => {
  expect(pidsOf()).toHaveLength(4);
  expect((await send('POST', `${service.url}/auth/register`, ACCOUNT)).status).toBe(201);
  // A connection each, so that they reach all workers.
  const logins = await Promise.all(
    Array.from({ length: 20 }, () => send('POST', `${service.url}/auth/login`, ACCOUNT)),
  );
  expect(logins.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  const { text } = await send('GET', `${service.metricsUrl}/metrics`);
  expect(text).toContain('auth_account_events_total{type="logged_in"} 20');
  expect(text).toContain('auth_database_up 1');
  expect(text).toMatch(/_count\{method="POST",route="\/auth\/login",status="200"\} 20/);
});

test('a worker that ends by itself is replaced', async () => {
  const [first = 0, ...others] = pidsOf();
  process.kill(first, 'SIGKILL');
  const isReplaced = () => pidsOf().length === 4 && !pidsOf().includes(first);
  await expect.poll(isReplaced, { timeout: 30_000 }).toBe(true);
  expect(pidsOf()).toEqual(expect.arrayContaining(others));
  expect(readLog(service)).toContainEqual(
    expect.objectContaining({
      level: 'error',
      signal: 'SIGKILL',
      msg: expect.stringContaining('worker'),
    }),
  );
  expect((await send('GET', `${service.url}/ready`)).status).toBe(200);
});

test('a stop breaks no request of busy clients and leaves no process', async () => {
  const pids = pidsOf();
  const clients = Array.from({ length: 8 }, () => askUntilRefused(`${service.url}/health`));
  await send('GET', `${service.url}/health`);
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  for (const { statuses, broken } of await Promise.all(clients)) {
    expect([[...statuses], broken]).toEqual([[200], []]);
  }
  expect(pids.filter(isRunning)).toEqual([]);
  const messages = readLog(service).map(({ msg }) => msg);
  expect(messages.at(-1)).toBe('The service has stopped');
});

test('the workers do not outlive the first process', async () => {
  const pids = pidsOf();
  await service.kill('SIGKILL');
  await expect.poll(() => pids.filter(isRunning), { timeout: 30_000 }).toEqual([]);
});

test('it does not start on a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { output, exit } = built.run({ ...env, HOST: '127.0.0.1', PORT: String(port) });
  expect((await exit).code).toBe(1);
  expect(output.stderr).toContain('EADDRINUSE');
  expect(output.stderr).toContain('Cannot start: a worker has ended');
  taken.close();
});
