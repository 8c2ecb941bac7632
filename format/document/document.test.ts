import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_DOCUMENT_BYTES, TIMESTAMP_PATTERN, parseDocument } from './document.ts';
import { FormatError } from '../errors.ts';

const Schema = z.object({ a: z.int(), b: z.array(z.string()).optional() });
const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (bytes: Uint8Array) => parseDocument(Schema, bytes, '/x.json');

test('parseDocument() reads a document and drops fields that it does not know', () => {
  expect(parse(bytesOf('{"a":1,"new":{"b":2}}'))).toEqual({ a: 1 });
});

test.each([
  ['too many bytes', new Uint8Array(MAX_DOCUMENT_BYTES + 1), 'it has 5000001 bytes, at most'],
  ['bytes that are not UTF-8', new Uint8Array([0xff]), 'it is not UTF-8'],
  ['a byte order mark', bytesOf('\ufeff{"a":1}'), 'it is not JSON'],
  ['text', bytesOf('Not found'), 'it is not JSON'],
  ['nothing', bytesOf(''), 'it is not JSON'],
  ['half a pair', bytesOf(String.raw`{"a":"\ud83d"}`), 'a string has half of a surrogate pair'],
  [
    'half a pair as a key',
    bytesOf(String.raw`{"\uDC00":1}`),
    'a string has half of a surrogate pair',
  ],
  ['a page', bytesOf('\n<!DOCTYPE html><html>'), 'it is an HTML page, not JSON'],
  ['another type', bytesOf('[]'), 'the document: '],
  ['a bad field', bytesOf('{"a":1,"b":[1]}'), 'field "b.0": '],
  ['a missing field', bytesOf('{}'), 'field "a": '],
])('parseDocument() refuses %s', (_, bytes, problem) => {
  expect(() => parse(bytes)).toThrow(expect.objectContaining({ code: 'ERR_DOCUMENT' }));
  expect(() => parse(bytes)).toThrow(`Cannot read /x.json: ${problem}`);
});

test('parseDocument() throws FormatError only', () => {
  const text = fc.oneof(fc.json(), fc.string(), fc.constant('['.repeat(100_000)));
  fc.assert(
    fc.property(text, (source) => {
      let thrown: unknown;
      try {
        parse(bytesOf(source));
      } catch (error) {
        thrown = error;
      }
      expect(thrown === undefined || thrown instanceof FormatError).toBe(true);
    }),
  );
});

test.each([
  ['2026-11-21T09:30:00.000Z', true],
  ['2026-11-21T09:30:00Z', false],
  ['2026-11-21T09:30:00.000+01:00', false],
  ['2026-11-21T09:30:00.000Z\n', false],
])('TIMESTAMP_PATTERN matches %j: %s', (text, wanted) => {
  expect(TIMESTAMP_PATTERN.test(text)).toBe(wanted);
});
