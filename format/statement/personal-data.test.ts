import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personalDataIn } from './personal-data.ts';

describe('personalDataIn()', () => {
  it.each([
    ['Ask bob@example.org about it', 'an e-mail address'],
    ['mailto:Bob.Smith+x@mail.example.co.uk', 'an e-mail address'],
    ['Call +49 30 1234 5678', 'a phone number'],
    ['(030) 1234-56789', 'a phone number'],
    ['0049301234567', 'a phone number'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'a token'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'a token'],
    ['key AKIAIOSFODNN7EXAMPLE', 'a token'],
    ['-----BEGIN PRIVATE KEY-----', 'a token'],
    ['secret 3f2a9c0b1d4e5f60718293a4b5c6d7e8f901', 'a token'],
    ['client 203.0.113.9 was refused', 'an IP address'],
  ])('finds in %j %s', (text, kind) => {
    expect(personalDataIn(text)).toBe(kind);
  });

  it.each([
    '',
    'Works with express@4.10.0 and @scope/package@^1.2.3',
    'Node 24.1.0, npm 11.2.0, TypeScript 5.9.3',
    'Failed on 2026-11-21 at 09:30:00 after 1200 ms',
    'Listening on 127.0.0.1:3000 and 0.0.0.0, 192.168.1.10 too',
    'ERR_MODULE_NOT_FOUND in src/account/middleware/require-auth.test.ts line 120',
    'TypeError: Cannot read properties of undefined (reading "user")',
    'Exit status 1 after 3 of 214 tests; 1234567 bytes',
    'version 1.2.3.4000',
  ])('finds nothing in %j', (text) => {
    expect(personalDataIn(text)).toBeUndefined();
  });

  it('finds an address in any text around it, and throws nothing', () => {
    const around = fc.string({
      unit: fc.constantFrom('a', ' ', '.', '-', '1', '(', '\n'),
      maxLength: 100,
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(personalDataIn(`${before} bob@example.org ${after}`)).toBe('an e-mail address');
        personalDataIn(before + after);
      }),
    );
  });
});
