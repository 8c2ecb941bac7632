/** How the taint analysis describes an API of a platform or of a package: source, sink, sanitizer, propagation. */
import { wordsOf } from '../parse/word-list.ts';
import { NOTHING, join, type Value } from './value.ts';

/** What code does at a sink. */
type Action =
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
  /** Writes into a log, what is encoded; or a page. */
  | 'print'
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
  /** The operand is every address in the arguments, such as those of clients in a list. */
  readonly isDeep?: boolean;
  /** The address that the API itself contacts, where the call names none. */
  readonly host?: string;
  /** What is sent or written is the content of the receiver. */
  readonly isOwnContent?: boolean;
  /** The operand is the path that the receiver's operand and all arguments make. */
  readonly joins?: boolean;
  /** The files that its arguments name get into the receiver, and into the file that it makes. */
  readonly packs?: boolean;
  /** The call is a source: the label of its result. */
  readonly source?: number;
  /** The name of the result, under which its methods are looked up. */
  readonly result?: string;
  /** The call lists the files that match patterns. */
  readonly isGlob?: boolean;
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

/** Parameters in which a caller passes what owns a wallet; the name under which their content is a source. */
export const WALLET_PARAMETER =
  /^_?(?:private_?key|mnemonic|seed_?phrase|key_?pair|wallet_?(?:seed|secret)|recovery_?phrase)$/i;
export const WALLET_SOURCE = '$wallet_key';

/** One description for every name in `names`, which are separated by spaces. */
export function rows(api: Api, names: readonly string[]): [string, Api][] {
  return wordsOf(names).map((name) => [name, api]);
}

/** The functions of an HTTP client, one for each HTTP method. */
export const HTTP_METHODS = wordsOf(['get post put patch delete head request']);

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
  /** Of a request, what its receiver may show to others: all but its authorization. Of a process, its input. */
  readonly body?: Value | undefined;
  /** It is in a bundle, where propagation is less certain. */
  readonly isLarge: boolean;
  /** All arguments, for rules about single APIs. */
  readonly args: readonly Value[];
}

/** A fact without its place; without content and arguments it has none. */
export type FactDetails = Pick<Fact, 'action' | 'api' | 'operand' | 'body'> &
  Partial<Pick<Fact, 'content' | 'args'>>;

/** The join of two facts at one place: an inlined call sees only its own arguments. */
export function mergeFacts(before: Fact | undefined, fact: Fact): Fact {
  if (before === undefined) return fact;
  return {
    ...fact,
    operand: join(before.operand, fact.operand),
    content: join(before.content, fact.content),
    body: fact.body && join(before.body ?? NOTHING, fact.body),
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
  /** Those of them that a build of usual size would have been read with. */
  readonly leftOut: ReadonlySet<string>;
}
