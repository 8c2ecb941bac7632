import { describe, expect, it } from 'vitest';
import { factLines, interpretJavaScript, valueOf } from '../../../tests/taint/interpret-code.ts';
import { itemsOf, NOTHING, Obj, storeField, textValue } from '../value.ts';
import { TARGET, allOf, positional, targetOf } from './evaluator.ts';

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

function fieldsOf(expression: string, before = ''): Record<string, string> {
  const [obj] = valueOf(expression, before).objects;
  return Object.fromEntries([...(obj?.fields ?? [])].map(([k, v]) => [k, v.texts.join('|')]));
}

describe('listOf()', () => {
  it('keeps elements by index', () => {
    expect(fieldsOf("['a', , 'b']")).toEqual({ 0: 'a', 1: '', 2: 'b' });
  });

  it('loses the index of the elements that follow a spread', () => {
    const value = valueOf("['a', ...b, 'c']", "const b = ['d']");
    expect([...(value.objects[0]?.fields.keys() ?? [])]).toEqual(['0']);
    expect(value.objects[0]?.rest.texts).toEqual(['d', 'c']);
  });

  it('is bounded', () => {
    const value = valueOf(`[${"'a',".repeat(5_000)}]`);
    expect(value.objects[0]?.fields.size).toBe(2_000);
    expect(itemsOf(value).texts).toEqual(['a']);
  });
});

describe('recordOf()', () => {
  it('keeps fields by constant key', () => {
    expect(fieldsOf("{ a: '1', ['b' + 'c']: '2', 'd-e': '3' }")).toEqual({
      a: '1',
      bc: '2',
      'd-e': '3',
    });
  });

  it('copies the fields of a spread object', () => {
    expect(fieldsOf("{ ...a, b: '2' }", "const a = { a: '1', b: '1' }")).toEqual({
      a: '1',
      b: '1|2',
    });
  });

  it('stores fields with unknown keys without one', () => {
    const [obj] = valueOf("{ [f()]: 'a' }").objects;
    expect([obj?.fields.size, obj?.rest.texts]).toEqual([0, ['a']]);
  });
});

describe('objectAt()', () => {
  it('is one object in every pass, but a new one for each inlined call', () => {
    const text =
      "const f = (s) => s.split(','); export const a = f('1,2'); export const b = f('3');";
    const { exported } = interpretJavaScript(text);
    const [a] = exported('a').objects;
    const [b] = exported('b').objects;
    expect(a).not.toBe(b);
    expect(valueOf("'a,b'.split(',')").objects).toHaveLength(1);
  });
});

describe('positional()', () => {
  it('has no keyword arguments', () => {
    const args = positional(textValue('a'), NOTHING);
    expect(args.list).toHaveLength(2);
    expect(args.named.size).toBe(0);
  });
});

describe('allOf()', () => {
  it('lists positional arguments, then keyword arguments', () => {
    const named = new Map([['k', textValue('b')]]);
    const texts = allOf({ list: [textValue('a')], named }).map((v) => v.texts[0]);
    expect(texts).toEqual(['a', 'b']);
  });
});

describe('targetOf()', () => {
  it('joins the operands that the objects were created with', () => {
    const objects = ['http://a.io', 'http://b.io'].map((address) => {
      const obj = new Obj();
      storeField(obj, TARGET, textValue(address));
      return obj;
    });
    expect(targetOf({ ...NOTHING, objects }).texts).toEqual(['http://a.io', 'http://b.io']);
    expect(targetOf({ ...NOTHING, objects: [new Obj()] })).toBe(NOTHING);
  });
});
