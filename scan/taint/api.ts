/** How the taint analysis describes an API of a platform or of a package: source, sink, sanitizer, propagation. */

/** What code does at a sink. */
export type Action =
  /** Sends over the network. Operand: the address. */
  | 'send'
  /** Looks up a host name. Operand: the name. */
  | 'resolve'
  /** Runs code of its own language. Operand: the code. */
  | 'execute'
  /** Runs machine code from memory. Operand: the code or its address. */
  | 'inject'
  /** Starts a process. Operand: the command. */
  | 'spawn'
  /** Writes to the input of a running process. Operand: the command of the process. */
  | 'feed'
  /** Loads a module. Operand: its name. */
  | 'load'
  | 'read'
  | 'write'
  | 'delete'
  /** Makes a file executable. */
  | 'chmod'
  /** Reads an environment variable. Operand: its name. */
  | 'variable';

/** One API. */
export interface Api {
  /** The call is a sink: it records a fact with this action. */
  readonly sink?: Action;
  /** Index of the argument that is the operand; 0 by default. */
  readonly operand?: number;
  /** The name of the operand as a keyword argument. */
  readonly keyword?: string;
  /** Index of the argument that is sent or written; all arguments by default. */
  readonly content?: number;
  /** The operand is what the receiver was created with, such as the address of a request. */
  readonly isOnTarget?: boolean;
  /** The call is a source: the label of its result. */
  readonly source?: number;
  /** The name of the result, under which its methods are looked up. */
  readonly result?: string;
  /** Index of the argument that the call returns. */
  readonly returns?: number;
  /** The call is a sanitizer: no content of the arguments reaches the result. */
  readonly isSanitizer?: boolean;
  /** The operand is the last argument: `Function('a', code)`. */
  readonly isLast?: boolean;
}

/** APIs by canonical name. */
export type ApiTable = ReadonlyMap<string, Api>;

/** A name whose value is a source without a call: its label, and its name in evidence. */
export type SourceName = readonly [label: number, what: string];

/** One description for every name in `names`, which are separated by spaces. */
export function rows(names: readonly string[], api: Api): [string, Api][] {
  return wordsOf(names).map((name) => [name, api]);
}

/** The words of lines that separate them by spaces. */
export function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
