import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientError } from '../errors.ts';
import { formatRequest, parseRegistryRequest, parseRequest } from './request.ts';

test.each([
  ['alice/web', { id: 'alice/web', range: undefined }],
  ['alice/web@^1.2.0', { id: 'alice/web', range: '^1.2.0' }],
  ['alice/web@1.2.3', { id: 'alice/web', range: '1.2.3' }],
  ['alice/web@1.2.3-rc.1', { id: 'alice/web', range: '1.2.3-rc.1' }],
  ['alice/web@1.2.3-v1', { id: 'alice/web', range: '1.2.3-v1' }],
  ['alice/web@>=1 <3', { id: 'alice/web', range: '>=1 <3' }],
  ['alice/web@^1 || ^2', { id: 'alice/web', range: '^1 || ^2' }],
  ['alice/web@*', { id: 'alice/web', range: '*' }],
])('parseRequest() reads %s', (text, request) => {
  expect(parseRequest(text)).toEqual(request);
});

test.each([
  '',
  '@',
  'foo',
  'Foo/Bar',
  'a/b/c',
  'a/b@',
  'a/b@ ',
  '../x',
  'a/..',
  '-C/x',
  '@a/b',
  'a/b@latest',
  'a/b@v1',
  'a/b@^v1.0.0',
  'a/b@>=2 <1',
  'a/b@1@2',
  'a/b@^1\n',
  `a/b@${'1 '.repeat(500)}`,
  'https://example.com/a/b',
])('parseRequest() refuses %j and shows the pattern', (text) => {
  let error: unknown;
  try {
    parseRequest(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ code: 'ERR_USAGE' });
  expect((error as ClientError).hint).toContain('<owner>/<name>[@<range>]');
});

test('formatRequest() is the inverse of parseRequest()', () => {
  const part = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
  const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((numbers) => numbers.join('.'));
  const range = fc
    .tuple(fc.constantFrom('', '^', '~', '>=', '<=', '>'), version)
    .map((p) => p.join(''));
  fc.assert(
    fc.property(part, part, fc.option(range, { nil: undefined }), (owner, name, wanted) => {
      const request = { id: `${owner}/${name}`, range: wanted };
      expect(parseRequest(formatRequest(request))).toEqual(request);
    }),
  );
});

test.each([
  ['corp:alice/web', { id: 'alice/web', range: undefined, registry: 'corp' }],
  ['corp:alice/web@^1.2.0', { id: 'alice/web', range: '^1.2.0', registry: 'corp' }],
  ['default:alice/web', { id: 'alice/web', range: undefined, registry: 'default' }],
  ['alice/web@1.2.3', { id: 'alice/web', range: '1.2.3' }],
])('parseRegistryRequest() reads %s, and formatRequest() is its inverse', (text, request) => {
  expect(parseRegistryRequest(text)).toEqual(request);
  expect(formatRequest(request)).toBe(text);
});

test.each([
  ':alice/web',
  'Corp:alice/web',
  '../x:alice/web',
  `${'a'.repeat(200)}:alice/web`,
  'corp:',
  'corp:web',
  'corp:alice/web@latest',
  'corp:corp:alice/web',
  'https://example.com/a/b',
  'corp\n:alice/web',
])('parseRegistryRequest() refuses %j', (text) => {
  expect(() => parseRegistryRequest(text)).toThrow(ClientError);
});

test('parseRequest() takes no registry', () => {
  expect(() => parseRequest('corp:alice/web')).toThrow('is not a build id');
});
