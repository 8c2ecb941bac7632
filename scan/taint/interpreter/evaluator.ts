/** What the parts of the interpreter need from it. Each part gets an `Evaluator`, so that none imports the whole. */
import type { FactDetails } from '../fact.ts';
import type { CallExpr, Expr, Func, Module } from '../ir.ts';
import type { Callable, Obj, Slot, Value } from '../value.ts';
import type { Arguments, Receiver } from './arguments.ts';

/** The interpreter as its parts see it. */
export interface Evaluator {
  /** The module whose code is evaluated now. */
  readonly module: Module;
  /** Functions whose bodies are evaluated for one call only. */
  readonly inlined: Set<Func>;
  /** Number of expressions evaluated in inlined bodies. */
  readonly inlineWork: number;
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
  readonly callApi: (expr: CallExpr, target: Value, receiver: Receiver, args: Arguments) => Value;
}
