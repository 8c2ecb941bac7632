import { describe, expect, it } from 'vitest';
import {
  factLines,
  interpretJavaScript,
  interpretPython,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';
import { lowerJavaScriptText } from '../../../tests/taint/ir-text.ts';
import { ENVIRONMENT, SPELLED, FETCHED } from '../label.ts';
import { NOTHING, textValue, Obj, UNKNOWN, labelled, storeField } from '../value.ts';
import { Interpreter, concat } from './interpreter.ts';

describe('Interpreter', () => {
  it.each([
    ['a variable', "let a = '1'; a = '2'", 'a', ['1', '2']],
    ['a variable that is assigned later', "function f() { return a; } let a = '1'", 'f()', ['1']],
    ['both branches', "let a; if (f()) a = '1'; else a = '2'", 'a', ['1', '2']],
    ['a loop', "let a; for (const b of ['1', '2']) a = b", 'a', ['1', '2']],
    ['an object', "const a = {}; a.b = '1'", 'a.b', ['1']],
    ['a nested object', "const a = {}; a.b = {}; a.b.c = '1'", 'a.b.c', ['1']],
    ['an object that is not created here', "let a; a.b = '1'", 'a.b', ['1']],
    ['a closure', "const f = (x) => () => x; const g = f('1')", 'g()', ['1']],
    ['a default value', "function f(a = '1') { return a; }", 'f()', ['1']],
    ['rest parameters', 'function f(...a) { return a; }', "f('1', '2')", ['2', '1']],
    ['an object with methods', "const o = { a: '1', f() { return this.a; } }", 'o.a', ['1']],
    ['a class', 'class A { constructor(a) { this.a = a; } }', "new A('1').a", ['1']],
    ['a method', "class A { a = '1'; f() { return this.a; } }", 'new A().f()', ['1']],
    ['a subclass', "class A { f() { return '1'; } } class B extends A {}", 'new B().f()', ['1']],
    ['a function as an object', "function F() { this.a = '1'; }", 'new F().a', ['1']],
    ['a getter', "const o = { get a() { return '1'; } }", 'o.a', ['1']],
    ['a conditional', '', "f() ? '1' : '2'", ['1', '2']],
    ['a sequence', '', "(f(), '1')", ['1']],
  ])('follows %s', (_, before, expression, texts) => {
    expect([...valueOf(expression, before).texts].sort()).toEqual([...texts].sort());
  });

  it('reaches a fixpoint in the order of the code or against it', () => {
    const backwards = "const d = () => c; const c2 = () => d(); let c = b; let b = a; var a = '1';";
    expect(valueOf('d()', backwards).texts).toEqual(['1']);
  });

  it('labels bitwise arithmetic', () => {
    const value = valueOf('process.env ^ 1');
    expect(value.labels).toBe(ENVIRONMENT | SPELLED);
  });

  it('merges the facts of one place', () => {
    const { facts } = interpretJavaScript("function f(x) { eval(x); } f('a()'); f('b()')");
    expect(factLines(facts)).toEqual(['execute eval a()|b()']);
  });

  it('records the place of a fact', () => {
    const { facts } = interpretJavaScript("  eval('a()')");
    expect(facts[0]).toMatchObject({ path: 'a.ts', at: 2, end: 13, isLarge: false });
  });

  it('records notable texts once', () => {
    const { interpreter } = interpretJavaScript("let a = '~/.ssh/id_rsa'; a = b; b = a; eval(a)");
    expect(interpreter.texts).toEqual([{ path: 'a.ts', at: 8, end: 23, text: '~/.ssh/id_rsa' }]);
  });

  it('calls the `__init__` of a Python class', () => {
    const { facts } = interpretPython(
      "import os\nclass A:\n    def __init__(self, c):\n        os.system(c)\nA('a')",
    );
    expect(factLines(facts)).toContain('spawn os.system a');
  });

  it('takes imports from the linker, and packages by name', () => {
    const seen: unknown[] = [];
    const interpreter = new Interpreter((from, name, level) => {
      seen.push([from.path, name, level]);
      return name === './b' ? textValue('linked') : undefined;
    });
    const module = lowerJavaScriptText(
      "import * as b from './b'; import fs from 'fs'; export { b, fs };",
    );
    interpreter.run([module]);
    const [exports] = module.exports.value?.objects ?? [];
    expect(exports?.fields.get('b')?.texts).toEqual(['linked']);
    expect(exports?.fields.get('fs')?.names).toEqual(['fs']);
    expect(seen).toContainEqual(['a.ts', './b', 0]);
  });

  it('adds to its facts in a later run', () => {
    const interpreter = new Interpreter(() => NOTHING);
    interpreter.run([lowerJavaScriptText("eval('a()')")]);
    interpreter.run([lowerJavaScriptText("eval('b()')")]);
    expect(interpreter.facts.size).toBe(2);
  });

  it('stops growing texts, lists and objects', () => {
    const { interpreter, exported } = interpretJavaScript(
      `let s = 'ab'; let o = {}; ${'s = s + s; o = { o, ...o, s };'.repeat(200)} export { s, o };`,
    );
    expect(interpreter.isComplete).toBe(true);
    expect(exported('s').texts.length).toBeLessThanOrEqual(6);
    for (const text of exported('s').texts) expect(text.length).toBeLessThanOrEqual(40_000);
    expect(exported('o').objects.length).toBeLessThanOrEqual(6);
  });

  it('reports that it is not complete when the work exceeds its bound', () => {
    const call = { op: 'none', at: 0, end: 0 } as const;
    const parts = Array.from({ length: 100_000 }, () => call);
    const body = Array.from({ length: 150 }, () => ({ op: 'any', parts, at: 0, end: 0 }) as const);
    const interpreter = new Interpreter(() => undefined);
    interpreter.run([{ ...lowerJavaScriptText(''), body }]);
    expect(interpreter.isComplete).toBe(false);
  });
});

const FROM_NETWORK = labelled({ path: 'a.js', at: 0, label: FETCHED, what: 'fetch' });

describe('concat()', () => {
  it('joins constant texts in a row', () => {
    expect(concat([textValue('a'), textValue('b'), textValue('c')]).texts).toEqual(['abc']);
    expect(concat([]).texts).toEqual(['']);
  });

  it('forms every combination, up to four', () => {
    const ab = { ...NOTHING, texts: ['a', 'b'] };
    expect(concat([ab, ab]).texts).toEqual(['aa', 'ab', 'ba', 'bb']);
    expect(concat([ab, ab, ab]).texts).toHaveLength(4);
  });

  it('marks unknown parts once, and forgets a text of which nothing is known', () => {
    const unknown = NOTHING;
    expect(concat([textValue('a'), unknown, unknown]).texts).toEqual([`a${UNKNOWN}`]);
    expect(concat([unknown, unknown]).texts).toEqual([]);
  });

  it('keeps the labels of the parts and of the objects in them', () => {
    const obj = new Obj();
    storeField(obj, 'a', FROM_NETWORK);
    const sum = concat([textValue('a'), { ...NOTHING, objects: [obj] }]);
    expect(sum.labels).toBe(FETCHED);
    expect(sum.objects).toEqual([obj]);
  });

  it('is bounded when a text grows', () => {
    const long = textValue('a'.repeat(15_000));
    expect(concat([long, long, long, long]).texts[0]).toHaveLength(30_000);
  });
});

function argumentTexts(text: string, isPython = false): string[] {
  const { facts } = isPython ? interpretPython(text) : interpretJavaScript(text);
  const [fact] = facts.filter((f) => f.action === 'spawn');
  return fact?.args.map((value) => value.texts.join('|')) ?? [];
}

const SPAWN = "const { spawn } = require('child_process');";

describe('evaluateArguments()', () => {
  it.each([
    ["spawn('a', 'b')", ['a', 'b']],
    ["spawn(...['a', 'b'], 'c')", ['a', 'b', 'c']],
    ["const l = []; l.push('a', 'b'); spawn(...l)", ['a|b']],
    ['spawn()', []],
  ])('%s', (text, texts) => {
    expect(argumentTexts(`${SPAWN} ${text}`)).toEqual(texts);
  });

  it('passes at most 100 elements of a spread list', () => {
    const list = Array.from({ length: 150 }, (_, n) => `'${n}'`).join();
    expect(argumentTexts(`${SPAWN} spawn(...[${list}])`)).toHaveLength(100);
  });

  it('takes keyword arguments by name, and the items of **arguments', () => {
    const { facts } = interpretPython("import subprocess\nsubprocess.run(args='a', cwd='b')");
    expect(facts.find((f) => f.action === 'spawn')?.operand.texts).toEqual(['a']);
    expect(argumentTexts("import os\nd = {'k': 'a'}\nos.system(**d)", true)).toEqual(['a']);
  });
});
