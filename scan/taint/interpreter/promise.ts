/** `new Promise((resolve) => ...)`: what the executor resolves is the value of the promise. */
import type { Expr, Func } from '../ir.ts';
import { NOTHING, newSlot, type Slot, type Value } from '../value.ts';
import type { Arguments } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';

interface Resolver {
  readonly func: Func;
  readonly slot: Slot;
}

const RESOLVERS = new WeakMap<Expr, Resolver>();

/** The value that the promise made at `expr` resolves to. */
export function callPromise(evaluator: Evaluator, expr: Expr, args: Arguments): Value {
  let resolver = RESOLVERS.get(expr);
  if (resolver === undefined) RESOLVERS.set(expr, (resolver = newResolver()));
  const resolve = { ...NOTHING, funcs: [resolver.func] };
  for (const executor of args.list[0]?.funcs ?? []) {
    evaluator.apply(executor, { list: [resolve, resolve], named: new Map() });
  }
  return resolver.slot.value ?? NOTHING;
}

/** A function that keeps its argument in `slot`. */
function newResolver(): Resolver {
  const slot = newSlot();
  const func: Func = {
    params: [slot],
    rest: undefined,
    named: new Map(),
    body: [],
    self: newSlot(),
    result: newSlot(),
  };
  return { func, slot };
}
