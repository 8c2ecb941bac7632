/**
 * How a failure follows, as a tree: a conclusion, and because of what. A conclusion that is used more than
 * once is there once; other places refer to its line.
 */
export interface Derivation {
  /** A fact, or the conclusion. */
  readonly text: string;
  /** The number of the line, where another refers to it. */
  readonly line?: number;
  /** Absent for a fact and for a reference. */
  readonly because?: readonly Derivation[];
  /** A reference: the conclusion with that line number. */
  readonly see?: number;
  /** How many conclusions below this one were left out, as there are too many. */
  readonly omitted?: number;
}

export interface Explanation {
  readonly tree: Derivation;
  /** A sentence for each conclusion, those of which it follows first. */
  readonly lines: readonly string[];
  /** Whether several versions of one build fail, each for another reason. */
  readonly isBranching: boolean;
}
