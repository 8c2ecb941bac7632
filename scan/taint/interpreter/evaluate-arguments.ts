/** Evaluates the arguments of a call. */
import type { CallExpr, Expr } from '../ir.ts';
import { itemsOf, type Value } from '../value.ts';
import type { Arguments } from './arguments.ts';
import type { Evaluator } from './evaluator.ts';

/** Elements of a spread list that are passed as arguments of their own. */
const MAX_SPREAD = 100;

/** The arguments; a spread list with known elements becomes one argument per element. */
export function evaluateArguments(
  evaluator: Evaluator,
  { args, named: entries }: CallExpr,
): Arguments {
  const list = args.flatMap((arg) => evaluateArgument(evaluator, arg));
  const named = new Map<string, Value>();
  for (const { key, value } of entries) {
    const evaluated = evaluator.evaluate(value);
    if (key?.op === 'text') named.set(key.text, evaluated);
    else list.push(itemsOf(evaluated));
  }
  return { list, named };
}

function evaluateArgument(evaluator: Evaluator, arg: Expr): Value[] {
  const value = evaluator.evaluate(arg);
  if (arg.op !== 'spread') return [value];
  const items = [...(value.objects[0]?.fields ?? [])].filter(([key]) => /^\d+$/.test(key));
  if (items.length === 0) return [itemsOf(value)];
  return items.slice(0, MAX_SPREAD).map(([, item]) => item);
}
