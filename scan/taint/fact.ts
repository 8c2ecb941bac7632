/** What the taint analysis reports about code. */
import type { Action } from './api.ts';
import { NOTHING, join, type Value } from './value.ts';

/** One action of the code. */
export interface Fact {
  readonly action: Action;
  readonly path: string;
  readonly at: number;
  readonly end: number;
  /** The canonical name of the API that does it: `child_process.exec`. */
  readonly api: string;
  /** The object of the action: an address, a command, code, a path. */
  readonly operand: Value;
  /** What is sent, written or fed. */
  readonly content: Value;
  /** It is in a bundle, where propagation is less certain. */
  readonly isLarge: boolean;
  /** All arguments, for rules about single APIs. */
  readonly args: readonly Value[];
}

/** A fact without its place. */
export type FactDetails = Omit<Fact, 'path' | 'at' | 'end' | 'isLarge'>;

/** The join of two facts at one place: an inlined call sees only its own arguments. */
export function mergeFacts(before: Fact | undefined, fact: Fact): Fact {
  if (before === undefined) return fact;
  return {
    ...fact,
    operand: join(before.operand, fact.operand),
    content: join(before.content, fact.content),
    args: fact.args.map((value, index) => join(before.args[index] ?? NOTHING, value)),
  };
}

/** A constant of the code that indicates its purpose, such as the path of a credential. */
export interface NotableText {
  readonly path: string;
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** What the taint analysis of a build found. */
export interface TaintResult {
  /** Sorted by path and offset. */
  readonly facts: readonly Fact[];
  readonly texts: readonly NotableText[];
  /** Files whose code was not analysed completely. */
  readonly unread: readonly string[];
}
