import { expect, test } from 'vitest';
import { signRequest } from './s3.js';

// The examples of "Signature Calculations for the Authorization Header" and "Query Parameters" in the API reference of
// S3.
const KEYS = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW = new Date('2013-05-24T00:00:00Z');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const BASE = 'https://examplebucket.s3.amazonaws.com';

test.each([
  [
    'GET',
    '/test.txt',
    {},
    { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT',
    '/test%24file.text',
    {},
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET',
    '/',
    { 'max-keys': '2', prefix: 'J' },
    { 'x-amz-content-sha256': EMPTY },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
  [
    'GET',
    '/',
    { lifecycle: '' },
    { 'x-amz-content-sha256': EMPTY },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
] as const)('%s %s is signed by headers as S3 documents it', (method, path, query, headers, signature) => {
  const signed = signRequest(KEYS, { method, url: BASE + path, query, headers }, NOW);
  expect(signed.headers['authorization']).toMatch(new RegExp(`,Signature=${signature}$`));
});

test('an address is signed as S3 documents it', () => {
  const { url } = signRequest(KEYS, { method: 'GET', url: `${BASE}/test.txt` }, NOW, 86_400);
  expect(new URL(url).searchParams.get('X-Amz-Signature')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test('a session token is part of both', () => {
  const keys = { ...KEYS, sessionToken: 'a/b+c=' };
  expect(signRequest(keys, { method: 'GET', url: `${BASE}/a` }, NOW).headers['x-amz-security-token']).toBe('a/b+c=');
  expect(signRequest(keys, { method: 'GET', url: `${BASE}/a` }, NOW, 60).url).toContain(
    'X-Amz-Security-Token=a%2Fb%2Bc%3D',
  );
});
