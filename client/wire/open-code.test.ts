import { describe, expect, it } from 'vitest';
import { findApplications } from './javascript/applications.ts';
import { codeLanguageOf, dedent, isSameCode, openCode, sliceOf } from './open-code.ts';
import { findFastApi } from './python/applications.ts';
import { EXPRESS } from './javascript/framework.ts';
import { Routers } from './javascript/routers.ts';
import { readTree } from './javascript/tree.ts';
import { readPython } from './python/code.ts';

describe('openCode()', () => {
  it.each([
    ['a.ts', 'const a = ;'],
    ['a.py', 'def f(:\n'],
    ['a.txt', 'text'],
    ['a.ts', ' '.repeat(2_000_000)],
  ])('does not open %s', (path, text) => {
    expect(openCode(path, text)).toBeUndefined();
  });
});

describe('isSameCode()', () => {
  it.each([
    ['a.ts', "f('a', [1, 2]);", 'f("a",\n  [1, 2,])', true],
    ['a.ts', 'f(1);', 'f(2);', false],
    ['a.ts', 'f("a b");', 'f("ab");', false],
    ['a.py', 'f( "a" )', "f('a')", true],
    ['a.py', 'f(a, {"b": 1})', 'f(\n    a,\n    {\n        "b": 1,\n    },\n)', true],
    ['a.py', 'if a:\n  b()', 'if a:\n        b()', true],
    ['a.py', 'f(a)', 'f(b)', false],
    ['a.py', 'x = (a,)', 'x = (a)', false],
    ['a.py', 'x[a,]', 'x[a]', false],
    ['a.py', 'f("a b")', 'f("ab")', false],
    ['a.py', 'f(f"{a} b")', 'f(f"{a}b")', false],
    ['a.py', 'if a:\n  b()\n  c()', 'if a:\n  b()\nc()', false],
    ['a.py', 'f((a, b))', 'f(a, b)', false],
    ['a.ts', '  a();\n  b();', 'a();\nb();', true],
  ])('%s: %j and %j are %j', (path, a, b, expected) => {
    expect(isSameCode(path, a, b)).toBe(expected);
  });
});

describe('dedent(), sliceOf(), codeLanguageOf()', () => {
  it('take indentation into account', () => {
    expect(dedent('\n    a\n      b\n\n')).toBe('a\n  b');
    expect(sliceOf('  a();\n', { start: 2, end: 6 })).toBe('  a();');
    expect(sliceOf('x; a();\n', { start: 3, end: 7 })).toBe('a();');
    expect(['a.tsx', 'a.py', 'a.md'].map(codeLanguageOf)).toEqual(['javascript', 'python', 'text']);
  });
});

const HEAD = "import express, { type Express } from 'express';\n";

function find(text: string) {
  const tree = readTree('a.ts', HEAD + text)!;
  return findApplications(tree, EXPRESS, new Routers({ read: () => undefined }));
}

describe('findApplications()', () => {
  it.each([
    ["const app = express();\napp.get('/', x);", ['app'], []],
    [
      "function make() { const server = express(); server.get('/', x); return server; }",
      ['server'],
      [],
    ],
    ["function mount(app: Express) { app.get('/', x); }", [], ['app']],
    ["const mount = (app: express.Application) => { app.get('/', x); };", [], ['app']],
    ["const load = ({ app }: { app: express.Application }) => { app.get('/', x); };", [], ['app']],
    ["const load = ({ a: app, b }: { b: B; a: Express }) => { app.get('/', x); };", [], ['app']],
    ["const load = ({ app }: { app: Other }) => { app.get('/', x); };", [], []],
    ['function log(app: Express) { console.log(app); }', [], []],
    ["function two(a: Express, b: Express) { a.get('/', x); }", [], []],
  ])('%s', (text, declared, taken) => {
    const found = find(text);
    expect(found.problem).toBeUndefined();
    expect(found.declared.map(({ name }) => name)).toEqual(declared);
    expect(found.taken.map(({ name }) => name)).toEqual(taken);
  });

  it.each([
    ['class A { app = express(); }', 'the application is a property of a class'],
    [
      'class A { constructor() { this.app = express(); } }',
      'the application is a property of a class',
    ],
    ['start(express());', 'the application is not held by a constant of its own'],
  ])('%s: %s', (text, problem) => {
    expect(find(text).problem).toBe(problem);
  });
});

const applicationsFind = (text: string) =>
  findFastApi(readPython('a.py', `from fastapi import FastAPI\n${text}`)!.tree);

describe('findFastApi()', () => {
  it.each([
    ['app = FastAPI()\n', 'app = FastAPI()'],
    ['app = FastAPI()\napp.include_router(a)\napp.mount("/s", s)\n', 'app.include_router(a)'],
    [
      'def make():\n    api = FastAPI()\n    api.include_router(a)\n    return api\n',
      'api.include_router(a)',
    ],
    [
      'app = FastAPI()\nfor r in all:\n    app.include_router(r)\n',
      'for r in all:\n    app.include_router(r)',
    ],
  ])('%j', (text, place) => {
    const [found] = applicationsFind(text).declared;
    const range = (found!.after ?? found!.madeAt)!;
    const whole = `from fastapi import FastAPI\n${text}`;
    expect(whole.slice(range.start, range.end)).toBe(place);
    expect(found!.problem).toBeUndefined();
  });

  it.each([
    [
      'class A:\n    def f(self):\n        self.app = FastAPI()\n',
      'the application is a property of a class',
    ],
    ['run(FastAPI())\n', 'the application is not held by a variable of its own'],
  ])('%j: %s', (text, problem) => {
    expect(applicationsFind(text).problem).toBe(problem);
  });

  it('names what is in the way', () => {
    const nested = 'app = FastAPI()\nif a:\n    app.include_router(b)\n';
    expect(applicationsFind(nested).declared[0]!.problem).toBe(
      'routers are included in a nested block',
    );
    const root = 'app = FastAPI()\napp.mount("/", s)\napp.include_router(b)\n';
    expect(applicationsFind(root).declared[0]!.problem).toContain('answers every path');
  });

  it('finds the function that takes an application', () => {
    const { taken } = applicationsFind('def add(server: FastAPI):\n    server.include_router(a)\n');
    expect(taken.map(({ name }) => name)).toEqual(['server']);
  });
});
