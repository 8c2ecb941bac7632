/** The types of planned edits of the project's own files: packages, scripts, variables. */
import type { Change, ManualStep, ProjectState, Warning } from './plan.ts';
import type { NpmEntry, PipEntry, ScriptEntry, VariableEntry } from './planned-entries.ts';
import type { Earlier, LockedEdits } from './previous-edits.ts';

/** What the edits depend on. */
export interface EditInput
  extends
    Pick<Change, 'builds' | 'leaving' | 'lock'>,
    Pick<ProjectState, 'project' | 'links' | 'byHand'> {
  /** Packages whose range in the project the user decided to keep. */
  readonly keep: ReadonlySet<string>;
}

export interface PlannedEdits {
  /** New text of every file that changes, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  readonly warnings: readonly Warning[];
  /** Commands for the user, instead of edits. */
  readonly byHand: readonly ManualStep[];
  /** Files that become empty when builds are updated or removed, and are deleted. */
  readonly deletes: readonly string[];
  /** New created entries, in the form of the lock's field `made`. */
  readonly created: readonly string[];
  /** Created entries of the lock that no build needs any more. */
  readonly stale: readonly string[];
  /** New lock entries of other installed builds that share a changed entry. */
  readonly relocked: ReadonlyMap<string, LockedEdits>;
}

/** The result that the planners of the single files build up together. */
export interface EditState {
  readonly files: Map<string, string>;
  readonly warnings: Warning[];
  readonly created: string[];
  readonly relocked: Map<string, LockedEdits>;
  readonly earlier: Earlier;
  readonly byHand: ManualStep[];
  /** Packages that are kept by decision. */
  readonly decided: Set<string>;
}
