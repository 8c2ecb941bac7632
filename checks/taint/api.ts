/** What flow analysis knows of an interface of the platform or of a package. */

/** What code does that checks ask about. */
export type Action =
  /** Sends over the network. Operand: the address. */
  | 'send'
  /** Looks up a host name. Operand: the name. */
  | 'resolve'
  /** Runs code of its own language. Operand: the code. */
  | 'execute'
  /** Runs machine code from memory. Operand: the code or its place. */
  | 'inject'
  /** Starts a process. Operand: the command. */
  | 'spawn'
  /** Gives a running process its input. Operand: the process's command. */
  | 'feed'
  /** Loads a module. Operand: its name. */
  | 'load'
  | 'read'
  | 'write'
  | 'delete'
  /** Makes a file executable. */
  | 'chmod'
  /** Reads an environment variable. Operand: its name. */
  | 'variable'
  /** Listens for connections. */
  | 'listen';

export interface Api {
  readonly action?: Action;
  /** Which argument is the operand; 0 by default. */
  readonly operand?: number;
  /** The operand's name as a keyword argument. */
  readonly keyword?: string;
  /** Which argument is what is sent or written; all of them by default. */
  readonly content?: number;
  /** The operand is what the object was made with, such as a request's address. */
  readonly isOnTarget?: boolean;
  /** Label of what it gives. */
  readonly gives?: number;
  /** The name of what it gives, under which its methods are looked up. */
  readonly result?: string;
  /** What it gives is this argument, or `-1` the object that it is called on. */
  readonly same?: number;
  /** What it gives has nothing of what goes in. */
  readonly isSealed?: boolean;
  /** The last argument, not the operand's index, when there are several: `Function('a', code)`. */
  readonly isLast?: boolean;
}

export type ApiTable = ReadonlyMap<string, Api>;

/** Each name of the list, separated by spaces, with one description. */
export function rows(names: string, api: Api): [string, Api][] {
  return names
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => [name, api]);
}
