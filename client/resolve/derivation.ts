/**
 * The derivation of a failure, as a tree of conclusions and their reasons. A conclusion that is used more than
 * once appears once; other places refer to its line.
 */
export interface Derivation {
  /** A fact, or the conclusion. */
  readonly text: string;
  /** The number of the line, if another refers to it. */
  readonly line?: number;
  /** Absent for a fact and for a reference. */
  readonly because?: readonly Derivation[];
  /** A reference: the conclusion with that line number. */
  readonly see?: number;
  /** How many conclusions below this one are left out because there are too many. */
  readonly omitted?: number;
}

export interface Explanation {
  readonly tree: Derivation;
  /** A sentence for each conclusion, after those that it follows from. */
  readonly lines: readonly string[];
  /** Whether several versions of one build fail for different reasons. */
  readonly isBranching: boolean;
}
