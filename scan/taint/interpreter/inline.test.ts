import { describe, expect, it } from 'vitest';
import { factLines, interpretJavaScript, valueOf } from '../../../tests/taint/interpret-code.ts';

const REVERSE = "const t = (s) => s.split('').reverse().join('')";

describe('applyInline()', () => {
  it('evaluates a small function for the texts of each call', () => {
    const { facts } = interpretJavaScript(`${REVERSE}; require(t('sf')); require(t('ptth'))`);
    expect(factLines(facts)).toEqual(['load require fs', 'load require http']);
  });

  it('restores the variables of the function', () => {
    const { exported } = interpretJavaScript(
      "let v; function f(x) { v = x; return v; } export const a = f('1'); export const b = f('2');",
    );
    expect(exported('a').texts).toEqual(['1']);
    expect(exported('b').texts).toEqual(['2']);
  });

  it('joins the results of all calls for a call without texts', () => {
    const before = "const f = (x) => x; f('a'); f('b')";
    expect(valueOf('f(g())', before).texts).toEqual(['a', 'b']);
  });

  it('joins the results of all calls in a bundle and of a large function', () => {
    const before = "const f = (x) => x; f('a')";
    expect(valueOf("f('b')", before, true).texts).toEqual(['a', 'b']);
    const large = `const f = (x) => { ${'g();'.repeat(100)} return x; }; f('a')`;
    expect(valueOf("f('b')", large).texts).toEqual(['a', 'b']);
  });

  it('follows inlined calls in inlined calls two deep', () => {
    const before =
      "const a = (x) => x + '1'; const b = (x) => a(x) + '2'; const c = (x) => b(x) + '3'";
    expect(valueOf("b('x')", before).texts).toEqual(['x12']);
  });

  it.each([
    "function f(x) { return f(x + 'a'); } f('b')",
    "function f(x) { return g(x); } function g(x) { return f(x + 'a'); } f('b')",
    "const f = (x) => x(f)(f('a')); f(f)",
  ])('ends on recursion: %s', (text) => {
    expect(interpretJavaScript(text).interpreter.isComplete).toBe(true);
  });

  it('stops at its bound of work, after which calls join their results', () => {
    const calls = Array.from({ length: 3_000 }, (_, n) => `t('${n}');`).join('');
    const { interpreter } = interpretJavaScript(`${REVERSE}; ${calls}`);
    expect(interpreter.inlineWork).toBeGreaterThan(10_000);
    expect(interpreter.inlineWork).toBeLessThan(30_100);
  });
});
