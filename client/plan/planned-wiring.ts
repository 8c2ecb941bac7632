/** The types of what the wiring of builds changes. */
import type { LockedWiring } from '../../format/project/lock.ts';
import type { WiringEntry } from './planned-entries.ts';

/** A text of a guide that neither the user nor the new version can keep alone. */
export interface WiringConflict {
  readonly build: string;
  readonly step: number;
  readonly file: string;
  readonly why: string;
  /** The step as it is written. */
  readonly text: string;
}

export interface PlannedWiring {
  readonly entries: readonly WiringEntry[];
  /** The files that change; `undefined` deletes one. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** By build: what its lock entry has afterwards; `undefined` where it is not wired any more. */
  readonly locked: ReadonlyMap<string, readonly LockedWiring[] | undefined>;
  readonly conflicts: readonly WiringConflict[];
  /** The builds whose guide has no step that is left to the user. */
  readonly integrated: ReadonlySet<string>;
}
