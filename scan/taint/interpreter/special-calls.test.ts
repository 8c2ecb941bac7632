import { describe, expect, it } from 'vitest';
import {
  factLines,
  interpretJavaScript,
  interpretPython,
  pythonValueOf,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';

describe('callSpecial()', () => {
  it.each([
    ["require('fs')", ['fs']],
    ["require('node:' + 'fs').readFile", ['fs.readFile']],
    ['require(f())', []],
    ["Reflect.get(require('fs'), 'rm')", ['fs.rm']],
    ["Object.assign({}, require('fs')).rm", []],
  ])('%s', (expression, names) => {
    expect(valueOf(expression).names).toEqual(names);
  });

  it.each([
    ["__import__('os').system", ['os.system']],
    ["importlib.import_module('os')", ['os']],
    ["getattr(os, 'system')", ['os.system']],
    ["globals()['eval']", ['builtins.eval']],
  ])('Python: %s', (expression, names) => {
    expect(pythonValueOf(expression, 'import os, importlib').names).toEqual(names);
  });

  it('records the name of a loaded module', () => {
    const { facts } = interpretJavaScript("require('a'); import('b')");
    expect(factLines(facts)).toEqual(['load require a', 'load import b']);
  });

  it('copies the fields of objects', () => {
    const before = "const a = { a: '1' }; Object.assign(a, { b: '2' }, { a: '3' })";
    expect(valueOf('a.b', before).texts).toEqual(['2']);
    expect(valueOf('a.a', before).texts).toEqual(['1', '3']);
  });

  it.each(["Reflect.apply(eval, null, ['a()'])", "Reflect.construct(Function, ['a()'])"])(
    'calls a function by reflection: %s',
    (text) => {
      const { facts } = interpretJavaScript(text);
      expect(factLines(facts)[0]).toMatch(/^execute \w+ a\(\)$/);
    },
  );

  it.each([
    "import threading\ndef f(x):\n    os.system(x)\nthreading.Thread(target=f, args=('a',))",
    "import threading\nthreading.Thread(target=os.system, args=('a',))",
    "import _thread\ndef f(x):\n    os.system(x)\n_thread.start_new_thread(f, ('a',))",
    "import atexit\natexit.register(os.system, ['a'])",
    "def f(x):\n    os.system(x)\nlist(map(f, ['a']))",
    "list(map(os.system, ['a']))",
  ])('starts a function: %j', (text) => {
    const { facts } = interpretPython(`import os\n${text}`);
    expect(factLines(facts)).toContain('spawn os.system a');
  });

  it('returns the argument of functions that only wrap it', () => {
    for (const name of ['Promise.resolve', 'Promise.race', 'Array.from']) {
      expect(valueOf(`${name}('a')`).texts).toEqual(['a']);
    }
  });
});
