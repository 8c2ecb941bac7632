import { describe, expect, it } from 'vitest';
import { functionOf, irOf, lowerJavaScriptText } from '../../../tests/taint/ir-text.ts';

function ir(text: string): string {
  return irOf(lowerJavaScriptText(text)).join('; ');
}

describe('lowerJavaScript()', () => {
  it.each([
    ['const a = f(b);', '$0 = @f(@b)'],
    ['let a;', ''],
    [
      'const { a, b: [c], ...d } = e;',
      '$0 = @e; $1 = $0["a"]; $2 = $0["b"]; $3 = $2["0"]; $4 = $0',
    ],
    ['const { a = 1 } = b;', '$0 = @b; $1 = any($0["a"], "1")'],
    ['const { [a]: b } = c;', '$0 = @c; $1 = $0[@a]'],
    ['const [a, , ...b] = c;', '$0 = @c; $1 = $0["0"]; $2 = $0'],
  ])('declares variables: %s', (text, expected) => {
    expect(ir(text)).toBe(expected);
  });

  it.each([
    ['for (const a of b) c(a);', '$0 = @b[_]; @c($0)'],
    ['for (const k in b) c(k);', '$0 = concat(_, @b); @c($0)'],
    ['for (a of b);', '@a = @b[_]'],
    ['for (let i = 0; i < 3; i++) f(i);', '$0 = "0"; sequence($0, "3", _); $0; @f($0)'],
    ['for (a(); b(); c()) d();', '@a(); @b(); @c(); @d()'],
    ['while (a) b()', '@a; @b()'],
    ['do { a() } while (b)', '@b; @a()'],
    ['label: a()', '@a()'],
    ['if (a) b(); else c();', '@a; @b(); @c()'],
    ['try { a() } catch (e) { b(e) } finally { c() }', '@a(); @b($0); @c()'],
    ['switch (a) { case 1: b(); break; default: c() }', '@a; @b(); @c()'],
    ['with (a) b();', '@a; @b()'],
    ['throw a;', '@a'],
    [';', ''],
    ['interface A { b: string } type C = A;', ''],
    ['namespace A { b(); }', '@b()'],
  ])('lowers both branches and the body of %s', (text, expected) => {
    expect(
      irOf(lowerJavaScriptText(text, text.startsWith('with') ? 'a.js' : 'a.ts')).join('; '),
    ).toBe(expected);
  });

  it.each([
    ['function f() {}', '() {} -> $0'],
    ['function f(a) { return a; }', '($0) {$1 = $0; $2 = $1} -> $2'],
    [
      '(a, b = 1, ...c) => a',
      '($0, $1, ...$2) {$3 = $0; $4 = any($1, "1"); $5 = $2; $6 = $3} -> $6',
    ],
    ['({ a }) => a', '($0) {$1 = $0["a"]; $2 = $1} -> $2'],
    ['function f() { if (a) return 1; return 2; }', '() {@a; $0 = "1"; $0 = "2"} -> $0'],
    ['function f() { return; }', '() {} -> $0'],
  ])('lowers the function %s', (text, expected) => {
    expect(functionOf(lowerJavaScriptText(text))).toBe(expected);
  });

  it('declares functions before it lowers the statements that call them', () => {
    expect(ir('f(); function f() {}')).toBe('$0(); $0 = function() {} -> $1');
  });

  it('gives a block variables of its own', () => {
    expect(ir('const a = 1; { const a = 2; b(a); } c(a);')).toBe(
      '$0 = "1"; $1 = "2"; @b($1); @c($0)',
    );
  });
});
