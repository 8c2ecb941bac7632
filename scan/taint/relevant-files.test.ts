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

  it('adds the files of a small build that import others or are imported', () => {
    const files = {
      'a.js': "fetch(require('./b.js'))",
      'b.js': "module.exports = require('./c.js')",
      'c.js': 'module.exports = 1',
      'd.py': 'from .e import f',
      'other.js': 'module.exports = 2',
    };
    expect(relevant(files)).toEqual(['a.js', 'b.js', 'c.js', 'd.py']);
    expect(relevant({ ...files, 'e.js': 'x;'.repeat(150_000) })).toEqual(['a.js']);
    expect(relevant({ 'b.js': "module.exports = require('./c.js')" })).toEqual([]);
  });
});

describe('sizeOf()', () => {
  it('adds the characters of all files', () => {
    expect(sizeOf(opened({ 'a.js': 'ab', 'b.js': 'c' }))).toBe(3);
    expect(sizeOf([])).toBe(0);
  });
});

describe('relevantFiles() of a large build', () => {
  const CALL = "begin('https://files.host-of-a.io/a');\n";
  const large = (start: string): Record<string, string> => ({
    'package/start.py': `import os\n${'# x\n'.repeat(30_000)}`,
    'package/__init__.py': `${start}${CALL}`,
    'package/code.py': 'pad = 1\n'.repeat(14_000),
  });

  it.each([
    `from .start import begin\n${'# x\n'.repeat(30_000)}`,
    `from . import start\n${'pad = 1\n'.repeat(14_000)}`,
    `from .start import begin\n# ${'x '.repeat(400_000)}\n`,
  ])('has what passes an address to one of them: %.24s', (start) => {
    expect(relevant(large(start))).toEqual(['package/start.py', 'package/__init__.py']);
  });

  it.each([
    `from .other import begin\n${'# x\n'.repeat(30_000)}`,
    `from .start import begin\n${'padding = 1\n'.repeat(20_000)}`,
  ])('has no other and no long ones: %.24s', (start) => {
    expect(relevant(large(start))).toEqual(['package/start.py']);
  });
});
