import { describe, expect, it } from 'vitest';
import { interpretJavaScript, valueOf } from '../../../tests/taint/interpret-code.ts';
import { itemsOf } from '../value.ts';

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
