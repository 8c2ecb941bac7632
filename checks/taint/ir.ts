/**
 * The form in which flow analysis reads code of any language: what is called with what, and what is stored
 * where. Order and conditions are left out: every line may run, any number of times.
 *
 *     const { exec: run } = require('child_process')     assign(slot run, get(call(global require, text), text exec))
 */
import type { Obj, Value } from './value.ts';

/** A variable; its value is all that is ever stored in it. */
export interface Slot {
  value: Value | undefined;
}

/** A function of the analysed code. */
export interface Func {
  readonly params: readonly Slot[];
  /** Takes all arguments beyond `params`. */
  readonly rest: Slot | undefined;
  readonly named: ReadonlyMap<string, Slot>;
  readonly body: readonly Expr[];
  /** What `this` is inside, and what `new` gives. */
  readonly self: Slot;
  readonly result: Slot;
}

interface Place {
  /** In UTF-16 units of the file's text. */
  readonly at: number;
  readonly end: number;
}

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
    | { readonly op: 'join'; readonly parts: readonly Expr[] }
    /** One of the parts, or made from all of them. */
    | { readonly op: 'any'; readonly parts: readonly Expr[] }
    /** The last of the parts. */
    | { readonly op: 'sequence'; readonly parts: readonly Expr[] }
    | { readonly op: 'list'; readonly items: readonly Expr[]; obj: Obj | undefined }
    | { readonly op: 'record'; readonly entries: readonly Entry[]; obj: Obj | undefined }
    /** Another object's fields, inside of a list, a record or arguments. */
    | { readonly op: 'spread'; readonly of: Expr }
    | { readonly op: 'function'; readonly func: Func }
    /** A record of members that is called to make the object `self`. */
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
    /** Arithmetic on bits, as ciphers do it. */
    | { readonly op: 'xor'; readonly parts: readonly Expr[] }
  );

export interface Entry {
  /** `undefined` for `...value`. */
  readonly key: Expr | undefined;
  readonly value: Expr;
}

/** One file as flow analysis reads it. */
export interface Module {
  readonly path: string;
  readonly language: 'javascript' | 'python';
  /** So much code that much of it has nothing to do with the rest: a bundle. */
  readonly isLarge: boolean;
  readonly body: readonly Expr[];
  /** Functions whose bodies are read after the module's. */
  readonly funcs: readonly Func[];
  /** What the module gives to those that import it. */
  readonly exports: Slot;
}

export function newSlot(): Slot {
  return { value: undefined };
}
