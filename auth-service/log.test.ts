// What is written to the log, and what is not.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { createLog, logRequest } from './log.ts';

function capture(level = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(line) });
  return { log, lines, parse: () => JSON.parse(lines[0] ?? '') as Record<string, unknown> };
}

test('createLog() writes a line with level and time', () => {
  const { log, parse } = capture();
  log.info({ port: 1 }, 'text');
  expect(parse()).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    port: 1,
    msg: 'text',
  });
});

test('createLog() writes of an error its code, message, stack and causes, and no other field', () => {
  const { log, lines, parse } = capture();
  const cause = Object.assign(new Error('inner'), {
    code: '23505',
    detail: 'Key (email)=(S1)',
    parameters: ['S2'],
  });
  log.error({ err: new Error('outer', { cause }) });
  expect(lines[0]).not.toMatch(/S[12]/);
  expect(parse()['err']).toEqual({
    type: 'Error',
    message: 'outer',
    stack: expect.any(String),
    cause: { type: 'Error', code: '23505', message: 'inner', stack: expect.any(String) },
  });
});

test('createLog() writes no stacks while the database is unavailable', () => {
  const { log, parse } = capture();
  log.error({ err: Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }) });
  expect(parse()['err']).toEqual({
    type: 'Error',
    code: 'SQLITE_BUSY',
    message: 'database is locked',
  });
});

test('createLog() ends for an error that is its own cause', () => {
  const { log, lines } = capture();
  const error = new Error('x');
  error.cause = error;
  log.error({ err: error });
  expect(lines).toHaveLength(1);
});

function logged(status: number, path = '/auth/me', failure?: unknown, isEnded = true): object {
  const { log, lines, parse } = capture('debug');
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', ip: '1.2.3.4' });
  const res = Object.assign(new ServerResponse(req), {
    locals: failure === undefined ? {} : { failure },
    get: () => 'id-1',
  });
  res.statusCode = status;
  if (isEnded) res.end();
  logRequest(log, req as Request, path, res as unknown as Response, 1.6);
  expect(lines).toHaveLength(1);
  return parse();
}

test('logRequest() writes id, method, path, status and time', () => {
  expect(logged(200)).toEqual({
    level: 'info',
    time: expect.any(String),
    req: { id: 'id-1', method: 'GET', path: '/auth/me', address: '1.2.3.4' },
    res: { status: 200 },
    responseTime: 2,
    msg: 'request completed',
  });
});

test.each([
  [200, '/auth/me', 'info'],
  [401, '/auth/me', 'info'],
  [200, '/health', 'debug'],
  [200, '/ready', 'debug'],
  [404, '/health', 'info'],
  [503, '/ready', 'warn'],
  [500, '/auth/login', 'error'],
])('logRequest() writes %i of %s as %s', (status, path, level) => {
  expect(logged(status, path)).toMatchObject({ level, res: { status } });
});

test('logRequest() writes one line whatever the path is', () => {
  const path = '/"},\r\n{"level":"fatal"\u2028\u0000';
  expect(logged(404, path)).toMatchObject({ req: { path } });
});

test('logRequest() writes the error that was answered', () => {
  const failure = Object.assign(new Error('no such table'), { password: 'S1' });
  const line = logged(500, '/auth/login', failure);
  expect(line).toMatchObject({
    level: 'error',
    err: { type: 'Error', message: 'no such table', stack: expect.any(String) },
    msg: 'request errored',
  });
  expect(JSON.stringify(line)).not.toContain('S1');
});

test('logRequest() marks requests whose client disconnected', () => {
  expect(logged(200, '/auth/login', undefined, false)).toMatchObject({ msg: 'request aborted' });
});
