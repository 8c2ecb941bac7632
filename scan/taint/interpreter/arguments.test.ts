import { describe, expect, it } from 'vitest';
import { NOTHING, Obj, storeField, textValue } from '../value.ts';
import { TARGET, allOf, positional, targetOf } from './arguments.ts';

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
