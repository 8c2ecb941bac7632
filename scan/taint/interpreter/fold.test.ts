import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UNKNOWN, NOTHING, textValue } from '../value.ts';
import { foldCall, foldMethod, foldTexts } from './fold.ts';
import { positional } from './evaluator.ts';

describe('foldMethod()', () => {
  it.each([
    ['Ab', 'toString', [], 'Ab'],
    ['Ab', 'toLowerCase', [], 'ab'],
    ['Ab', 'upper', [], 'AB'],
    ['abc', '$reverse', [], 'cba'],
    ['a', 'concat', ['b', undefined, 'c'], `ab${UNKNOWN}c`],
    ['ab', 'repeat', ['3'], 'ababab'],
    ['axbx', 'replace', ['x', '$&'], 'a$&b$&'],
    ['abcd', 'slice', ['1', '-1'], 'bc'],
    ['abcd', 'substring', ['3', '1'], 'bc'],
    ['abcd', 'substr', ['1', '2'], 'bc'],
    ['abcd', 'substr', ['2'], 'cd'],
    ['abcd', 'charAt', ['1'], 'b'],
    ['a{}b{0}', 'format', [], `a${UNKNOWN}b${UNKNOWN}`],
  ])('%j.%s(%j)', (text, method, args, result) => {
    expect(foldMethod(text, method, args)).toBe(result);
  });

  it.each([
    ['a', 'repeat', ['1e9']],
    ['a', 'repeat', ['-1']],
    ['a', 'repeat', [undefined]],
    ['a', 'replace', ['', 'b']],
    ['a', 'replace', ['a', undefined]],
    ['a', 'slice', [undefined]],
    ['a', 'slice', ['1.5']],
    ['a', 'slice', ['0', 'x']],
    ['a', 'toFixed', []],
  ])('%j.%s(%j) is not known', (text, method, args) => {
    expect(foldMethod(text, method, args)).toBeUndefined();
  });
});

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Compresses to bytes without a NUL, which stands for an unknown part. */
const TEXT = Array.from({ length: 50 }, (_, n) => n * n).join(' ');

describe('foldCall()', () => {
  it.each([
    ['atob', ['YWI='], 'ab'],
    ['atob', [' YW\nI '], 'ab'],
    ['base64.b64decode', ['YWI='], 'ab'],
    ['base64.urlsafe_b64decode', ['_w=='], '\u00ff'],
    ['base64.b16decode', ['6162'], 'ab'],
    ['Buffer.from', ['ab'], 'ab'],
    ['Buffer.from', ['6162', 'hex'], 'ab'],
    ['Buffer', ['YWI', 'base64url'], 'ab'],
    ['bytes.fromhex', ['61 62'], 'ab'],
    ['binascii.unhexlify', ['6162'], 'ab'],
    ['codecs.decode', ['nO', 'rot13'], 'aB'],
    ['codecs.decode', ['6162', 'hex'], 'ab'],
    ['codecs.decode', ['YWI=', 'base64'], 'ab'],
    ['unescape', ['%61%u0062c'], 'abc'],
    ['decodeURIComponent', ['%2Fa'], '/a'],
    ['String.fromCharCode', ['97', '98'], 'ab'],
    ['String.fromCodePoint', ['128512'], '\u{1f600}'],
    ['builtins.chr', ['97'], 'a'],
    ['path.join', ['a', '/b', undefined], `a/b/${UNKNOWN}`],
    ['os.path.join', ['~', '.ssh'], '~/.ssh'],
  ])('%s(%j)', (name, args, result) => {
    expect(foldCall(name, args)).toBe(result);
  });

  it('does not decompress to more than 200,000 bytes', () => {
    const pattern = Array.from({ length: 10 }, (_, n) => (n * n * 7 + n) % 997).join(' ');
    const bytesOf = (size: number): Buffer =>
      deflateRawSync(pattern.repeat(Math.ceil(size / pattern.length)));
    expect(bytesOf(250_000).includes(0)).toBe(false);
    expect(foldCall('zlib.inflateRawSync', [latin1(bytesOf(250_000))])).toBeUndefined();
  });

  it.each([
    ['zlib.inflateSync', deflateSync(TEXT)],
    ['zlib.decompress', deflateSync(TEXT)],
    ['zlib.inflateRawSync', deflateRawSync(TEXT)],
    ['zlib.unzipSync', deflateRawSync(TEXT)],
  ])('%s decompresses', (name, bytes) => {
    expect(foldCall(name, [latin1(bytes)])).toBe(TEXT);
  });

  it.each([
    ['atob', ['a-b!']],
    ['bytes.fromhex', ['616']],
    ['base64.b32decode', ['ME======']],
    ['codecs.decode', ['a', 'utf8']],
    ['zlib.inflateSync', ['not compressed']],
    ['String.fromCharCode', ['97', undefined]],
    ['String.fromCharCode', ['1114112']],
    ['atob', [`YWI${UNKNOWN}`]],
    ['atob', [undefined]],
    ['path.join', []],
    ['eval', ['a']],
  ])('%s(%j) is not known', (name, args) => {
    expect(foldCall(name, args)).toBeUndefined();
  });
});

describe('foldTexts()', () => {
  it('folds every text of the first argument', () => {
    const first = { ...NOTHING, texts: ['YQ==', 'Yg==', '!'] };
    expect(foldTexts('atob', positional(first))).toEqual(['a', 'b']);
  });

  it('joins the constant parts of a path that follow an unknown part', () => {
    expect(foldTexts('path.join', positional(NOTHING, textValue('.ssh')))).toEqual([
      `${UNKNOWN}/.ssh`,
    ]);
    const first = textValue(`${UNKNOWN}/a`);
    expect(foldTexts('path.join', positional(first, textValue('b')))).toEqual([`${UNKNOWN}/a/b`]);
  });

  it('has no texts for other APIs and without arguments', () => {
    expect(foldTexts('eval', positional(textValue('a')))).toEqual([]);
    expect(foldTexts('path.join', positional())).toEqual([]);
  });

  it('reads a bounded number of arguments', () => {
    const codes = Array.from({ length: 5_000 }, () => textValue('97'));
    expect(foldTexts('String.fromCharCode', positional(...codes))[0]).toHaveLength(2_000);
  });
});
