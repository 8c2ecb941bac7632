/** What flow analysis finds in code. */
import type { Action } from './api.ts';
import { NOTHING, joined } from './value.ts';
import type { Value } from './value.ts';

/** Something that the code does. */
export interface Fact {
  readonly action: Action;
  readonly path: string;
  readonly at: number;
  readonly end: number;
  /** The canonical name of what does it: `child_process.exec`. */
  readonly api: string;
  /** What it is done to: an address, a command, code, a path. */
  readonly operand: Value;
  /** What is sent, written or fed. */
  readonly content: Value;
  /** It stands in a bundle, where flows are followed with less certainty. */
  readonly isLarge: boolean;
  /** All arguments, for what only some interfaces have. */
  readonly args: readonly Value[];
}

/** What is known of a place by now: a call that is read alone sees its own arguments only. */
export function mergedFact(before: Fact | undefined, fact: Fact): Fact {
  if (before === undefined) return fact;
  return {
    ...fact,
    operand: joined(before.operand, fact.operand),
    content: joined(before.content, fact.content),
    args: fact.args.map((value, index) => joined(before.args[index] ?? NOTHING, value)),
  };
}

/** A constant of the code: a path of credentials, an address that nobody publishes. */
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
