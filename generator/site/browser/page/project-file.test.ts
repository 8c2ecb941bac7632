import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCatalog } from '../../../../tests/site/made-catalog.ts';
import { ProjectFileError, decodeProject, fitOf, readProject } from './project-file.ts';

const [BUILD] = makeCatalog(1);

function fit(text: string, requires: Record<string, string>, provides: string[] = []) {
  return fitOf(readProject(undefined, text), { ...BUILD!, requires, provides });
}

function errorOf(text: string, name?: string): string {
  try {
    readProject(name, text);
  } catch (error) {
    if (error instanceof ProjectFileError) return error.message;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('fitOf()', () => {
  it.each([
    ['the lowest version in a range', { express: '>=4.10.0' }, []],
    ['an older version', { express: '>=5' }, ['express >=5']],
    ['a package that is missing', { hono: '*' }, ['hono']],
    ['a package of another table', { typescript: '*' }, []],
    ['the Node.js of engines', { node: '>=22.12.0' }, []],
    ['a newer Node.js', { node: '>=24' }, ['node >=24']],
    ['another language', { python: '*' }, ['python']],
  ])('compares %s of a package.json', (_, requires, needs) => {
    const text = JSON.stringify({
      engines: { node: '>=22.12' },
      dependencies: { express: '^4.18.0' },
      devDependencies: { typescript: 'latest' },
    });
    expect(fit(text, requires)).toEqual({ needs, unsure: [] });
  });

  it('names what a project does not state', () => {
    const text = '{"dependencies":{"express":"github:a/b"}}';
    expect(fit(text, { express: '>=4', node: '>=22', typescript: '*' })).toEqual({
      needs: ['typescript'],
      unsure: ['express >=4', 'node >=22'],
    });
    expect(fit(text, { typescript: '*' }, ['typescript']).needs).toEqual([]);
  });

  it.each([
    'fastapi[standard]>=0.110,<1 ; python_version > "3.8"\n-r other.txt\n# hono\n',
    '[project]\nrequires-python = ">=3.11"\ndependencies = ["FastAPI>=0.110"]\n',
    '[tool.poetry.dependencies]\npython = "^3.11"\nfastapi = "^0.110"\n',
  ])('compares %j', (text) => {
    expect(fit(text, { fastapi: '>=0.100.0', python: '*' }).needs).toEqual([]);
    expect(fit(text, { fastapi: '>=0.120.0', hono: '*' }).needs).toEqual([
      'fastapi >=0.120.0',
      'hono',
    ]);
  });
});

describe('readProject()', () => {
  it.each([
    ['{"dependencies":', /^Cannot read it as package\.json: /],
    ['[1]', /^Cannot find a package in this text, read as requirements\.txt$/],
    ['[{"a":1}]', /^Cannot find a package in this text, read as requirements\.txt$/],
    ['{"dependencies":[]}', /"dependencies" is not an object$/],
    ['{"dependencies":"x"}', /"dependencies" is not an object$/],
    ['{}', /^Cannot find a package in this text, read as package\.json$/],
    ['[project]\ndependencies = "x"', /"\[project\]\.dependencies" is not an array$/],
    ['[project]\ndependencies = [', /^Cannot read pyproject\.toml, line \d+: /],
    [
      '<script>alert(1)</script>',
      /^Cannot find a package in this text, read as requirements\.txt$/,
    ],
    ['x'.repeat(1_000_001), /^The text is longer than 1 MB$/],
  ])('refuses %.40s', (text, message) => {
    expect(errorOf(text)).toMatch(message);
  });

  it('reads a file by its name', () => {
    expect(errorOf('express', 'package.json')).toMatch(/^Cannot read it as package\.json/);
    expect(errorOf('express', 'pyproject.toml')).toMatch(/^Cannot read pyproject\.toml/);
    expect(readProject('requirements.txt', 'express').has('express')).toBe(true);
  });

  it('throws nothing else, whatever the text', () => {
    const key = fc.constantFrom('__proto__', 'constructor', 'dependencies', 'engines', 'a');
    const json = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.string())));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      json.map((value) => JSON.stringify(value)),
      fc.string().map((inner) => `[project]\n${inner}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(fitOf(readProject(undefined, given), BUILD!).needs).toBeInstanceOf(Array);
        } catch (error) {
          if (!(error instanceof ProjectFileError)) throw error;
        }
      }),
    );
  });
});

it('decodeProject() refuses what is no text, or too large', () => {
  expect(() => decodeProject('a.png', Uint8Array.of(0xff, 0xfe))).toThrow('"a.png" is not a text');
  expect(() => decodeProject('a', new Uint8Array(1_000_001))).toThrow('larger than 1 MB');
  expect(decodeProject('a', new TextEncoder().encode('größe'))).toBe('größe');
});
