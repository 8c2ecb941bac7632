/** What a kind of project has. Types only. */

/** A project that was made without our client. */
export interface ProjectKind {
  readonly name: string;
  /** The builds to add, in the order in which they are integrated. */
  readonly builds: readonly string[];
  /** A package of the npm registry that makes the project, with its arguments; its last one is the folder. */
  readonly generator?: readonly string[];
  /** Files to write, after the generator if there is one. */
  readonly files: Readonly<Record<string, string>>;
  readonly typeCheck: string;
  /** Runs the project's own tests; a template without tests has none. */
  readonly test?: string;
  /** What its people write to use the builds, by the guides: replaced and added files, undone before the removal. */
  readonly use?: {
    readonly files: Readonly<Record<string, string>>;
    /** Fails unless the builds work. */
    readonly command: string;
  };
}
