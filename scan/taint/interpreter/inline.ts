/**
 * Inlining: evaluates a small function for the texts of one call, because code that hides strings calls one decoder
 * for all of them.
 *
 *     const t = (s) => s.split('').reverse().join(''); require(t('sf')); require(t('ptth'))
 */
import { isFunc, type Expr, type Func } from '../ir.ts';
import { NOTHING, type Callable, type Slot, type Value } from '../value.ts';
import type { Evaluator, Arguments } from './evaluator.ts';

/** Expressions in the body of a function that is inlined. */
const MAX_BODY = 80;
/** Depth of inlined calls within inlined calls. */
const MAX_INLINE_DEPTH = 2;
/** Expressions evaluated in inlined bodies in all files of a build. */
const MAX_INLINE_WORK = 30_000;
/** The slots of functions that are small enough, `null` for those that are not. */
const SLOTS = new WeakMap<Func, readonly Slot[] | null>();

/** The result of one call; a call that passes no texts returns the join of the results of all calls. */
export function applyInline(evaluator: Evaluator, callee: Callable, args: Arguments): Value {
  const common = evaluator.apply(callee, args);
  const { inlined, module } = evaluator;
  if (!isFunc(callee) || module.isLarge || inlined.size >= MAX_INLINE_DEPTH) return common;
  if (evaluator.inlineWork > MAX_INLINE_WORK) return common;
  if (inlined.has(callee) || !args.list.some((value) => value.texts.length > 0)) return common;
  const slots = slotsOf(callee);
  if (slots === null) return common;
  const before = slots.map(({ value }) => value);
  for (const slot of slots) slot.value = undefined;
  inlined.add(callee);
  callee.params.forEach((slot, index) => (slot.value = args.list[index]));
  for (const expr of callee.body) evaluator.evaluate(expr);
  const result = callee.result.value ?? NOTHING;
  slots.forEach((slot, index) => (slot.value = before[index]));
  inlined.delete(callee);
  return result;
}

/** The parameters, the result and the slots that the function assigns; `null` when it is too large. */
function slotsOf(func: Func): readonly Slot[] | null {
  let known = SLOTS.get(func);
  if (known === undefined) SLOTS.set(func, (known = findSlots(func)));
  return known;
}

function findSlots(func: Func): readonly Slot[] | null {
  if (func.body.length === 0) return null;
  const slots = new Set<Slot>([...func.params, func.result]);
  const waiting: unknown[] = [...func.body];
  for (let count = 0; waiting.length > 0;) {
    const one = waiting.pop();
    if (Array.isArray(one)) waiting.push(...one);
    else if (isExpr(one)) {
      count += 1;
      if (count > MAX_BODY) return null;
      if (one.op === 'assign' && one.target.op === 'slot') slots.add(one.target.slot);
      // Functions and classes created inside keep the values of all calls.
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
