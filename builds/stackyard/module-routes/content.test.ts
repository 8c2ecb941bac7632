import { describe, expect, test } from 'vitest';
import { checkConditions, readRange } from './content.js';

describe('ranges', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['BYTES=1-2', { first: 1, last: 2 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['bytes=0-1,3-4', undefined],
    ['items=0-1', undefined],
    ['bytes=99999999999999999999-', undefined],
    [null, undefined],
  ])('%s of ten bytes', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });
});

test.each([
  [{ 'If-None-Match': '"a"' }, 'unchanged'],
  [{ 'If-None-Match': '"x", W/"a"' }, 'unchanged'],
  [{ 'If-None-Match': '*' }, 'unchanged'],
  [{ 'If-None-Match': '"b"' }, undefined],
  [{ 'If-Match': '"a"' }, undefined],
  [{ 'If-Match': 'W/"a"' }, 'failed'],
  [{ 'If-Match': '"b"', 'If-None-Match': '"a"' }, 'failed'],
  [{}, undefined],
])('the conditions %j', (headers, result) => {
  expect(checkConditions(new Headers(headers as Record<string, string>), '"a"')).toBe(result);
});
