import { expect, test } from 'vitest';
import { cleanName, detectType, disposition, HEAD_BYTES, isInline, KNOWN_TYPES } from './content.js';

const latin = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['\x89PNG\r\n\x1a\n....', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a<script>', 'image/gif'],
  ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
  ['\0\0\0\x18ftypmp42', 'video/mp4'],
  ['%PDF-1.7', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
  ['\xff\xfb\x90', 'audio/mpeg'],
  ['RIFF\x01\x02\x03\x04AVI ', 'application/octet-stream'],
  ['plain\ttext\r\n', 'text/plain'],
  ['a < b, and <b>bold</b> later', 'text/plain'],
  ['<!DOCTYPE html>', 'text/html'],
  [' \n<ScRiPt>', 'text/html'],
  ['<?php echo 1;', 'text/html'],
  ['<?xml version="1.0"?><a/>', 'application/xml'],
  ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'text/html'],
  ['<?xml version="1.0"?><!-- --><svg xmlns="x">', 'image/svg+xml'],
  ['caf\xe9', 'application/octet-stream'],
  ['a\0b', 'application/octet-stream'],
  ['MZ\x90\0', 'application/octet-stream'],
  ['\x7fELF', 'application/octet-stream'],
  ['', 'text/plain'],
])('%j is %s', (text, type) => {
  expect(detectType(latin(text), true)).toBe(type);
  expect(KNOWN_TYPES).toContain(type);
});

test('text in UTF-8 may have a byte order mark, and a letter that the head cuts in two', () => {
  expect(detectType(Buffer.from('\ufeff<svg>'), true)).toBe('image/svg+xml');
  const cut = Buffer.from(`${'a'.repeat(HEAD_BYTES - 1)}\u00e4`);
  expect(detectType(cut.subarray(0, HEAD_BYTES), false)).toBe('text/plain');
  expect(detectType(cut.subarray(HEAD_BYTES - 2, HEAD_BYTES), true)).toBe('application/octet-stream');
});

test('nothing that can run is shown inline', () => {
  expect(KNOWN_TYPES.filter(isInline)).not.toEqual(expect.arrayContaining(['text/html']));
  for (const type of ['text/html', 'image/svg+xml', 'application/xml', 'application/pdf', 'application/octet-stream'])
    expect(isInline(type)).toBe(false);
});

test.each([
  ['photo.png', 'photo.png'],
  ['/etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['..', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['a\0b\r\nc\u202egnp.exe', 'abcgnp.exe'],
  ['e\u0301.txt', '\u00e9.txt'],
  ['\ud800a', '\ufffda'],
  ['CON', 'CON'],
])('the name %j is kept as %j', (name, kept) => {
  expect(cleanName(name)).toBe(kept);
});

test('a long name keeps its ending, and no letter is cut', () => {
  const name = cleanName(`${'\u{1F4A9}'.repeat(100)}.jpeg`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/^\u{1F4A9}+\.jpeg$/u);
});

test('names in a header are quoted and encoded', () => {
  expect(disposition('attachment', `a"b\\c%41'(\u00e4)*.txt`)).toBe(
    `attachment; filename="a_b_c_41'(_)*.txt"; filename*=UTF-8''a%22b%5Cc%2541%27%28%C3%A4%29%2A.txt`,
  );
});
