import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BeyondLimits, MAX_BROKEN_LENGTH, MAX_CODE_BYTES, MAX_DEPTH } from './limits.ts';
import { parsePython, wholePython } from './parse-python.ts';

describe('parsePython()', () => {
  it.each([
    '',
    'import a\n',
    'def f(a: int = 1) -> str:\n  return f"{a!r}"\n',
    'match a:\n  case 1: pass\n',
    // What the grammar of the library does not read.
    'yield\nx = yield\nreturn (yield)\nx: int = yield\nlambda: (yield)\n',
    'x = [1., 2.**3, 1.e5, 1.j, 1., 1.if a else b, 1..real]\n',
    'with (a as b, c as d,):\n  pass\n',
    'async with (\n  a,\n  # c\n  b as (c, d),\n): pass\n',
    'with a as (b, c), d as e.f, g as h[0]: pass\n',
    'with (a, b): pass\nwith (a).b as c: pass\nwith (a := b): pass\nwith (a for a in b): pass\n',
    'for x in *a, b: pass\n[x for a, *b in c]\n{x for *a, b in c}\n',
    'match a, *b:\n  case A(): pass\n  case (int() as x, []): pass\n  case {B.c: ()}: pass\n  case "a" "b": pass\n',
    '@a.b[0](c)\n@a().b\n@(yield)\ndef f(*args: *Ts, **k): pass\n',
    'def f[T = int, *Ts = a](x: T): pass\na[b, *c]\nlambda a, /, b,: 1\n',
    'print = 1\nprint: int\nprint, a\nprint[0]\nf"{a:=5}" t"{a}"\n',
    `x = [${'(1, 2), '.repeat(400)}]\n${'# c\n'.repeat(400)}y = 1\n`,
  ])('reads %j', (text) => {
    const { tree, problemAt } = parsePython(text);
    expect(problemAt).toBeUndefined();
    expect(tree.length).toBe(text.length);
  });

  it.each([
    ['a = \n', 3],
    ['a = (\n', 5],
    ['def f(:\n  pass\nimport b\n', 6],
  ])('goes on after the problem in %j', (text, most) => {
    const { tree, problemAt } = parsePython(text);
    expect(problemAt).toBeGreaterThan(0);
    expect(problemAt).toBeLessThanOrEqual(most + 1);
    expect(tree.length).toBe(text.length);
  });

  it('leaves a larger text with an error, and reads one without', () => {
    const padding = '# a\n'.repeat(MAX_BROKEN_LENGTH / 4);
    expect(() => parsePython(`${padding}a = \nb\n`)).toThrow('a syntax error');
    expect(parsePython(`${padding}a = 1\n`).problemAt).toBeUndefined();
  });

  it('has nodes within the text, in order, for any text', () => {
    const word = fc.constantFrom(
      'a',
      '(',
      ')',
      ':',
      '\n',
      '  ',
      'def ',
      '=',
      '"',
      '"""',
      'f"{',
      '}',
      'import ',
      '#',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        parsePython(text).tree.iterate({
          enter: ({ from, to }) => {
            expect(0 <= from && from <= to && to <= text.length).toBe(true);
          },
        });
      }),
    );
  });

  it.each<[string, number, (n: number) => string]>([
    ['parentheses', 1 / 2, (n) => `a = ${'('.repeat(n)}1${')'.repeat(n)}\n`],
    ['calls', 1, (n) => `${'f('.repeat(n)}${')'.repeat(n)}\n`],
    ['members', 1 / 2, (n) => `a${'.b'.repeat(n)}\n`],
    ['comparisons', 1, (n) => `a${' < (b'.repeat(n)}${')'.repeat(n)}\n`],
    ['lambdas', 1 / 2, (n) => `a = ${'lambda: '.repeat(n)}1\n`],
    [
      'blocks',
      1,
      (n) =>
        `${Array.from({ length: n }, (_, at) => `${' '.repeat(at)}if a:\n`).join('')}${' '.repeat(n)}b\n`,
    ],
  ])('reads nested %s up to a depth', (_, levels, make) => {
    expect(parsePython(make(Math.floor((MAX_DEPTH - 8) / levels))).problemAt).toBeUndefined();
    const deeper = [MAX_DEPTH / levels + 8, (3 * MAX_DEPTH) / levels];
    for (const n of deeper) expect(() => parsePython(make(n))).toThrow(BeyondLimits);
  });

  it.each(['(', 'lambda: ', 'f"{', 'f"""{', 'eval("'])('leaves 1 MB of %j', (part) => {
    const text = part.repeat(Math.floor(MAX_CODE_BYTES / part.length));
    expect(() => parsePython(text)).toThrow(BeyondLimits);
    expect(wholePython(text)).toBeUndefined();
  });

  it('leaves strings in strings, in whose tree a node has no type', () => {
    const text = 'rf"""{'.repeat(950) + '"""fr}'.repeat(950);
    expect(() => parsePython(text)).toThrow(BeyondLimits);
  });

  it.each(['if a:\n', '"', '\\\n'])('is bounded on many %j', (part) => {
    expect(parsePython(part.repeat(5_000)).tree.length).toBe(part.length * 5_000);
  });

  it('makes its tree again after a release', () => {
    const parsed = parsePython('import a\n');
    const before = parsed.tree.topNode.firstChild?.name;
    parsed.release();
    expect([before, parsed.tree.topNode.firstChild?.name]).toEqual([
      'ImportStatement',
      'ImportStatement',
    ]);
  });
});
