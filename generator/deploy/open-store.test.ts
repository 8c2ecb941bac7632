import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from './open-store.ts';

it.each([
  ['s3://bucket', 's3://bucket'],
  ['s3://bucket/', 's3://bucket'],
  ['s3://bucket/a/b-c/', 's3://bucket/a/b-c'],
  ['file:/folder', 'file:/folder'],
  ['file:///folder', 'file:///folder'],
  [`file:${resolve('folder')}`, `file:${resolve('folder')}`],
  ['file:folder', 'file:folder'],
])('openStore() opens %s', (target, place) => {
  expect(openStore(target).place).toBe(place);
});

it.each([
  '',
  'bucket',
  's3://',
  's3://b',
  's3://bucket//a',
  's3://bucket/../a',
  's3://bucket/a?b',
  'https://s3.example.org/bucket',
  'file:',
  'file://host/folder',
  'file:/folder?a',
])('openStore() refuses "%s"', (target) => {
  expect(() => openStore(target)).toThrow(expect.objectContaining({ code: 'ERR_USAGE' }));
});
