/** What a kind of project has, and how builds are tried in it. Types only. */

/** A project that was made without our client. */
export interface ProjectKind {
  readonly name: string;
  /** How it is made, for the page. */
  readonly made: string;
  /** Commands in the folder above the project; `$NAME` is the project's folder, `$TOOLS` that of the npm tools. */
  readonly create?: readonly string[];
  /** Files to write after these commands. */
  readonly files: Readonly<Record<string, string>>;
  /** Changes of files that are there, by path: each text is replaced by the other one. */
  readonly edits?: Edits;
  /** Commands in the project that install its packages. */
  readonly install: readonly string[];
  /** The member of a workspace that gets the builds: its name and its folder. */
  readonly member?: { readonly name: string; readonly folder: string };
  /** Checks types, or builds where that is how its people do it. */
  readonly typeCheck: string;
  /** Runs the project's own tests; a template without tests has none. */
  readonly test?: string;
  /** Whether the page gives the time of its tests, as a median of several runs. */
  readonly isTimed?: true;
  /** Files and folders that tests and tools of the project write, by name or path. */
  readonly written?: readonly string[];
  /** The builds that must fit. Every other first-party build is added as well, to show the answer of the client. */
  readonly trials: readonly Trial[];
}

/** Builds that are added, used and removed together. */
export interface Trial {
  /** The build that the trial is about: an id, or a folder of `tools/prove/modules`. */
  readonly build: string;
  /** Arguments of the `add` commands, in this order; without it one that adds the build. */
  readonly add?: readonly (readonly string[])[];
  /** A failure of the type check after `add` that is known. */
  readonly limit?: Limit;
  readonly uses?: readonly Use[];
  /** A command that people run after the removal, where the client does not print it. */
  readonly afterRemoval?: string;
}

/** What carries out the guides: the client, and what people write. It is undone before the removal. */
export interface Use {
  /** What it shows, for the page. */
  readonly what: string;
  /** The builds whose steps the client carries out, and takes out again: every byte must be as before. */
  readonly wire?: readonly string[];
  /** The steps that it must leave to the user, as `stackyard/account 2: the reason`. */
  readonly byHand?: readonly string[];
  /** Replaced and added files; those of a member are below its folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly edits?: Edits;
  /** Fails unless the builds work. */
  readonly command: string;
  readonly limit?: Limit;
}

/** A failure that is known: what the output contains, and why that is so. */
export interface Limit {
  readonly output: string;
  readonly why: string;
}

export type Edits = Readonly<Record<string, readonly (readonly [string, string])[]>>;
