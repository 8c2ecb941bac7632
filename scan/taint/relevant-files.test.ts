import { describe, expect, it } from 'vitest';
import { openBuild } from '../open-build.ts';
import type { ScannedFile } from '../scanned-file.ts';
import { relevantFiles, sizeOf } from './relevant-files.ts';

const MANIFEST = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
} as const;

function opened(files: Readonly<Record<string, string>>): readonly ScannedFile[] {
  const list = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  }));
  return openBuild({ id: 'a/x', manifest: MANIFEST, files: list }).files;
}

function relevant(files: Readonly<Record<string, string>>): string[] {
  return relevantFiles(opened(files)).map((f) => f.path);
}

describe('relevantFiles()', () => {
  it.each([
    "require('child_process')",
    'process.env',
    "from 'node:fs'",
    'import x from "execa"',
    "require('fs/promises')",
    "require('follow-redirects')",
    'eval (x)',
    'Function   (x)',
    'fetch(x)',
    '$.ajax(x)',
    'Deno.run',
    'atob(x)',
    String.raw`"\x41\x42\x43\x44"`,
    'document.cookie',
    'require(name)',
    'import("data:a")',
    'a = global',
    "window['a']",
    'x.constructor("a")',
    "x['constructor']",
  ])('JavaScript with %s', (text) => {
    expect(relevant({ 'a.js': text })).toEqual(['a.js']);
  });

  it.each([
    'process.stdout.write(1)',
    'process.argv',
    'process.exitCode',
    "require('lodash')",
    "import('./a.js')",
    'evaluate(x)',
    'prefetch(x)',
    'networkFs',
    'global.x',
  ])('not JavaScript with %s', (text) => {
    expect(relevant({ 'a.js': text })).toEqual([]);
  });

  it.each(['import os', 'exec(x)', '__import__', 'urllib3', 'discord_webhook', 'open("a")'])(
    'Python with %s',
    (text) => {
      expect(relevant({ 'a.py': text })).toEqual(['a.py']);
    },
  );

  it.each(['import math', 'os_name = 1', 'reopened = 1', 'executor'])(
    'not Python with %s',
    (text) => {
      expect(relevant({ 'a.py': text })).toEqual([]);
    },
  );

  it('ignores other files', () => {
    expect(relevant({ 'a.md': 'eval(x)', 'a.json': '{"eval": 1}' })).toEqual([]);
  });

  it('adds the files that import others or are imported', () => {
    const files = {
      'a.js': "fetch(require('./b.js'))",
      'b.js': 'module.exports = require(`./c.js`)',
      'c.js': 'module.exports = 1',
      'd.py': 'from .e import f',
      'other.js': 'module.exports = 2',
    };
    expect(relevant(files)).toEqual(['a.js', 'b.js', 'c.js', 'd.py']);
    expect(relevant({ 'b.js': "module.exports = require('./c.js')" })).toEqual([]);
  });

  it.each([`/*${'x '.repeat(110_000)}*/\n`, 'void 0;\n'.repeat(30_000)])(
    'adds them however much is in front: %.9s',
    (padding) => {
      const files = {
        'a.js': `${padding}exports.begin = fetch`,
        'b.js': `${padding}for (const one of require('./c.js')) require('./a.js').begin(one)`,
        'c.js': `${padding}module.exports = ['https://files.host-of-a.io/a']`,
      };
      expect(relevant(files)).toEqual(['a.js', 'b.js', 'c.js']);
    },
  );

  it('adds the shortest of a very large build', () => {
    const files = { 'a.js': "fetch(require('./b.js'))", 'b.js': 'let a;', 'c.js': 'export {}' };
    const large = `export * from './c.js';${'void 0;\n'.repeat(124_000)}`;
    expect(relevant({ ...files, 'd.js': large })).toEqual(['a.js', 'b.js', 'c.js', 'd.js']);
    const larger = { ...files, 'd.js': large, 'e.js': large };
    expect(relevant(larger)).toEqual(['a.js', 'b.js', 'c.js', 'd.js']);
  });
});

describe('sizeOf()', () => {
  it('adds the characters of all files', () => {
    expect(sizeOf(opened({ 'a.js': 'ab', 'b.js': 'c' }))).toBe(3);
    expect(sizeOf([])).toBe(0);
  });
});
