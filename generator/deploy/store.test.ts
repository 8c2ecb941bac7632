import { describe, expect, it } from 'vitest';
import { isClockFailure, isPassingFailure, storeError } from './store.ts';

function failure(name: string, status?: number, code?: string): Error {
  const metadata = status === undefined ? {} : { $metadata: { httpStatusCode: status } };
  return Object.assign(new Error('AKIASECRET was refused'), {
    name,
    ...metadata,
    ...(code === undefined ? {} : { code }),
  });
}

describe('isPassingFailure()', () => {
  it.each([
    [failure('SlowDown', 503), true],
    [failure('Anything', 500), true],
    [failure('TooMany', 429), true],
    [failure('ConditionalRequestConflict', 409), true],
    [failure('Error', undefined, 'ECONNRESET'), true],
    [failure('TimeoutError'), true],
    [failure('NotImplemented', 501), false],
    [failure('AccessDenied', 403), false],
    [failure('NoSuchBucket', 404), false],
    ['text', false],
  ])('%s: %s', (error, passing) => {
    expect(isPassingFailure(error)).toBe(passing);
  });
});

describe('storeError()', () => {
  it.each([
    [failure('CredentialsProviderError'), 'ERR_STORE_ACCESS', 'no credentials'],
    [failure('SignatureDoesNotMatch', 403), 'ERR_STORE_ACCESS', 'SignatureDoesNotMatch'],
    [failure('ExpiredToken', 400), 'ERR_STORE_ACCESS', 'ExpiredToken'],
    [failure('NoSuchBucket', 404), 'ERR_STORE', 'no such bucket'],
    [failure('PermanentRedirect', 301), 'ERR_STORE', 'another region'],
    [failure('Error', undefined, 'ENOTFOUND'), 'ERR_STORE_UNREACHABLE', 'ENOTFOUND'],
    [failure('NotImplemented', 501), 'ERR_STORE', 'does not support conditional writes'],
    [failure('InternalError', 500), 'ERR_STORE', 'answers 500 (InternalError)'],
    [failure('<b>AKIASECRET</b>', 418), 'ERR_STORE', 'UnknownError'],
  ])('%s is %s', (error, code, text) => {
    const shown = storeError(error, 's3://bucket', 'read "registry.json"');
    expect(shown).toMatchObject({ code, hint: expect.any(String) });
    expect(shown.message).toMatch(/^Cannot read "registry.json" at s3:\/\/bucket: /);
    expect(shown.message).toContain(text);
    expect(`${shown.message} ${shown.hint} ${String(shown.cause)}`).not.toContain('AKIASECRET');
  });

  it('states by how much the clock is wrong', () => {
    const error = failure('RequestTimeTooSkewed', 403);
    expect(isClockFailure(error)).toBe(true);
    const shown = (ahead: number): string => storeError(error, 's3://b', 'read "x"', ahead).message;
    expect(shown(20 * 60_000)).toContain('is 20 minutes ahead of the store');
    expect(shown(-90 * 60_000)).toContain('is 90 minutes behind the store');
  });
});
