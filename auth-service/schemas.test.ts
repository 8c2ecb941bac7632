// The documented bodies and the rules by which the account module reads them are the same.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseLogin,
  parsePasswordChange,
  parseRegistration,
} from '../builds/stackyard/account-core/bodies.ts';
import { Login, PasswordChange, Registration } from './schemas.ts';
import { runs } from '../tests/run/runs.ts';

function isTaken(parse: (body: unknown) => unknown, body: unknown): boolean {
  try {
    parse(body);
    return true;
  } catch {
    return false;
  }
}

const BODIES: readonly unknown[] = [
  null,
  [],
  'x',
  1,
  {},
  { email: 'a@example.com' },
  { email: 1, password: '12345678' },
  { email: 'a@example.com', password: '12345678', role: 'x' },
  ...[
    '1234567',
    '12345678',
    '🙂'.repeat(7),
    '🙂'.repeat(8),
    'x'.repeat(200),
    'x'.repeat(201),
    '🙂'.repeat(200),
  ].flatMap((password) => [
    { email: 'a@example.com', password },
    { current_password: '', new_password: password },
    { current_password: 1, new_password: password },
  ]),
];

test.each(BODIES)('are taken or refused by both: %j', (body) => {
  expect(isTaken(parseRegistration, body)).toBe(Registration.safeParse(body).success);
  expect(isTaken(parseLogin, body)).toBe(Login.safeParse(body).success);
  expect(isTaken(parsePasswordChange, body)).toBe(PasswordChange.safeParse(body).success);
});

test('what the module takes, the documents allow', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 250 }), fc.emailAddress());
  const value = fc.oneof({ weight: 5, arbitrary: text }, fc.jsonValue());
  const body = fc.record(
    { email: value, password: value, current_password: value, new_password: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, (sent) => {
      if (isTaken(parseRegistration, sent)) expect(Registration.safeParse(sent).success).toBe(true);
      expect(isTaken(parseLogin, sent)).toBe(Login.safeParse(sent).success);
      if (isTaken(parsePasswordChange, sent))
        expect(PasswordChange.safeParse(sent).success).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});
