import { describe, expect, it } from 'vitest';
import { toCommonJs } from './to-common-js.ts';

describe('toCommonJs()', () => {
  it.each([
    [
      'named imports',
      "import { a, b as c } from './a.js';\nuse(a, c);\n",
      "const { a, b: c } = require('./a.js');\nuse(a, c);\n",
    ],
    [
      'a module',
      "import * as fs from 'node:fs';\nimport './side.js';\n",
      "const fs = require('node:fs');\nrequire('./side.js');\n",
    ],
    [
      'defaults',
      "import fs from 'node:fs';\nimport express, { Router } from 'express';\nimport own from './own.js';\n",
      "const fs = require('node:fs');\nconst express = ((m) => (m.__esModule ? m.default : m))(require('express'));\nconst { Router } = require('express');\nconst own = require('./own.js').default;\n",
    ],
    [
      'declarations',
      '/** One. */\nexport function f() {}\n\nexport class A {}\nexport const { b, c: [d] } = e;\nconst g = 1;\nexport { g as h };\n',
      '/** One. */\nfunction f() {}\n\nclass A {}\nconst { b, c: [d] } = e;\nconst g = 1;\n\nmodule.exports = { f, A, b, d, h: g };\n',
    ],
    [
      'exports of other modules',
      "export * from './a.js';\nexport * as b from './b.js';\nexport { c, default as d } from './c.js';\n",
      "\nmodule.exports = {\n  ...require('./a.js'),\n  b: require('./b.js'),\n  c: require('./c.js').c,\n  d: require('./c.js').default,\n};\n",
    ],
    [
      'a default',
      'export default function f() {}\n',
      'function f() {}\n\nmodule.exports = { default: f };\n',
    ],
    [
      'a default value',
      'export default { a: 1 };\n',
      'const exportedDefault = { a: 1 };\n\nmodule.exports = { default: exportedDefault };\n',
    ],
    [
      'the place of the file',
      'use(import.meta.dirname, import.meta.url);\n',
      "use(__dirname, require('node:url').pathToFileURL(__filename).href);\n",
    ],
    ['import()', "const a = () => import('a');\n", "const a = () => import('a');\n"],
  ])('converts %s', (_, text, expected) => {
    const converted = toCommonJs('a.js', text);
    expect(typeof converted === 'string' ? converted.trimStart() : converted).toBe(
      expected.trimStart(),
    );
  });

  it.each([
    ['await f();', 'an "await" at the top'],
    ['for await (const a of b) use(a);', 'an "await" at the top'],
    ['import.meta.resolve("a");', '"import.meta"'],
    ['export let a = 1;', 'an export that changes'],
  ])('refuses %s', (text, what) => {
    expect(toCommonJs('a.js', text)).toEqual({ why: `${what} needs an ES module` });
  });

  it('keeps an await of a function', () => {
    expect(toCommonJs('a.js', 'async function f() {\n  await g();\n}\n')).toBe(
      'async function f() {\n  await g();\n}\n',
    );
  });
});
