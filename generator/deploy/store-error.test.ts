import { expect, it } from 'vitest';
import { isPassing, storeError } from './store-error.ts';

function failure(name: string, status?: number, code?: string): Error {
  const $metadata = { httpStatusCode: status };
  return Object.assign(new Error('key AKID and secret'), { name, code, $metadata });
}

it.each([
  [failure('SlowDown', 503), true, 'ERR_STORE'],
  [failure('TooManyRequests', 429), true, 'ERR_STORE'],
  [failure('InternalError', 500), true, 'ERR_STORE'],
  [failure('RequestTimeout', 400), true, 'ERR_STORE'],
  [failure('ConditionalRequestConflict', 409), true, 'ERR_STORE'],
  [failure('Error', undefined, 'ECONNRESET'), true, 'ERR_STORE'],
  [failure('TimeoutError'), true, 'ERR_STORE'],
  [failure('NotImplemented', 501), false, 'ERR_STORE'],
  [failure('NoSuchBucket', 404), false, 'ERR_STORE'],
  [failure('AccessDenied', 403), false, 'ERR_STORE_ACCESS'],
  [failure('RequestTimeTooSkewed', 403), false, 'ERR_STORE_ACCESS'],
  [failure('ExpiredToken', 400), false, 'ERR_STORE_ACCESS'],
  [failure('CredentialsProviderError'), false, 'ERR_STORE_ACCESS'],
  [failure('Error', undefined, 'EACCES'), false, 'ERR_STORE_ACCESS'],
  [failure('Error', undefined, 'ENOSPC'), false, 'ERR_STORE_FULL'],
  [failure('XMinioStorageFull', 507), false, 'ERR_STORE_FULL'],
  [failure('Insufficient Storage', 507), false, 'ERR_STORE_FULL'],
])('%s may pass: %s, and is %s', (error, mayPass, code) => {
  expect(isPassing(error)).toBe(mayPass);
  expect(storeError(error, 's3://b', 'read "x"')).toMatchObject({ code });
});

it('storeError() shows only what can be a name', () => {
  const { message } = storeError(failure('AKID and secret', 400), 's3://b', 'read "x"');
  expect(message).toBe('Cannot read "x" at s3://b: 400 Error');
});
