import { describe, expect, it } from 'vitest';
import { EXPRESS, HONO, readJavaScript } from './framework.ts';
import { readTree } from './tree.ts';

describe('isMade()', () => {
  it.each([
    ["import express from 'express'; express();", EXPRESS, 1],
    ["import * as e from 'express'; e();", EXPRESS, 1],
    ["import e = require('express'); e();", EXPRESS, 1],
    ["const e = require('express'); e(); e.Router();", EXPRESS, 1],
    ["import express from 'other'; express();", EXPRESS, 0],
    ["import { Hono as H } from 'hono'; new H();", HONO, 1],
    ["const { Hono } = require('hono'); new Hono();", HONO, 1],
    ["import { Hono } from 'hono'; Hono();", HONO, 0],
  ])('%s', (text, framework, count) => {
    const tree = readTree('a.ts', text)!;
    const names = framework.namesIn(tree);
    expect(tree.nodes.filter((node) => framework.isMade(node, names))).toHaveLength(count);
  });
});

describe('readJavaScript()', () => {
  it('reads imports, names and texts', () => {
    const code = readJavaScript(
      'a.ts',
      "import a from 'x';\nconst b = require('y').c;\nexport function f() { return '/auth'; }\n",
    )!;
    expect(code.imports).toHaveLength(2);
    expect([...code.names]).toEqual(['a', 'b', 'f']);
    expect(code.strings).toEqual(['y', '/auth']);
  });

  it.each([
    ['#!/usr/bin/env node\na();\n', 20],
    ["'use strict';\na();\n", 14],
    ['\u{FEFF}a();\n', 1],
    ['// comment\na();\n', 0],
  ])('puts imports of %j at %i', (text, top) => {
    expect(readJavaScript('a.js', text)!.top).toBe(top);
  });

  it.each([
    ['const f = [1];', 'list', 1],
    ['const f = [1, , 2];', 'list', 0],
    ['const f = [1]; function g() { const f = [2]; }', 'list', 2],
    ['const f = [1];', 'routers', 0],
  ] as const)('lists in %s of %s:f', (text, kind, count) => {
    expect(readJavaScript('a.ts', text)!.lists({ kind, name: 'f' })).toHaveLength(count);
  });

  it('is undefined for a syntax error', () => {
    expect(readJavaScript('a.ts', 'const = 1;')).toBeUndefined();
  });
});
