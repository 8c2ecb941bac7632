import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AuthServiceError, createRequestLog, noteFailure, tryParseTrace } from './answer.ts';
import { createLog } from './log.ts';

// The line of a request.

const REQUEST = { id: 'id-1', method: 'GET', durationMs: 1.6, trace: undefined };

function logged(status: number, path = '/auth/me', failure?: unknown): object | undefined {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  res.statusCode = status;
  res.end();
  if (failure !== undefined) noteFailure(res, failure);
  createRequestLog(log)({ ...REQUEST, path }, res);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as object;
}

test('createRequestLog() writes id, method, path, status and time', () => {
  expect(logged(200)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    req: { id: 'id-1', method: 'GET', path: '/auth/me' },
    res: { status: 200 },
    responseTime: 2,
    msg: 'request completed',
  });
});

test.each([
  [200, '/auth/me', 'info'],
  [401, '/auth/me', 'info'],
  [200, '/health', 'debug'],
  [200, '/ready/', 'debug'],
  [404, '/health', 'info'],
  [503, '/ready', 'warn'],
  [500, '/auth/login', 'error'],
])('createRequestLog() writes %i of %s as %s', (status, path, level) => {
  expect(logged(status, path)).toMatchObject({ level, res: { status } });
});

test('createRequestLog() writes one line whatever the path is', () => {
  const path = '/"},\r\n{"level":"fatal"\u2028\u0000';
  expect(logged(404, path)).toMatchObject({ req: { path } });
});

test('createRequestLog() writes the error that was answered, redacted', () => {
  const failure = Object.assign(new Error('no such table'), { password: 'S1' });
  const line = logged(500, '/auth/login', failure);
  expect(line).toMatchObject({
    level: 'error',
    err: { type: 'Error', message: 'no such table', stack: expect.any(String) },
    msg: 'request errored',
  });
  expect(JSON.stringify(line)).not.toContain('S1');
  const away = new AuthServiceError('ERR_STORE_UNAVAILABLE', 'away');
  expect(logged(503, '/auth/login', away)).toMatchObject({
    level: 'warn',
    err: { message: 'away' },
  });
});

test('createRequestLog() marks requests whose client disconnected', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  createRequestLog(log)({ ...REQUEST, path: '/auth/login' }, res);
  expect(lines[0]).toContain('"msg":"request aborted"');
});

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

test.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01-more`])(
  'tryParseTrace() reads %s',
  (header) => expect(tryParseTrace(header)).toEqual({ trace_id: TRACE, span_id: SPAN }),
);

test.each([
  undefined,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01"`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('tryParseTrace() does not take %j', (header) => expect(tryParseTrace(header)).toBeUndefined());
