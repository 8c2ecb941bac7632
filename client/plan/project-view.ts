/** What planning reads of a project: its files and code as they are, and what only its programs can tell. Types only. */
import type { ProjectCode } from './place/project-code.ts';
import type { Change, ProjectState, Snapshot, Warning } from './plan.ts';
import type { PlannedWiring } from './planned-entries.ts';

/** A project as one change meets it. */
export interface ProjectView {
  /** The change with its builds at their places, in the style of the project where that is wanted. */
  readonly change: Change;
  readonly state: ProjectState;
  readonly code: ProjectCode;
  /** More of its files. */
  readonly read: (paths: Iterable<string>) => Promise<Snapshot>;
  /** The commands of its fixers. */
  readonly fixers: () => readonly string[];
  /** Absent where files stay as they are shipped. */
  readonly style?: ProjectStyle;
}

/** The fixers of a project. */
export interface ProjectStyle {
  readonly ofWiring: (texts: WiredTexts) => Promise<WiringStyle>;
  /** The lock as the formatters leave it; as it is where they refuse it. */
  readonly ofLock: (text: string) => Promise<string>;
}

/** Content of files by path in the project. */
export type Texts = ReadonlyMap<string, string>;

export interface StyledFile {
  /** The shipped text, then what it is after each fixer, without the header: the last one is the style of the project. */
  readonly stages: readonly string[];
  /** The comment with which linters ignore what cannot be fixed; empty for none. */
  readonly header: string;
}

/** What the steps of guides write. */
export interface WiredTexts {
  /** The files that steps create, as they are written for the project. */
  readonly created: Texts;
  readonly wired: PlannedWiring;
  /** Files of the project before the steps. */
  readonly read: (path: string) => string | undefined;
  /** What the change places beside them. */
  readonly around: Texts;
}

/** The texts of a change in the style of the project, before they are put in. */
export interface WiringStyle {
  /** By path, with the comment for linters. */
  readonly created: Texts;
  /** Of files of the user: before and after. */
  readonly edited: ReadonlyMap<string, readonly [StyledFile, StyledFile]>;
  readonly warnings: readonly Warning[];
}
