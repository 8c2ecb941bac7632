/** What flow analysis finds in code. */
import type { Action } from './api.ts';
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

/** A constant of the code: a path of credentials, an address that nobody publishes. */
export interface TellingText {
  readonly path: string;
  readonly at: number;
  readonly end: number;
  readonly text: string;
}
