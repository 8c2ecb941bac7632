/** Npm packages that builds require, and those that a package.json has. Types only. */
import type { DependencyTable } from '../../../format/project/stack-fact.ts';

type NpmTable = 'dependencies' | 'devDependencies';

/** A package that a build needs, from a manifest: untrusted. */
export interface NpmRequirement {
  readonly name: string;
  readonly range: string;
  readonly table: NpmTable;
  readonly build: string;
}

/** The entry in package.json for the package of one build; `range` is the text in the file. */
export interface NpmOutcome {
  readonly name: string;
  readonly range: string;
  readonly table: NpmTable;
  readonly action: 'added' | 'kept';
  readonly build: string;
  /** The range that the build requires. */
  readonly wanted: string;
  /** The previous version added it, and it stays the same. */
  readonly unchanged?: true;
  /** The build needs it for development only. */
  readonly dev?: true;
}

/** A package that the lock records as added. */
export interface EarlierNpm {
  readonly table: NpmTable;
  readonly range: string;
}

/** Packages of earlier installs, by name. */
export interface EarlierNpmEntries {
  /** Added by the versions that are replaced now. */
  readonly own: ReadonlyMap<string, EarlierNpm>;
  /** Ranges of the project that do not meet those of these versions, and that the user decided to keep. */
  readonly decided?: ReadonlyMap<string, string>;
  /** Entries of other installed builds in "devDependencies". */
  readonly developed?: ReadonlyMap<string, EarlierNpm>;
  /** Required by other installed builds. */
  readonly others: ReadonlyMap<string, readonly NpmRequirement[]>;
}

/** Table to package to specification, as in the file. */
export type DependencyTables = ReadonlyMap<DependencyTable, ReadonlyMap<string, string>>;
