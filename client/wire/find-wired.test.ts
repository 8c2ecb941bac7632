import { describe, expect, it } from 'vitest';
import { coreOf, findWired, parseAnchorText } from './find-wired.ts';
import { formatAnchor } from '../../format/wiring/wire-info.ts';

const INSERT = { verb: 'insert', file: 'a.ts', anchor: 'routes', text: '\nmount(app);' } as const;

describe('findWired()', () => {
  it.each([
    ['as it was put in', 'x();\nmount(app);\ny();\n', '\nmount(app);'],
    ['formatted', 'x()\n\tmount( app )\ny()\n', '\n\tmount( app )'],
    ['with CRLF', 'x();\r\nmount(app);\r\n', '\r\nmount(app);'],
  ])('finds text %s', (_, text, cut) => {
    const found = findWired(text, INSERT)!;
    expect(text.slice(found.cut.start, found.cut.end)).toBe(cut);
  });

  it.each([
    ['changed', 'x();\nmount(app, 1);\n'],
    ['there twice', 'x();\nmount(app);\nmount(app);\n'],
    ['a part of a line', 'x(); mount(app); y();\n'],
  ])('finds nothing that is %s', (_, text) => {
    expect(findWired(text, INSERT)).toBeUndefined();
  });

  it('finds an element of the list of its anchor only', () => {
    const entry = { verb: 'append', file: 'a.ts', anchor: 'list:all', text: ', b' } as const;
    const text = 'const other = [a, b];\nconst all = [a, b];\n';
    const found = findWired(text, entry)!;
    expect(text.slice(0, found.cut.start) + text.slice(found.cut.end)).toBe(
      'const other = [a, b];\nconst all = [a];\n',
    );
  });

  it.each([
    ['b', 'const all = [b, c];', 'const all = [c];'],
    [', c', 'const all = [c];', 'const all = [];'],
    ['b', 'const all = [b];', 'const all = [];'],
  ])('leaves no hole where %j was put into the list before others', (put, text, rest) => {
    const entry = { verb: 'append', file: 'a.ts', anchor: 'list:all', text: put } as const;
    const { cut } = findWired(text, entry)!;
    expect(text.slice(0, cut.start) + text.slice(cut.end)).toBe(rest);
  });
});

describe('coreOf()', () => {
  it.each([
    ['insert', '\n  a();\n', 'a();'],
    ['append', ',\n  a,', 'a'],
  ] as const)('is the block of %s without separators', (verb, text, core) => {
    const { start, end } = coreOf({ verb, text });
    expect(text.slice(start, end)).toBe(core);
  });
});

describe('parseAnchorText()', () => {
  it.each(['routes', 'list:$x', 'list:ROUTES', 'routers:app'])('reads %j', (text) => {
    expect(formatAnchor(parseAnchorText(text)!)).toBe(text);
  });

  it.each([undefined, '', 'other:x', 'toString'])('is undefined for %j', (text) => {
    expect(parseAnchorText(text)).toBeUndefined();
  });
});
