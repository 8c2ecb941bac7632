import { describe, expect, it } from 'vitest';
import type { ScannedFile } from '../scanned-file.ts';
import { readSyntax } from '../parse/syntax.ts';
import type { Fact } from './api.ts';
import { analyseTaint, embeddedModules } from './analyse.ts';
import { irOf } from '../../tests/taint/ir-text.ts';
import { NOTHING, UNKNOWN, textValue } from './value.ts';

function opened(path: string, text: string): ScannedFile {
  const place = () => ({ line: 1, column: 1, length: 0 });
  const syntax = readSyntax(path, text);
  return { path, bytes: Buffer.from(text), executable: false, text, syntax, place };
}

function factsIn(text: string, path = 'a.js'): string[] {
  const { facts } = analyseTaint([opened(path, text)]);
  return facts
    .filter((f) => f.action !== 'load')
    .map((f) => `${f.action} ${f.api} ${f.operand.texts.join('|')}`);
}

describe('analyseTaint()', () => {
  it.each([
    [
      "const { exec: run } = require('node:child_process'); run('a');",
      'spawn child_process.exec a',
    ],
    ["import * as cp from 'child_process'; cp['ex' + 'ec']('a');", 'spawn child_process.exec a'],
    [
      "import cp from 'child_process'; const { spawn } = cp; spawn(`a${1}`);",
      'spawn child_process.spawn a1',
    ],
    [
      "const r = require; r(['child','process'].join('_')).exec(atob('YQ=='));",
      'spawn child_process.exec a',
    ],
    ["globalThis['ev' + 'al'](String.fromCharCode(97, 98));", 'execute eval ab'],
    ["(0, eval)(Buffer.from('6162', 'hex').toString());", 'execute eval ab'],
    ["new Function('a', 'return a')(1);", 'execute Function return a'],
    ["[].filter.constructor('a()')();", 'execute $constructor a()'],
    ["const f = (x) => fetch(x); f('http://a.io');", 'send fetch http://a.io'],
    [
      "class A { constructor(u) { this.u = u; } go() { fetch(this.u); } } new A('http://a.io').go();",
      'send fetch http://a.io',
    ],
    [
      "const o = { a: { b: 'http://a.io' } }; const { a: { b: c = '' } } = o; fetch(c);",
      'send fetch http://a.io|',
    ],
    ["const a = 'oi.a//:ptth'.split('').reverse().join(''); fetch(a);", 'send fetch http://a.io'],
    [
      "require('util').promisify(require('child_process').exec)('a');",
      'spawn child_process.exec a',
    ],
    ["Reflect.apply(require('child_process').exec, null, ['a']);", 'spawn child_process.exec a'],
    ["require('child_process').exec.call(null, 'a');", 'spawn child_process.exec a'],
    ['process.env.A_KEY;', 'variable process.env A_KEY'],
    ['const { A_KEY: b } = process.env;', 'variable process.env A_KEY'],
  ])('reads %s', (text, fact) => {
    expect(factsIn(text)).toContain(fact);
  });

  it.each([
    ["from os import system as s\ns('a')", 'spawn os.system a'],
    ["__import__('o' + 's').system('a')", 'spawn os.system a'],
    ["import importlib\nimportlib.import_module('os').system('a')", 'spawn os.system a'],
    ["getattr(__import__('os'), 'metsys'[::-1])('a')", 'spawn os.system a'],
    [
      "import os\nclass A:\n    def go(self, x):\n        os.system(x)\nA().go('a')",
      'spawn os.system a',
    ],
    ["e = exec\ne('a = 1')", 'execute builtins.exec a = 1'],
    ["import base64 as b\nexec(b.b64decode(b'YWI='))", 'execute builtins.exec ab'],
    ["exec(''.join([chr(97), chr(98)]))", 'execute builtins.exec ab'],
    ["import codecs\nexec(codecs.decode('no', 'rot13'))", 'execute builtins.exec ab'],
    ["import os\nos.getenv('A_KEY')", 'variable os.getenv A_KEY'],
    ["import os\nos.environ['A_KEY']", 'variable os.environ A_KEY'],
  ])('reads Python: %j', (text, fact) => {
    expect(factsIn(text, 'a.py')).toContain(fact);
  });

  it.each([
    "// require('child_process').exec('a')",
    'const text = "eval(\'a\')";',
    "const eval2 = (x) => x; eval2('a');",
    "const fetch = (x) => x; fetch('http://a.io');",
    'const process = { env: {} }; process.env.A;',
  ])('finds nothing in %s', (text) => {
    expect(factsIn(text)).toEqual([]);
  });
});

function fact(action: Fact['action'], text: string, path = 'a.js'): Fact {
  const operand = textValue(text);
  const api = 'x';
  return {
    action,
    path,
    at: 7,
    end: 9,
    api,
    operand,
    content: NOTHING,
    isLarge: false,
    args: [operand],
  };
}

function languages(...facts: Fact[]): string[] {
  return embeddedModules(facts).map((m) => m.language);
}

describe('embeddedModules()', () => {
  it.each([
    ['execute', "fetch('http://a.io/' + x)", ['javascript']],
    ['execute', 'import os\nos.system("id")', ['python']],
    ['write', "require('child_process').exec('id')", ['javascript']],
    ['write', 'some text without any code', []],
    ['spawn', "node -e \"require('fs').rmSync('a')\"", ['javascript']],
    ['spawn', "python3 -c 'import os; os.system(1)'", ['python']],
    ['spawn', 'curl http://a.io/some/script.sh', []],
    ['send', "fetch('http://a.io/' + x)", []],
    ['execute', 'fetch(x)', []],
    ['execute', 'fetch( this is no code at all', []],
  ] as const)('%s of %j: %j', (action, text, expected) => {
    expect(languages(fact(action, text))).toEqual(expected);
  });

  it('reads the code of a Python file as Python', () => {
    expect(languages(fact('execute', 'print(open("a").read())', 'a.py'))).toEqual(['python']);
  });

  it('gives every expression the place of the text, also in functions', () => {
    const [module] = embeddedModules([fact('execute', 'function f() { return fetch(x.y) } f()')]);
    const places: unknown[] = [];
    JSON.stringify([module?.body, module?.funcs[0]?.body], (_, value) => {
      if (typeof value === 'object' && value !== null && 'op' in value) {
        places.push(`${(value as Fact).at} ${(value as Fact).end}`);
      }
      return value as unknown;
    });
    expect(places.length).toBeGreaterThan(4);
    expect(new Set(places)).toEqual(new Set(['7 9']));
    expect(module?.path).toBe('a.js');
  });

  it('reads an unknown part as a number', () => {
    const [module] = embeddedModules([fact('execute', `fetch('http://a.io', ${UNKNOWN})`)]);
    expect(irOf(module!)).toEqual(['@fetch("http://a.io", "0")']);
  });

  it('reads the same text once, and 400,000 characters in all', () => {
    const code = "fetch('http://a.io/' + x)";
    expect(languages(fact('execute', code), fact('write', code))).toHaveLength(1);
    const facts = Array.from({ length: 6 }, (_, n) => ({
      ...fact('execute', ''),
      operand: { ...NOTHING, texts: [`fetch('${n}');${'x;'.repeat(45_000)}`] },
    }));
    expect(languages(...facts)).toHaveLength(4);
  });

  it('leaves code that is nested too deeply', () => {
    const text = `fetch(${'['.repeat(9_000)}${']'.repeat(9_000)})`;
    expect(languages(fact('execute', text))).toEqual([]);
  });
});
