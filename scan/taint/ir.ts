/**
 * The intermediate representation (IR) that the taint analysis reads, the same for every language: what is called
 * with what, and what is stored where. It has no order and no conditions: every line may run, any number of times.
 *
 *     const { exec: run } = require('child_process')     assign(slot run, get(call(global require, text), text exec))
 */
import type { Callable, Obj, Slot } from './value.ts';

/** A function of the analysed code. */
export interface Func extends Callable {
  readonly params: readonly Slot[];
  /** Takes all arguments beyond `params`. */
  readonly rest: Slot | undefined;
  /** Parameters that accept keyword arguments. */
  readonly named: ReadonlyMap<string, Slot>;
  readonly body: Expr[];
  /** What `this` is inside, and what `new` returns. */
  readonly self: Slot;
  readonly result: Slot;
}

interface Place {
  /** In UTF-16 units of the file's text. */
  readonly at: number;
  readonly end: number;
}

/** An expression or statement, with its place in the file. */
export type Expr = Place &
  (
    | { readonly op: 'text'; readonly text: string }
    | { readonly op: 'none' }
    | { readonly op: 'slot'; readonly slot: Slot }
    | { readonly op: 'global'; readonly name: string }
    | { readonly op: 'import'; readonly module: string; readonly level: number }
    | { readonly op: 'get'; readonly of: Expr; readonly key: Expr }
    | {
        readonly op: 'call';
        readonly callee: Expr;
        readonly args: readonly Expr[];
        readonly named: readonly Entry[];
        readonly isNew?: boolean;
      }
    /** One string of all parts. */
    | { readonly op: 'concat'; readonly parts: readonly Expr[] }
    /** One of the parts, or computed from all of them. */
    | { readonly op: 'any'; readonly parts: readonly Expr[] }
    /** The last of the parts. */
    | { readonly op: 'sequence'; readonly parts: readonly Expr[] }
    | { readonly op: 'list'; readonly items: readonly Expr[]; obj: Obj | undefined }
    | { readonly op: 'record'; readonly entries: readonly Entry[]; obj: Obj | undefined }
    /** The fields of another object, inside a list, a record or arguments. */
    | { readonly op: 'spread'; readonly of: Expr }
    | { readonly op: 'function'; readonly func: Func }
    /** A record of members; a call of it creates the object `self`. */
    | {
        readonly op: 'class';
        readonly members: Expr;
        readonly self: Slot;
        readonly init: Func | undefined;
      }
    | {
        readonly op: 'assign';
        readonly target: Expr;
        readonly value: Expr;
        readonly isAdded: boolean;
      }
    /** Bitwise arithmetic, as in ciphers. */
    | { readonly op: 'xor'; readonly parts: readonly Expr[] }
  );

/** A call. */
export type CallExpr = Extract<Expr, { op: 'call' }>;

/** A class definition; it is also the class as a value. */
type ClassExpr = Extract<Expr, { op: 'class' }>;

/** One field of a record, or one keyword argument. */
export interface Entry {
  /** `undefined` for `...value`. */
  readonly key: Expr | undefined;
  readonly value: Expr;
}

/** One file of code. */
export interface Module {
  readonly path: string;
  readonly language: 'javascript' | 'python';
  /** A bundle: so much code that much of it has nothing to do with the rest. */
  isLarge: boolean;
  /** How many calls it holds: comments, texts and statements that do nothing make no bundle. */
  readonly calls: number;
  readonly body: Expr[];
  /** Functions; their bodies are evaluated after the module's. */
  readonly funcs: readonly Func[];
  /** What other modules import. */
  readonly exports: Slot;
}

/** Whether a callable is a function. */
export function isFunc(callable: Callable): callable is Func {
  return 'params' in callable;
}

/** Whether a callable is a class. */
export function isClass(callable: Callable): callable is ClassExpr {
  return 'members' in callable;
}
