import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { npmNameOf, pipNameOf, readIdentity, withIdentity } from './project-identity.ts';

const NEW = { name: 'shop', version: '0.1.0', description: '' };

describe('withIdentity()', () => {
  test.each([
    [
      'package.json',
      '\u{FEFF}{\r\n\t"name": "starter",\r\n\t"version" : "1.2.3", "x": {"name": "y"}\r\n}\r\n',
      '\u{FEFF}{\r\n\t"name": "shop",\r\n\t"version" : "0.1.0", "x": {"name": "y"}\r\n}\r\n',
    ],
    ['package.json', '{"private":true}', '{"private":true}'],
    ['package.json', '{"name": 1}', '{"name": 1}'],
    ['package.json', '{ broken', '{ broken'],
    [
      'pyproject.toml',
      '[project]\r\nname = "starter" # name\r\ndescription = "A"\r\n[tool.x]\r\nname = "y"\r\n',
      '[project]\r\nname = "shop" # name\r\ndescription = ""\r\n[tool.x]\r\nname = "y"\r\n',
    ],
    ['pyproject.toml', '[tool.poetry]\nversion = "1"\n', '[tool.poetry]\nversion = "0.1.0"\n'],
    ['pyproject.toml', '[tool.ruff]\nname = "y"\n', '[tool.ruff]\nname = "y"\n'],
    ['pyproject.toml', '[project\n', '[project\n'],
  ])('in %s %j', (path, before, after) => {
    expect(withIdentity(path, before, NEW)).toBe(after);
    expect(withIdentity(path, after, readIdentity(path, before))).toBe(before);
  });
});

describe('names of folders', () => {
  test.each([
    ['My App', 'my-app', 'My-App'],
    ['.hidden_', 'hidden', 'hidden'],
    ['node_modules', undefined, 'node_modules'],
    ['日本', undefined, undefined],
    ['shop.v2', 'shop.v2', 'shop.v2'],
    ['@acme', 'acme', 'acme'],
  ])('%s', (folder, npm, pip) => {
    expect([npmNameOf(folder), pipNameOf(folder)]).toEqual([npm, pip]);
  });

  test.each([
    ['fastapi', undefined],
    ['FastAPI', undefined],
    ['Ruff', undefined],
    ['shop', 'shop'],
  ])('%s in a project that needs packages', (folder, pip) => {
    const lists = 'dependencies = ["fastapi>=0.1"]\n[dependency-groups]\ndev = ["ruff"]\n';
    expect(pipNameOf(folder, `[project]\nname = "api"\n${lists}`)).toBe(pip);
    expect(pipNameOf(folder, '[project\n')).toBe(folder);
  });

  test('are valid or left out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (folder) => {
        expect(npmNameOf(folder) ?? 'a').toMatch(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/);
        expect(pipNameOf(folder) ?? 'a').toMatch(/^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/i);
      }),
    );
  });
});
