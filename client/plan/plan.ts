/** The types of a plan: what it is made from, what it lists, and the file changes that carry it out. */
import type { Lock, LockedLog, LockedRegistry } from '../../format/lock/lock.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type {
  ConsentEntry,
  NpmEntry,
  PipEntry,
  ScriptEntry,
  VariableEntry,
  WiringEntry,
} from './planned-entries.ts';

/** A downloaded and verified version of a build. */
export interface FetchedBuild {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly manifest: Manifest;
  /** The files that an install places, by path within the build. */
  readonly files: ReadonlyMap<string, BuildFile>;
  /** The folder that the user chose instead of the manifest's `base`. */
  readonly to?: string;
  /** How the user wants imports of other builds to be written. */
  readonly imports?: ImportStyle;
  /** Pattern of the alias that the project's own code uses. */
  readonly alias?: string;
  /** Whether it has steps to integrate it. */
  readonly hasIntegration?: boolean;
  /** Text of its INTEGRATION.md where that has wired fences. */
  readonly wiredGuide?: string;
  /** Where it came from instead of a registry, as in a lock. */
  readonly source?: string | undefined;
  /** What the transparency log of its registry proves. */
  readonly log?: LockedLog | undefined;
  /** The name of its registry in the project; absent: that of the installed version, otherwise the default one. */
  readonly registry?: string;
}

/** How imports of other builds are written; without it, as they were shipped. */
export type ImportStyle = 'relative' | 'alias';

/** A file of a build, with the imports that its place in the project needs. */
export interface BuildFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Where imports were rewritten: the digest of the file as it was shipped, and the imports. */
  readonly rewrite?: { readonly shipped: string; readonly imports: readonly RewrittenImport[] };
}

/** An import of a file that was rewritten for its place. */
export interface RewrittenImport {
  /** The line in the shipped file. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

/** What to do when a file of the project differs from the build's file at the same path. */
export type OnExists = 'fail' | 'skip' | 'theirs' | 'merge';

/** What to do when the user and a new version edited the same part of a file. */
export type OnConflict = 'fail' | 'ours' | 'theirs' | 'markers';

/** What a change of a project brings and takes away. */
export interface Change {
  readonly command: Plan['command'];
  /** Base address of the registry. */
  readonly registry: string;
  /** By name: the registries of the lock after the change. */
  readonly registries: Readonly<Record<string, LockedRegistry>>;
  /** Builds to add or to update, at their new versions, sorted by id. */
  readonly builds: readonly FetchedBuild[];
  /** The previous versions of updated builds, and of leaving ones with changed files, that are still available. */
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  /** Installed builds to remove. */
  readonly leaving: ReadonlySet<string>;
  /** Installed builds whose guides are carried out although their files stay. */
  readonly wired?: readonly FetchedBuild[];
  readonly lock: Lock | undefined;
  /** What the user should know, as far as it is known before planning. */
  readonly warnings: readonly Warning[];
}

/** The part of a project that a plan may read or change. */
export interface Snapshot {
  /** Content of the regular files among the paths that were read. */
  readonly project: ReadonlyMap<string, Uint8Array>;
  /** Missing parent folders of these paths, which the plan may create. */
  readonly missingFolders: ReadonlySet<string>;
  /** Symbolic links at these paths, which are never followed. */
  readonly links: ReadonlySet<string>;
}

/** What a plan is made from, beside the change. */
export interface ProjectState extends Snapshot {
  /**
   * Paths of files that differ from those of the builds only in their formatting: nobody edited them. Where a build
   * places a new file, the project's own one is adopted.
   */
  readonly reformatted: ReadonlySet<string>;
  /** Managers whose files are not edited: the user gets commands to run. */
  readonly byHand: ByHand;
}

/** Set where the project has no file of its ecosystem that is edited. */
export interface ByHand {
  readonly npm?: 'deno' | undefined;
  readonly pip?: 'pipenv' | 'conda' | undefined;
}

/** A command for the user. */
export interface ManualStep {
  readonly command: string;
  readonly why: string;
}

/** Something that the user should know and that does not stop the command. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The project file that it is about; empty for none. */
  readonly path: string;
}

/** What `--dry-run` prints and what is applied. */
export interface Plan {
  readonly command: 'add' | 'new' | 'update' | 'remove' | 'wire' | 'unwire';
  readonly registry: string;
  /** By name, where the project has several; `registry` is the default one. */
  readonly registries?: Readonly<Record<string, PlannedRegistry>>;
  readonly builds: readonly PlannedBuild[];
  readonly files: readonly PlannedFile[];
  readonly edits: readonly PlannedEdit[];
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  /** The steps of guides that are carried out or left to the user; absent without any. */
  readonly wiring?: readonly WiringEntry[];
  /** What programs run or read by themselves: it needs a yes; absent for nothing. */
  readonly consent?: readonly ConsentEntry[];
  /** The options of the user: `apply` needs them to make the same plan again. */
  readonly choices: PlanChoices;
  readonly warnings: readonly Warning[];
  /** What the user has to run: packages of managers whose files are not edited. Absent for nothing. */
  readonly by_hand?: readonly ManualStep[];
}

export interface PlanChoices {
  /** The range that the user requested, by id. */
  readonly requested: Readonly<Record<string, string>>;
  readonly on_exists: OnExists;
  /** By path; absent for none. */
  readonly on_exists_at?: Readonly<Record<string, OnExists>> | undefined;
  readonly on_conflict: OnConflict;
  readonly restore: boolean;
  readonly force: boolean;
  readonly allow: readonly string[];
  /** Packages whose range the user decided to keep; absent for none. */
  readonly keep?: readonly string[] | undefined;
  /** The folder that the user chose for a build, by id; absent without one. */
  readonly to?: Readonly<Record<string, string>> | undefined;
  /** How the user wants imports between builds to be written. */
  readonly imports?: ImportStyle | undefined;
  /** Builds whose guides are carried out: all that are new, or these. Of an update: whether wired text may do more. */
  readonly wire?: true | readonly string[] | undefined;
  /** Builds whose steps are taken out. */
  readonly unwire?: readonly string[] | undefined;
}

/** A registry of the project after the plan. */
interface PlannedRegistry {
  readonly origin?: string | undefined;
  readonly address: string;
  /** The registry that names this one as upstream. */
  readonly via?: string | undefined;
}

/** A build that the plan adds, updates or removes. */
export interface PlannedBuild {
  readonly id: string;
  readonly version: string;
  readonly kind: 'module' | 'foundation';
  readonly integrity: string;
  readonly required_by: readonly string[];
  readonly action: 'add' | 'update' | 'remove';
  /** The name of its registry, where the project has several. */
  readonly registry?: string;
  /** Integration steps, which `stackyard info --integration` prints, are left to the user. */
  readonly has_integration?: true;
  /** The version before an update. */
  readonly from?: string;
  /** The folder that the user chose instead of the build's own. */
  readonly to?: string;
  /** Where it comes from instead of a registry. */
  readonly source?: string;
}

/** A file of a build, and what happens to it. */
export interface PlannedFile {
  readonly build: string;
  /** Path in the project. */
  readonly path: string;
  /** Path within the build. */
  readonly from: string;
  /**
   * `identical`: the project has the same file. `skip`: the project's file is kept and does not belong to
   * the build. `keep`: the user's edits, or the user's deletion, of a file of the build are kept. `merge`:
   * the user's edits are merged with the new version. `conflict`: both versions are written between
   * markers. `orphan`: the build no longer has the file, and the user's edited file is kept.
   */
  readonly action:
    | 'create'
    | 'replace'
    | 'identical'
    | 'skip'
    | 'merge'
    | 'keep'
    | 'conflict'
    | 'delete'
    | 'orphan';
  readonly mode: '644' | '755';
  /** The project's file has only another formatting than the build's file. */
  readonly reformatted?: true;
  /** The path before an update that moves the file. */
  readonly moved_from?: string;
  /** Integrity of the project's file, if there is one. */
  readonly before?: string;
  /** Integrity of the project's file afterwards, for a file of the build. */
  readonly after?: string;
  /** Integrity of the build's file, if it differs from `after`. */
  readonly shipped?: string;
  /** Integrity of the build's file with rewritten imports. */
  readonly placed?: string;
  /** The imports that are rewritten for the place of the file. */
  readonly imports?: readonly RewrittenImport[];
}

/** A file of the project that is created, edited or deleted for builds. */
export interface PlannedEdit {
  readonly path: string;
  readonly action: 'create' | 'edit' | 'delete';
  /** Integrity before; absent for a new file. */
  readonly before?: string;
  /** Integrity afterwards; absent for a deleted file. */
  readonly after?: string;
}

/** A plan with the changes that carry it out. */
export interface MadePlan {
  readonly plan: Plan;
  readonly changes: readonly FileChange[];
  /** The change of the lock, which is applied last. */
  readonly commit: FileChange;
  /** Folders to remove if they are empty after the changes. */
  readonly emptied: readonly string[];
  /** Folders that the changes create. */
  readonly folders: readonly string[];
}

/** A file that a transaction creates, replaces or deletes. */
export interface FileChange {
  /** Relative to the project, `/`-separated. */
  readonly path: string;
  /** The new content; `undefined` deletes the file. */
  readonly bytes: Uint8Array | undefined;
  readonly executable: boolean;
  /** Integrity of the present content; `undefined` if there is no file. */
  readonly expected: string | undefined;
}
