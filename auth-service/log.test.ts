// What is written to the log, and what is not.

import { expect, test } from 'vitest';
import { AuthServiceError } from './answer.ts';
import { createLog, logEvent } from './log.ts';

function capture() {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
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

test('createLog() redacts by name', () => {
  const { log, lines } = capture();
  const secrets = {
    password: 'S1',
    token: 'S2',
    email: 'S3',
    headers: { authorization: 'S4', cookie: 'S5' },
  };
  log.info({ ...secrets, body: secrets, user: { passwordHash: 'S6', current_password: 'S7' } });
  expect(lines[0]).not.toMatch(/S[1-7]/);
  expect(lines[0]).toContain('[redacted]');
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
  const cause = new Error('connect ECONNREFUSED');
  log.error({ err: new AuthServiceError('ERR_STORE_UNAVAILABLE', 'away', { cause }) });
  expect(parse()['err']).toEqual({
    type: 'AuthServiceError',
    code: 'ERR_STORE_UNAVAILABLE',
    message: 'away',
    cause: { type: 'Error', message: 'connect ECONNREFUSED' },
  });
});

test('createLog() ends for an error that is its own cause', () => {
  const { log, lines } = capture();
  const error = new Error('x');
  error.cause = error;
  log.error({ err: error });
  expect(lines).toHaveLength(1);
});

test('logEvent() leaves out the e-mail', () => {
  const { log, lines, parse } = capture();
  logEvent(log, { type: 'login_failed', at: 'x', address: '1.2.3.4', email: 'S1@example.com' });
  expect(lines[0]).not.toContain('S1');
  expect(parse()).toMatchObject({ event: 'login_failed', address: '1.2.3.4' });
});
