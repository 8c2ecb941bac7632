import { describe, expect, it } from 'vitest';
import { lowerJavaScriptText } from '../../tests/taint/ir-text.ts';
import { isClass, isFunc } from './ir.ts';
import { newSlot } from './value.ts';

describe('isFunc() and isClass()', () => {
  it('distinguish functions, classes and other callables', () => {
    const [assigned] = lowerJavaScriptText('class A { m() {} }').body;
    const classOf =
      assigned?.op === 'assign' && assigned.value.op === 'class' ? assigned.value : undefined;
    const [func] = lowerJavaScriptText('function f() {}').funcs;
    const other = { self: newSlot() };
    expect([classOf!, func!, other].map(isFunc)).toEqual([false, true, false]);
    expect([classOf!, func!, other].map(isClass)).toEqual([true, false, false]);
  });
});
