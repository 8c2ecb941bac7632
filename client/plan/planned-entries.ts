/** The entries that a plan adds to the project's own files: packages, scripts and variables. */

export type Table = 'dependencies' | 'devDependencies';
type Action = 'added' | 'kept';

/** An npm package of a build in package.json. */
export interface NpmEntry {
  readonly build: string;
  readonly name: string;
  readonly range: string;
  readonly table: Table;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The range that the build requires. */
  readonly wanted: string;
  /** The build needs it for development only. */
  readonly dev?: true | undefined;
}

/** A Python distribution of a build in a Python manifest. */
export interface PipEntry {
  readonly build: string;
  readonly name: string;
  readonly specifier: string;
  readonly table: Table;
  readonly file: string;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The specifier that the build requires. */
  readonly wanted: string;
  /** The build needs it for development only. */
  readonly dev?: true | undefined;
}

/** A script of a build in package.json. */
export interface ScriptEntry {
  readonly build: string;
  readonly name: string;
  readonly value: string;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
}

/** An environment variable of a build in `.env.example`. */
export interface VariableEntry {
  readonly build: string;
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly action: Action;
  /** The previous version of the build added it, and the entry stays the same. */
  readonly unchanged?: true | undefined;
  /** The added lines. */
  readonly text?: string | undefined;
}
