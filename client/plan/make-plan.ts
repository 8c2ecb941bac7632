/**
 * Everything that an install, an update or a removal would change, as one plain value, computed before the first write. Pure:
 * the project is given as a snapshot, the builds as verified archives.
 */
import type { Lock, LockedBuild } from '../../format/lock.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { Draft } from './overlay.ts';
import { ClientError } from '../errors.ts';
import type { PlannedBuild, PlannedFile } from './files.ts';
import { checkPlaces, planFiles } from './files.ts';
import type { NpmEntry, PipEntry, ScriptEntry, VariableEntry } from './edits.ts';
import { planEdits } from './edits.ts';
import { formatLock, nextLock } from './lock.ts';
import { LOCK_FILE } from '../../format/lock.ts';
import type { FileChange } from '../install/stage.ts';
import { emptiedFolders, madeFolders } from './created-folders.ts';
import { planRemoval } from './file-removal.ts';
import type { PlannedUpdate } from './file-update.ts';
import { planUpdate } from './file-update.ts';

/** A build that is to be installed: from the network, verified. */
export interface FetchedBuild {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly manifest: Manifest;
  /** The files that installing places, by path within the build. */
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly executable: boolean }>;
  /** Whether it has steps to integrate it. */
  readonly hasIntegration?: boolean;
}

/** What to do about a file of the project that differs from the build's. */
export type OnExists = 'fail' | 'skip' | 'theirs';

/** What to do where the user's edits and those of a new version meet. */
export type OnConflict = 'fail' | 'ours' | 'theirs' | 'markers';

export interface PlanInput {
  readonly command: Plan['command'];
  /** Base address of the registry. */
  readonly registry: string;
  /** Builds that come in or are updated, at their new versions, sorted by id. */
  readonly builds: readonly FetchedBuild[];
  /** The old versions of updated builds, as far as they can still be had. */
  readonly bases: ReadonlyMap<string, FetchedBuild>;
  /** Installed builds that go. */
  readonly leaving: ReadonlySet<string>;
  /** Range that the user asked for, by id. */
  readonly requested: ReadonlyMap<string, string>;
  readonly lock: Lock | undefined;
  /** Content of the project's files that the plan may touch; absent where there is no file. */
  readonly project: ReadonlyMap<string, Uint8Array>;
  /** Folders that are not there and that the plan may make. */
  readonly missingFolders: ReadonlySet<string>;
  readonly onExists: OnExists;
  readonly onConflict: OnConflict;
  /** Files that the user deleted come back in an update. */
  readonly restore: boolean;
  /** Edited files of leaving builds go as well. */
  readonly force: boolean;
  /** What is known to speak against the builds before planning. */
  readonly warnings: readonly Warning[];
  /** Groups that the user consents to: `ci`, `agent`, `rc`, `lifecycle`. */
  readonly allow: ReadonlySet<string>;
}

/** A file of the project that is edited or made for builds. */
interface PlannedEdit {
  readonly path: string;
  readonly action: 'create' | 'edit' | 'delete';
  /** Integrity before; absent for a new file. */
  readonly before?: string;
  /** Integrity afterwards; absent for a file that goes. */
  readonly after?: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The file of the project that it is about; empty for none. */
  readonly path: string;
}

/** What `--dry-run` prints and what is applied. */
export interface Plan {
  readonly command: 'add' | 'new' | 'update' | 'remove';
  readonly registry: string;
  readonly builds: readonly PlannedBuild[];
  readonly files: readonly PlannedFile[];
  readonly edits: readonly PlannedEdit[];
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  /** What the user chose, for `apply` to plan the same again. */
  readonly choices: PlanChoices;
  readonly warnings: readonly Warning[];
}

interface PlanChoices {
  /** Range that the user asked for, by id. */
  readonly requested: Readonly<Record<string, string>>;
  readonly on_exists: OnExists;
  readonly on_conflict: OnConflict;
  readonly restore: boolean;
  readonly force: boolean;
  readonly allow: readonly string[];
}

export interface MadePlan {
  readonly plan: Plan;
  readonly changes: readonly FileChange[];
  /** The lock: last. */
  readonly commit: FileChange;
  /** Folders to remove where they are empty then. */
  readonly emptied: readonly string[];
  /** Folders that the changes make. */
  readonly folders: readonly string[];
  /** Whether files that the user edited go. */
  readonly isForced: boolean;
}

/**
 * Plans an install, an update or a removal.
 * @throws {ClientError} `ERR_CONFLICT`, `ERR_CONSENT`, `ERR_PATH_POLICY`, `ERR_DEPENDENCY`,
 * `ERR_PROJECT_FILE`: each names every case
 */
export function makePlan(input: PlanInput): MadePlan {
  const { builds, lock, leaving } = input;
  checkPlaces(input);
  const draft = new Draft(input.project);
  const installed = new Map(Object.entries(lock?.builds ?? {}));
  const going = new Map([...installed].filter(([id]) => leaving.has(id)));
  const staying = new Map([...installed].filter(([id]) => !leaving.has(id)));
  const removal = planRemoval(going, staying, input.force, draft);
  const updates = planUpdates(input, installed, draft);
  const fresh = builds.filter(({ id }) => !installed.has(id));
  const files = [...removal.files, ...updates.files, ...planFiles(fresh, input.onExists, draft)];
  // What a build edits may be a file that a foundation brings.
  const edits = planEdits({ ...input, project: draft.files() });
  for (const [path, text] of edits.files) draft.put(path, Buffer.from(text));
  for (const path of edits.deletes) draft.drop(path);

  const changes = draft.changes();
  const made = madeFolders(changes, input.missingFolders);
  const next = nextLock(input, files, edits, made);
  const emptied = emptiedFolders(next.made, Object.values(next.builds));
  const isEmptied = (mark: string): boolean => emptied.includes(mark.slice(0, -1));
  const commit = commitOf(input, { ...next, made: next.made.filter((mark) => !isEmptied(mark)) });
  const isOfBuild = new Set(files.filter((f) => f.action !== 'skip').map(({ path }) => path));
  const edited = changes.filter(({ path }) => edits.files.has(path) || !isOfBuild.has(path));
  const plan: Plan = {
    command: input.command,
    registry: input.registry,
    builds: [...going]
      .map(([id, { version, kind, integrity }]): PlannedBuild => {
        return { id, version, kind, integrity, required_by: [], action: 'remove' };
      })
      .concat(builds.map((build) => plannedBuild(build, installed.get(build.id), next))),
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    edits: [...edited, commit].filter(isChange).map(toPlannedEdit),
    npm: edits.npm,
    pip: edits.pip,
    scripts: edits.scripts,
    env: edits.env,
    choices: {
      requested: Object.fromEntries([...input.requested].sort(byKey)),
      on_exists: input.onExists,
      on_conflict: input.onConflict,
      restore: input.restore,
      force: input.force,
      allow: [...input.allow].sort(),
    },
    warnings: [...input.warnings, ...removal.warnings, ...updates.warnings, ...edits.warnings],
  };
  const folders = made.map((mark) => mark.slice(0, -1));
  return { plan, changes, commit, emptied, folders, isForced: input.force };
}

function planUpdates(
  input: PlanInput,
  installed: ReadonlyMap<string, LockedBuild>,
  draft: Draft,
): PlannedUpdate {
  const { bases, onConflict, restore } = input;
  const updates = input.builds.flatMap((build) => {
    const old = installed.get(build.id);
    const base = bases.get(build.id);
    return old === undefined ? [] : planUpdate({ build, old, base, onConflict, restore }, draft);
  });
  const conflicts = updates.flatMap((update) => update.conflicts);
  if (conflicts.length > 0) {
    const listed = conflicts.map(({ path, why }) => `${path} (${why})`).join(', ');
    throw new ClientError('ERR_CONFLICT', `Cannot update: ${listed}`, {
      hint: '--conflict markers writes both between markers where they are text, --conflict ours or theirs takes one side',
    });
  }
  return {
    files: updates.flatMap((update) => update.files),
    conflicts,
    warnings: updates.flatMap((update) => update.warnings),
  };
}

function plannedBuild(
  { id, version, integrity, manifest, hasIntegration }: FetchedBuild,
  old: LockedBuild | undefined,
  next: Lock,
): PlannedBuild {
  const required_by = next.builds[id]?.required_by ?? [];
  const steps = hasIntegration === true ? { has_integration: true as const } : {};
  const planned = { id, version, kind: manifest.kind, integrity, required_by, ...steps };
  return old === undefined
    ? { ...planned, action: 'add' }
    : { ...planned, action: 'update', from: old.version };
}

function byKey(a: readonly [string, string], b: readonly [string, string]): number {
  return a[0] < b[0] ? -1 : 1;
}

/** A project without builds has no lock either. */
function commitOf({ project }: PlanInput, lock: Lock): FileChange {
  const before = project.get(LOCK_FILE);
  return {
    path: LOCK_FILE,
    bytes: Object.keys(lock.builds).length === 0 ? undefined : Buffer.from(formatLock(lock)),
    executable: false,
    expected: before === undefined ? undefined : integrityOf(before),
  };
}

function isChange({ bytes, expected }: FileChange): boolean {
  return (bytes === undefined ? undefined : integrityOf(bytes)) !== expected;
}

function toPlannedEdit({ path, bytes, expected }: FileChange): PlannedEdit {
  const before = expected === undefined ? {} : { before: expected };
  const after = bytes === undefined ? {} : { after: integrityOf(bytes) };
  const action = expected === undefined ? 'create' : bytes === undefined ? 'delete' : 'edit';
  return { path, action, ...before, ...after };
}
