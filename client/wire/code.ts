/** What wiring needs to know about a file of code, the same for all languages. Types only. */
import type { WireAnchor } from '../../format/wiring/wire-info.ts';

/** Offsets in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A list: what is between its brackets. */
export interface ListRange extends Range {
  readonly elements: readonly Range[];
}

/** A file of code without syntax errors. */
export interface Code {
  readonly path: string;
  readonly text: string;
  /** The statements of every block, in their order. */
  readonly blocks: readonly (readonly Range[])[];
  /** The imports at the top level. */
  readonly imports: readonly Range[];
  /** Where imports go in a file without any: after comments and directives at its beginning. */
  readonly top: number;
  /** Names that the top level declares or imports. */
  readonly names: ReadonlySet<string>;
  /** Every text in quotes except the names of modules. */
  readonly strings: readonly string[];
  /** The lists that an anchor names. */
  readonly lists: (anchor: WireAnchor) => readonly ListRange[];
}

/** The block that makes the application, and where its routes are mounted. */
export interface Application {
  readonly path: string;
  /** The name of the application in the block. */
  readonly name: string;
  /** The statement after which a route is mounted; `undefined` without one. */
  readonly after: Range | undefined;
  /** The statement that makes the application, where routes may also follow it directly. */
  readonly madeAt?: Range;
  /** Why nothing can be mounted here. */
  readonly problem?: string;
  /** Names of the modules whose routers are mounted at the root. */
  readonly roots: readonly string[];
  /** Whether some routes have a path that another file decides. */
  readonly isOpen: boolean;
}

/** The applications of one file: those that it declares, and those that functions take. */
export interface FileApplications {
  readonly declared: readonly Application[];
  readonly taken: readonly Application[];
  /** Why an application of the file cannot be used. */
  readonly problem?: string;
}
