/**
 * What a small function gives for one call's own texts: who hides strings calls one decoder for all of them.
 *
 *     const t = (s) => s.split('').reverse().join(''); require(t('sf')); require(t('ptth'))
 */
import type { Arguments } from './arguments.ts';
import type { Expr, Func, Slot } from '../ir.ts';
import type { Interpreter } from './interpreter.ts';
import { NOTHING, Obj } from '../value.ts';
import type { ClassValue, Value } from '../value.ts';

const MAX_BODY = 80;
/** Calls in calls that are followed for themselves. */
const MAX_ALONE = 2;
/** Expressions read so in all files of a build. */
const MAX_ALONE_WORK = 30_000;
const KNOWN = new WeakMap<Func, readonly Slot[] | null>();

/** Any call that brings no texts gives what the function gives for all of its arguments. */
export function applyAlone(to: Interpreter, func: Func | ClassValue, args: Arguments): Value {
  const common = to.apply(func, args);
  if (!('params' in func) || to.module.isLarge || to.alone.size >= MAX_ALONE) return common;
  if (to.aloneWork > MAX_ALONE_WORK) return common;
  if (to.alone.has(func) || !args.list.some((value) => value.texts.length > 0)) return common;
  const slots = slotsIn(func);
  if (slots === undefined) return common;
  const before = slots.map(({ value }) => value);
  for (const slot of slots) slot.value = undefined;
  to.alone.add(func);
  func.params.forEach((slot, index) => (slot.value = args.list[index]));
  for (const expr of func.body) to.evaluate(expr);
  const result = func.result.value ?? NOTHING;
  slots.forEach((slot, index) => (slot.value = before[index]));
  to.alone.delete(func);
  return result;
}

const OBJECTS = new WeakMap<Expr, Obj>();

/** The object that an expression makes: one for all times, but a new one for a call that is read alone. */
export function objectAt(to: Interpreter, expr: Expr): Obj {
  if (to.alone.size > 0) return new Obj();
  let obj = OBJECTS.get(expr);
  if (obj === undefined) OBJECTS.set(expr, (obj = new Obj()));
  return obj;
}

/** The slots that the function writes, its parameters and its result; `undefined` when it is too large. */
function slotsIn(func: Func): readonly Slot[] | undefined {
  let known = KNOWN.get(func);
  if (known === undefined) KNOWN.set(func, (known = slotsOf(func)));
  return known ?? undefined;
}

function slotsOf(func: Func): readonly Slot[] | null {
  const slots = new Set<Slot>([...func.params, func.result]);
  const waiting: unknown[] = [...func.body];
  for (let count = 0; waiting.length > 0;) {
    const one = waiting.pop();
    if (Array.isArray(one)) waiting.push(...one);
    else if (isExpr(one)) {
      count += 1;
      if (count > MAX_BODY) return null;
      if (one.op === 'assign' && one.target.op === 'slot') slots.add(one.target.slot);
      // What is made inside keeps what all calls put into it.
      if (one.op === 'function' || one.op === 'class') continue;
      waiting.push(...Object.values(one));
    } else if (isEntry(one)) waiting.push(one.key, one.value);
  }
  return [...slots];
}

function isExpr(value: unknown): value is Expr {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function isEntry(value: unknown): value is { readonly key: unknown; readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'key' in value && 'value' in value;
}
