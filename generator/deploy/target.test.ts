import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEndpoint, parseTarget } from './target.ts';

const usage = expect.objectContaining({ code: 'ERR_USAGE' });

describe('parseTarget()', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '', place: 's3://bucket' }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '', place: 's3://bucket' }],
    ['s3://my.bucket/a/b/', { bucket: 'my.bucket', prefix: 'a/b', place: 's3://my.bucket/a/b' }],
    ['file:/var/www', { folder: '/var/www', place: 'file:/var/www' }],
    ['file:///var/a%20b', { folder: '/var/a b', place: 'file:///var/a%20b' }],
    ['file:www', { folder: resolve('www'), place: 'file:www' }],
  ])('reads %s', (text, target) => {
    expect(parseTarget(text)).toMatchObject(target);
  });

  it.each([
    '',
    's3://',
    's3:bucket',
    's3://b/a//c',
    's3://bucket/../other',
    's3://bucket/a b',
    's3://user:secret@bucket',
    'https://bucket.example',
    'file:',
    'file://host/x',
    'file:/x?y',
  ])('refuses %j', (text) => {
    expect(() => parseTarget(text)).toThrow(usage);
  });
});

describe('parseEndpoint()', () => {
  it.each([
    ['https://s3.example.org/', 'https://s3.example.org'],
    ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ])('reads %s', (text, address) => {
    expect(parseEndpoint(text)).toBe(address);
  });

  it.each([
    's3.example.org',
    'ftp://s3.example.org',
    'https://s3.example.org/?a',
    'https://key:secret@s3.example.org',
  ])('refuses %s without printing it', (text) => {
    expect(() => parseEndpoint(text)).toThrow(usage);
    expect(() => parseEndpoint(text)).not.toThrow(/secret/);
  });
});
