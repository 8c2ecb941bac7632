/** The interpreter as its parts see it, and the arguments and receiver of a call. */
import type { Expr, Func, CallExpr, Module } from '../ir.ts';
import {
  NOTHING,
  type Obj,
  join,
  HIDDEN_KEY,
  type Callable,
  type Slot,
  type Value,
} from '../value.ts';
import type { FactDetails } from '../api.ts';

/** The interpreter as its parts see it. */
export interface Evaluator {
  /** The module whose code is evaluated now. */
  readonly module: Module;
  /** Functions whose bodies are evaluated for one call only. */
  readonly inlined: Set<Func>;
  /** Number of expressions evaluated in inlined bodies. */
  readonly inlineWork: number;
  /** What the code has written, by a slash and the path. */
  readonly disk: Obj;
  /** What the workers of the build do with messages. */
  readonly channel: Obj;
  readonly evaluate: (expr: Expr) => Value;
  /** The exports of a module of the build, or the API of that name. */
  readonly importOf: (module: string, level: number) => Value;
  readonly store: (slot: Slot, value: Value) => void;
  /** @param key `undefined` for a key that is not constant */
  readonly storeField: (obj: Obj, key: string | undefined, value: Value) => void;
  /** Records a fact at the place of `expr`, joined with the previous facts of the same action and API. */
  readonly record: (expr: Expr, fact: FactDetails) => void;
  /** Calls a function or class of the code; returns the join of its results for all calls. */
  readonly apply: (callee: Callable, args: Arguments) => Value;
  /** Calls an API of the platform or of a package, or something unknown. */
  readonly callApi: (call: Call, target: Value) => Value;
}

/** The key of the operand that an object was created with, such as the address of a request. */
export const TARGET = `${HIDDEN_KEY}target`;

/** The arguments of a call, evaluated. */
export interface Arguments {
  readonly list: readonly Value[];
  /** Keyword arguments. */
  readonly named: ReadonlyMap<string, Value>;
}

/** A call of the analysed code. */
export interface Call {
  readonly evaluator: Evaluator;
  readonly expr: CallExpr;
  readonly args: Arguments;
  /** The object whose method is called, and the name of the method. */
  readonly receiver: Value;
  readonly method: string | undefined;
}

/** Arguments without keyword arguments. */
export function positional(...list: readonly Value[]): Arguments {
  return { list, named: new Map() };
}

/** The operand that an object was created with. */
export function targetOf(value: Value, key = TARGET): Value {
  let sum: Value = NOTHING;
  for (const obj of value.objects) sum = join(sum, obj.fields.get(key) ?? NOTHING);
  return sum;
}

/** All arguments, positional ones first. */
export function allOf({ list, named }: Arguments): Value[] {
  return named.size === 0 ? [...list] : [...list, ...named.values()];
}
