import { describe, expect, it } from 'vitest';
import { findFastApi } from './applications.ts';
import { readPython } from './code.ts';

const find = (text: string) =>
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
    const [found] = find(text).declared;
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
    expect(find(text).problem).toBe(problem);
  });

  it('names what is in the way', () => {
    const nested = 'app = FastAPI()\nif a:\n    app.include_router(b)\n';
    expect(find(nested).declared[0]!.problem).toBe('routers are included in a nested block');
    const root = 'app = FastAPI()\napp.mount("/", s)\napp.include_router(b)\n';
    expect(find(root).declared[0]!.problem).toContain('answers every path');
  });

  it('finds the function that takes an application', () => {
    const { taken } = find('def add(server: FastAPI):\n    server.include_router(a)\n');
    expect(taken.map(({ name }) => name)).toEqual(['server']);
  });
});
