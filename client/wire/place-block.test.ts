import { describe, expect, it } from 'vitest';
import { parseWiring } from '../../format/wiring/wiring.ts';
import { readStyle } from './code-style.ts';
import { checkImports } from './block-imports.ts';
import { placeBlock } from './place-block.ts';
import { placeFile, placeLines } from './place-file.ts';
import { projectOf } from '../../tests/client/wire-fixture.ts';
import { openCode } from './open-code.ts';

const APP = "import express from 'express';\nconst app = express();\napp.get('/', x);\n";

/** Places one block into a project of one file. */
function place(info: string, block: string, text: string, prefixes: string[] = []) {
  const { steps } = parseWiring(`## Steps\n\n1. x\n\n   ~~~${info}\n   ${block}\n   ~~~\n`);
  const texts = projectOf({ 'src/app.ts': text });
  const context = {
    home: 'src',
    rewrite: ({ text: same }: { text: string }) => same,
    prefixes,
    styleOf: () => readStyle(text),
  };
  return { placed: placeBlock(steps[0]!.alternatives[0]![0]!, texts, context), texts };
}

describe('placeBlock()', () => {
  it.each([
    ['ts wire insert @express routes', 'app.use(y);', APP, `${APP}app.use(y);\n`],
    [
      'ts wire import src/app.ts',
      "import y from './y.js';",
      "import x from 'x';\n",
      "import x from 'x';\nimport y from './y.js';\n",
    ],
    ['ts wire append src/app.ts list:all', 'y', 'const all = [x];\n', 'const all = [x, y];\n'],
  ])('%s', (info, block, before, after) => {
    const { placed, texts } = place(info, block, before);
    expect(placed.kind).toBe('added');
    expect(texts.get('src/app.ts')).toBe(after);
  });

  it.each([
    [
      'ts wire append src/app.ts list:all',
      'y',
      'const all = [];\nconst b = () => { const all = []; };\n',
      'it has several places "list:all"',
    ],
    ['ts wire append src/app.ts list:all', 'y', 'const b = [];\n', 'it has no place "list:all"'],
    ['ts wire import src/none.ts', "import y from 'y';", '', 'the project has no such file'],
    [
      'ts wire import src/app.ts',
      "import y from 'y';",
      'const a = ;',
      'it has a syntax error, or is no code',
    ],
    [
      'ts wire import src/app.ts',
      "import y from 'y';",
      ' '.repeat(2_000_000),
      'it is too large to be read',
    ],
    [
      'ts wire insert @express routes',
      'app.use(y);',
      APP.replace('\napp.get', ' app.get'),
      'the place is in the middle of a line',
    ],
  ])('%s with %j is left to the user', (info, block, text, why) => {
    const { placed, texts } = place(info, block, text);
    expect(placed).toMatchObject({ kind: 'by_hand', why });
    expect(texts.changes().size).toBe(0);
  });

  it('leaves a path that is taken to the user', () => {
    const taken = APP.replace("'/'", "'/auth/x'");
    expect(
      place('ts wire insert @express routes', 'app.use(y);', taken, ['/auth']).placed,
    ).toMatchObject({
      why: 'the path "/auth" is taken',
    });
  });
});

const BLOCK = "import { mount } from './mount.js';";

describe('checkImports()', () => {
  it.each([
    ["import a from 'a';\n", 'absent'],
    [`${BLOCK}\n`, 'present'],
    ['import { other, mount } from "./mount"\n', 'present'],
    ["import { mount } from './other.js';\n", 'the name "mount" is taken'],
    ['export function mount() {}\n', 'the name "mount" is taken'],
    ["const a = require('a');\n", 'it is CommonJS, and the block needs an ES module'],
  ])('%j: %s', (text, expected) => {
    expect(checkImports(openCode('a.ts', text)!, BLOCK, true)).toBe(expected);
  });

  it('reads a JavaScript file without imports by the package that it is in', () => {
    const code = openCode('a.js', 'run();\n')!;
    expect(checkImports(code, BLOCK, true)).toBe('absent');
    expect(checkImports(code, BLOCK, false)).toContain('CommonJS');
  });
});

const STYLE = readStyle('');

describe('placeFile()', () => {
  it.each([
    ['src/db.ts', {}, 'added', undefined],
    [
      'src/db.ts',
      { 'src/db/index.ts': '' },
      'by_hand',
      'it would hide "src/db/index.ts" from imports',
    ],
    ['src/db.ts', { 'src/db.js': '' }, 'by_hand', 'it would hide "src/db.js" from imports'],
    ['src/db.ts', { 'src/db.ts': 'a( 1 )\n' }, 'kept', undefined],
    ['src/db.ts', { 'src/db.ts': 'b();\n' }, 'by_hand', 'the project has another file there'],
    ['notes.txt', { 'notes.ts': '' }, 'added', undefined],
  ])('%s in %j: %s', (file, files, kind, why) => {
    const texts = projectOf(files as Record<string, string>);
    const placed = placeFile(file, texts.get(file), ['a(1);'], texts, STYLE);
    expect(placed).toMatchObject({ kind, ...(why === undefined ? {} : { why }) });
    expect(texts.changes().has(file)).toBe(kind === 'added');
  });
});

describe('placeLines()', () => {
  it.each([
    [undefined, 'a\nb\n', 'a\nb\n'],
    ['x\n', 'x\na\nb\n', 'a\nb\n'],
    ['x', 'x\na\nb', '\na\nb'],
    ['a\r\n', 'a\r\nb\r\n', 'b\r\n'],
    ['b\na\n', undefined, 'a\nb'],
  ])('adds to %j what is missing', (text, result, recorded) => {
    const texts = projectOf({});
    expect(placeLines('x.txt', text, ['a', 'b'], texts)).toMatchObject({ text: recorded });
    expect(texts.changes().get('x.txt')).toBe(result);
  });
});
