import { describe, expect, it } from 'vitest';
import { findApplications } from './applications.ts';
import { EXPRESS } from './framework.ts';
import { Routers } from './routers.ts';
import { readTree } from './tree.ts';

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
