import { describe, expect, it } from 'vitest';
import { languageProblems } from './language-fit.ts';

function problems(
  need: string,
  options: Readonly<Record<string, unknown>>,
  type = 'commonjs',
  path = 'a.ts',
): string[] {
  const entries = Object.entries(options).map(
    ([name, value]) => [name, { value, file: 'tsconfig.json', line: 3 }] as const,
  );
  const tsconfig = { options: new Map(entries), include: [], references: [], problems: [] };
  const settings = { tsconfig, type: { value: type, line: 2 }, python: undefined };
  return languageProblems([{ need, path, line: 7 }], settings).map(({ message }) => message);
}

describe('languageProblems()', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    [
      'import-meta',
      { module: 'CommonJS' },
      'commonjs',
      'a.ts:7 uses import.meta, which "module": "commonjs" does not allow at tsconfig.json:3',
    ],
    [
      'import-meta',
      { module: 'NodeNext' },
      'commonjs',
      'a.ts:7 uses import.meta, which "module": "nodenext" without "type": "module" in package.json does not allow at tsconfig.json:3',
    ],
    [
      'top-level-await',
      { module: 'es2020' },
      'module',
      'a.ts:7 uses await outside of functions, which "module": "es2020" does not allow at tsconfig.json:3',
    ],
    [
      'top-level-await',
      { module: 'esnext', target: 'ES2015' },
      'module',
      'a.ts:7 uses await outside of functions, which "target": "es2015" does not allow at tsconfig.json:3',
    ],
    [
      'esm',
      { module: 'commonjs', verbatimmodulesyntax: true },
      'commonjs',
      'a.ts:7 has import or export, which "verbatimModuleSyntax" forbids in CommonJS, as set at tsconfig.json:3',
    ],
    [
      'parameter-decorators',
      {},
      'commonjs',
      'a.ts:7 decorates parameters, which needs "experimentalDecorators": true in tsconfig.json',
    ],
    [
      'parameter-decorators',
      { experimentaldecorators: false },
      'commonjs',
      'a.ts:7 decorates parameters, which needs "experimentalDecorators": true in tsconfig.json:3',
    ],
    [
      'jsx',
      {},
      'commonjs',
      'a.ts:7 has JSX, which needs "jsx", such as "react-jsx" in tsconfig.json',
    ],
    [
      'bigint',
      { target: 'es2019' },
      'commonjs',
      'a.ts:7 needs "target": "es2020" or higher, which is "es2019" at tsconfig.json:3',
    ],
    [
      'regexp-v',
      { target: 'es2022' },
      'commonjs',
      'a.ts:7 needs "target": "es2024" or higher, which is "es2022" at tsconfig.json:3',
    ],
  ])('%s %j: type %s', (need, options, type, expected) => {
    expect(problems(need, options, type)).toEqual([expected]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['import-meta', {}, 'commonjs'],
    ['import-meta', { module: 'esnext' }, 'commonjs'],
    ['import-meta', { module: 'nodenext' }, 'module'],
    ['top-level-await', { module: 'preserve', target: 'esnext' }, 'commonjs'],
    ['esm', { module: 'commonjs' }, 'commonjs'],
    ['esm', { module: 'nodenext', verbatimmodulesyntax: true }, 'module'],
    ['parameter-decorators', { experimentaldecorators: true }, 'commonjs'],
    ['jsx', { jsx: 'preserve' }, 'commonjs'],
    ['bigint', { target: 'es2020' }, 'commonjs'],
    ['es2022', { target: 'es5' }, 'commonjs'],
    ['later-need', { target: 'es5' }, 'commonjs'],
  ])('none for %s with %j and type %s', (need, options, type) => {
    expect(problems(need, options, type)).toEqual([]);
  });

  it('names the line of "type" for CommonJS in JavaScript', () => {
    const message =
      'a.js:7 is CommonJS, which Node.js does not run with "type": "module" at package.json:2';
    expect(problems('commonjs', {}, 'module', 'a.js')).toEqual([message]);
    expect(problems('commonjs', {}, 'module', 'a.cjs')).toEqual([]);
    expect(problems('commonjs', {}, 'commonjs', 'a.js')).toEqual([]);
  });

  it('stops where Python cannot read the syntax', () => {
    const python = { version: '3.10.2', source: 'pyproject.toml, requires-python' };
    const settings = { tsconfig: undefined, type: { value: 'commonjs', line: 0 }, python };
    const find = (need: string): object[] => [
      ...languageProblems([{ need, path: 'a.py', line: 4 }], settings),
    ];
    expect(find('python3.12')).toEqual([
      {
        message:
          'a.py:4 needs Python 3.12, and the project has 3.10.2 (pyproject.toml, requires-python)',
        path: 'pyproject.toml',
        stops: true,
      },
    ]);
    expect(find('python3.10')).toEqual([]);
  });
});
