import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';
import { extensionOf, fileKind, isTestOrExamplePath, isTestPath } from './file-kind.ts';

function bytes(...parts: readonly (string | number)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
  );
}

describe('decodeText()', () => {
  it.each([
    ['a.js', bytes('// ', 0xff, '\nx'), '// \uFFFD\nx'],
    ['a.js', bytes('// ', 0, '\nx'), '// \0\nx'],
    ['a.ts', bytes(0xef, 0xbb, 0xbf, 'x'), 'x'],
    [
      'bin/run',
      bytes('#!/usr/bin/env node\n// ', 0xff, '\nx'),
      '#!/usr/bin/env node\n// \uFFFD\nx',
    ],
    ['a.py', bytes('# ', 0xff, '\nx'), '# \uFFFD\nx'],
    ['a.ps1', bytes(0xff, 0xfe, 'i', 0, 'e', 0, 'x', 0), 'iex'],
    ['a.ts', bytes(0xfe, 0xff, 0, 'x'), 'x'],
    ['package.json', bytes('{"a":"', 0xff, '"}'), '{"a":"\uFFFD"}'],
    ['AGENTS.md', bytes('Read ', 0xe9, ' this'), 'Read \uFFFD this'],
    ['.npmrc', bytes('a=1\n', 0, 'b=2'), 'a=1\nb=2'],
  ])('reads %s as its reader does', (path, content, text) => {
    expect(decodeText(path, content)).toEqual({ text });
  });

  it.each([
    ['latin-1', bytes('# coding: latin-1\n"', 0xe9, '"'), '"\u00e9"'],
    ['cp1252', bytes('# -*- coding: cp1252 -*-\n"', 0x80, '"'), '"\u20ac"'],
    ['iso-8859-15', bytes('#!/bin/python\n# coding=iso-8859-15\n"', 0xa4, '"'), '"\u20ac"'],
    ['koi8-r', bytes('# coding: koi8-r\n"', 0xc1, '"'), '"\u0430"'],
    ['utf-8 of an editor', bytes('# coding: utf-8-unix\n"\u00e9"'), '"\u00e9"'],
    ['ascii', bytes('# coding: us-ascii\n"a"'), '"a"'],
    ['utf-7', bytes('# coding: utf_7\n+AGU-xec(a)+-b'), 'exec(a)+b'],
    ['unicode_escape', bytes('# coding: unicode_escape\n#\\x0aexec(a)\\u000a\\012'), 'exec(a)\n\n'],
    [
      'raw_unicode_escape',
      bytes('# coding: raw_unicode_escape\n#\\u000aexec(a)\\x0a'),
      'exec(a)\\x0a',
    ],
    ['another than its mark', bytes(0xef, 0xbb, 0xbf, '# coding: utf-7\n+AGU-'), '+AGU-'],
  ])('follows the coding line of Python: %s', (_, content, text) => {
    const decoded = decodeText('a.py', content);
    expect(decoded).not.toHaveProperty('gap');
    expect(decoded.text?.endsWith(`\n${text}`)).toBe(true);
  });

  it.each(['cp037', 'rot13', 'hz', 'iso-2022-jp', 'no-such', 'cp437'])(
    'reports that it cannot decode Python in %s',
    (coding) => {
      const { text, gap } = decodeText('a.py', bytes(`# coding: ${coding}\n# `, 0xff, '\nexec(a)'));
      expect(text).toContain('exec(a)');
      expect(gap).toBe(`its encoding "${coding}" is not one that the checks decode`);
    },
  );

  it('reports that it cannot decode names of characters', () => {
    const content = bytes('# coding: unicode_escape\n#\\N{LINE FEED}exec(a)');
    expect(decodeText('a.py', content).gap).toBe('it names characters by "\\N{...}"');
  });

  it.each([
    ['the third line', 'x = 1\n\n# coding: utf-7\n+AGU-'],
    ['a line after code', 'x = 1\n# coding: utf-7\n+AGU-'],
  ])('ignores a coding line that is %s', (_, text) => {
    expect(decodeText('a.py', Buffer.from(text))).toEqual({ text });
  });

  it.each([
    ['a.png', bytes(0x89, 'PNG\r\n', 0x1a, 0x0a, 0, 0)],
    ['data', bytes(0x7f, 'ELF', 1, 2, 0xff)],
    ['.DS_Store', bytes(0, 0, 0, 1, 'Bud1', 0, 0, 0, 0xff)],
  ])('%s is not text', (path, content) => {
    expect(decodeText(path, content).text).toBeUndefined();
  });

  it('gives UTF-8 as it is, in any file', () => {
    const name = fc.constantFrom('a.js', 'a.py', 'a.sh', 'a.json', 'a', 'a.bin');
    const content = fc
      .string({ unit: 'binary' })
      .filter((text) => !/[\0\uFEFF]|coding/.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(name, content, (path, text) => {
        expect(decodeText(path, Buffer.from(text))).toEqual({ text });
      }),
    );
  });

  it('never throws, and code is always text', () => {
    fc.assert(
      fc.property(fc.constantFrom('a.js', 'a.py'), fc.uint8Array(), (path, content) => {
        expect(typeof decodeText(path, content).text).toBe('string');
      }),
    );
  });
});

describe('fileKind()', () => {
  it.each([
    ['a.js', 'code'],
    ['src/A.PY', 'code'],
    ['Makefile', 'code'],
    ['docker/Dockerfile.dev', 'code'],
    ['x.pth', 'code'],
    ['a.json', 'data'],
    ['.npmrc', 'data'],
    ['a.html', 'data'],
    ['README.md', 'prose'],
    ['LICENSE', 'prose'],
    ['js', 'prose'],
  ])('%s: %s', (path, kind) => {
    expect(fileKind(path)).toBe(kind);
  });
});

describe('extensionOf()', () => {
  it.each([
    ['a.JS', 'js'],
    ['a.b/c', ''],
    ['.npmrc', ''],
    ['a.tar.gz', 'gz'],
    ['a.', ''],
    ['', ''],
  ])('%j: %j', (path, extension) => {
    expect(extensionOf(path)).toBe(extension);
  });
});

describe('isTestPath(), isTestOrExamplePath()', () => {
  it.each([
    ['tests/a.js', true, true],
    ['src/__tests__/a.js', true, true],
    ['examples/a.js', true, true],
    ['a.test.ts', true, true],
    ['a.spec.js', true, true],
    ['test_a.py', true, true],
    ['fixtures/a.json', true, true],
    ['mocks/a.js', true, false],
    ['testdata/a.js', true, false],
    ['a_test.go', true, false],
    ['Tests/a.js', true, false],
    ['a.bench.ts', false, true],
    ['conftest.py', false, true],
    ['src/a.js', false, false],
    ['latest/a.js', false, false],
    ['contest.py', false, false],
    ['testing.ts', false, false],
  ])('%s: %j, %j', (path, isTest, isTestOrExample) => {
    expect([isTestPath(path), isTestOrExamplePath(path)]).toEqual([isTest, isTestOrExample]);
  });
});
