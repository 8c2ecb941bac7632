/** What is removed from a pyproject.toml, and what is kept because it was changed. */
import { describe, expect, test } from 'vitest';
import { uninstallFromPyproject } from './pyproject.ts';

const FOO = { key: 'foo', specifier: '>=1', table: 'dependencies', extras: [] } as const;
const BAR = { key: 'bar', specifier: '*', table: 'dependencies', extras: ['all'] } as const;

describe('uninstallFromPyproject() of poetry', () => {
  test.each([
    [
      '[tool.poetry.dependencies]\nfoo = ">=1"\nmine = "*"\n',
      '[tool.poetry.dependencies]\nmine = "*"\n',
    ],
    ['[tool.poetry]\ndependencies = {foo = ">=1"}\n', '[tool.poetry]\ndependencies = {}\n'],
    [
      '[tool.poetry]\ndependencies = { a = "*", foo = ">=1" }\n',
      '[tool.poetry]\ndependencies = { a = "*" }\n',
    ],
    [
      '[tool.poetry]\ndependencies = { foo = ">=1", a = "*" }\n',
      '[tool.poetry]\ndependencies = { a = "*" }\n',
    ],
    [
      '[tool.poetry]\ndependencies = {\n  a = "*",\n  foo = ">=1"\n}\n',
      '[tool.poetry]\ndependencies = {\n  a = "*"\n}\n',
    ],
    [
      'tool = { poetry = { name = "x", dependencies.foo = ">=1" } }\n',
      'tool = { poetry = { name = "x" } }\n',
    ],
    [
      '[tool.poetry]\ndependencies = { a = "*", bar = { version = "*", extras = ["all"] } }\n',
      '[tool.poetry]\ndependencies = { a = "*" }\n',
    ],
    [
      '[tool.poetry.dependencies]\nbar = { version = "*", extras = ["all"] }\na = "*"\n',
      '[tool.poetry.dependencies]\na = "*"\n',
    ],
  ])('takes from %j what was added', (text, left) => {
    expect(uninstallFromPyproject(text, [FOO, BAR], new Set())).toEqual({
      text: left,
      changed: [],
    });
  });

  test.each([
    ['[tool.poetry.dependencies]\nfoo = ">=2"\n', 'foo'],
    ['[tool.poetry.dependencies]\nfoo = { version = ">=1" }\n', 'foo'],
    ['[tool.poetry.dependencies]\nfoo = { version = ">=1", optional = true }\n', 'foo'],
    ['[tool.poetry]\ndependencies = { foo = { version = ">=1" } }\n', 'foo'],
    ['[tool.poetry]\ndependencies = {\n  foo = ">=1" # mine\n}\n', 'foo'],
    ['[tool.poetry.dependencies]\nbar = { version = "*", extras = ["all", "x"] }\n', 'bar'],
    [
      '[tool.poetry.dependencies]\nbar = { version = "*", extras = ["all"], python = "^3" }\n',
      'bar',
    ],
    ['[tool.poetry.dependencies]\nbar = "*"\n', 'bar'],
  ])('keeps %j and names it', (text, name) => {
    const taken = uninstallFromPyproject(text, [FOO, BAR], new Set());
    expect([taken.text, taken.changed.map(({ key }) => key)]).toEqual([text, [name]]);
  });
});
