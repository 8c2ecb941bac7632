/**
 * Everything that an install would change, as one plain value, computed before the first write. Pure:
 * the project is given as a snapshot, the builds as verified archives.
 */
import type { Lock } from '../format/lock.ts';
import type { Manifest } from '../format/manifest.ts';
import { integrityOf } from '../format/integrity.ts';
import type { PlannedBuild, PlannedFile } from './plan-files.ts';
import { planFiles } from './plan-files.ts';
import type { NpmEntry, PipEntry, ScriptEntry, VariableEntry } from './plan-edits.ts';
import { planEdits } from './plan-edits.ts';
import { formatLock, nextLock } from './plan-lock.ts';
import { LOCK_FILE } from '../format/lock.ts';
import type { FileWrite } from './install/transaction.ts';

/** A build that is to be installed: from the network, verified. */
export interface FetchedBuild {
  readonly id: string;
  readonly version: string;
  readonly integrity: string;
  readonly manifest: Manifest;
  /** The files that installing places, by path within the build. */
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly executable: boolean }>;
}

/** What to do about a file of the project that differs from the build's. */
export type OnExists = 'fail' | 'skip' | 'theirs';

export interface PlanInput {
  /** Base address of the registry. */
  readonly registry: string;
  /** New builds, sorted by id. */
  readonly builds: readonly FetchedBuild[];
  /** Range that the user asked for, by id. */
  readonly requested: ReadonlyMap<string, string>;
  readonly lock: Lock | undefined;
  /** Content of the project's files that the plan may touch; absent where there is no file. */
  readonly project: ReadonlyMap<string, Uint8Array>;
  readonly onExists: OnExists;
  /** What is known to speak against the builds before planning. */
  readonly warnings: readonly Warning[];
  /** Groups that the user consents to: `ci`, `agent`, `rc`, `lifecycle`. */
  readonly allow: ReadonlySet<string>;
}

/** A file of the project that is edited or made for builds. */
interface PlannedEdit {
  readonly path: string;
  readonly action: 'create' | 'edit';
  /** Integrity before; absent for a new file. */
  readonly before?: string;
  readonly after: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The file of the project that it is about; empty for none. */
  readonly path: string;
}

/** What `--dry-run` prints and what is applied. */
export interface Plan {
  readonly registry: string;
  readonly builds: readonly PlannedBuild[];
  readonly files: readonly PlannedFile[];
  readonly edits: readonly PlannedEdit[];
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  readonly warnings: readonly Warning[];
}

export interface MadePlan {
  readonly plan: Plan;
  readonly writes: readonly FileWrite[];
  /** The lock: written last. */
  readonly commit: FileWrite;
}

/**
 * Plans an install.
 * @throws {ClientError} `ERR_CONFLICT`, `ERR_CONSENT`, `ERR_PATH_POLICY`, `ERR_DEPENDENCY`,
 * `ERR_PROJECT_FILE`: each names every case
 */
export function makePlan(input: PlanInput): MadePlan {
  const { files, writes } = planFiles(input);
  // What a build edits may be a file that a foundation brings.
  const placed = new Map(writes.map(({ path, bytes }) => [path, bytes]));
  const edits = planEdits({ ...input, project: new Map([...input.project, ...placed]) });
  const lock = nextLock(input, files, edits);
  const lockBytes = Buffer.from(formatLock(lock));
  const lockBefore = input.project.get(LOCK_FILE);
  const commit: FileWrite = {
    path: LOCK_FILE,
    bytes: lockBytes,
    executable: false,
    expected: lockBefore === undefined ? undefined : integrityOf(lockBefore),
  };
  const changed = [...edits.files].map(([path, text]) => toWrite(path, text, input.project));
  const plan: Plan = {
    registry: input.registry,
    builds: input.builds.map(({ id, version, integrity, manifest }) => {
      const required_by = lock.builds[id]?.required_by ?? [];
      return { id, version, kind: manifest.kind, integrity, required_by };
    }),
    files,
    edits: [...changed, commit].map(toPlannedEdit),
    npm: edits.npm,
    pip: edits.pip,
    scripts: edits.scripts,
    env: edits.env,
    warnings: [...input.warnings, ...edits.warnings],
  };
  const isEdited = ({ path }: FileWrite): boolean => edits.files.has(path);
  return { plan, writes: [...writes.filter((write) => !isEdited(write)), ...changed], commit };
}

function toWrite(path: string, text: string, project: PlanInput['project']): FileWrite {
  const before = project.get(path);
  return {
    path,
    bytes: Buffer.from(text),
    executable: false,
    expected: before === undefined ? undefined : integrityOf(before),
  };
}

function toPlannedEdit({ path, bytes, expected }: FileWrite): PlannedEdit {
  const after = integrityOf(bytes);
  return expected === undefined
    ? { path, action: 'create', after }
    : { path, action: 'edit', before: expected, after };
}
