/**
 * Computes everything that an install, an update or a removal changes, as a plain value, before the
 * first write. Pure: gets a snapshot of the project, and the builds as verified archives.
 */
import type { Lock, LockedBuild } from '../../format/lock/lock.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { Overlay } from './overlay.ts';
import { ClientError } from '../errors.ts';
import { plannedConsent } from './consent.ts';
import { checkPlaces, planFiles } from './files.ts';
import { planEdits } from './edits.ts';
import { lockBytes, nextLock } from './lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { emptiedFolders, createdFolders } from './created-folders.ts';
import { planFileRemoval } from './file-removal.ts';
import type { PlannedFileUpdate } from './file-update.ts';
import { planFileUpdate } from './file-update.ts';
import { applyWiring, withWiring } from './wiring.ts';
import type {
  FetchedBuild,
  FileChange,
  MadePlan,
  Plan,
  PlanInput,
  PlannedBuild,
  PlannedEdit,
} from './plan.ts';

/**
 * Plans an install, an update or a removal.
 * @throws {ClientError} `ERR_CONFLICT`, `ERR_PATH_POLICY`, `ERR_DEPENDENCY`,
 * `ERR_PROJECT_FILE`; each error lists every case
 */
export function makePlan(input: PlanInput): MadePlan {
  const { builds, lock, leaving } = input;
  checkPlaces(input);
  const overlay = new Overlay(input.project);
  const installed = new Map(Object.entries(lock?.builds ?? {}));
  const going = new Map([...installed].filter(([id]) => leaving.has(id)));
  const staying = new Map([...installed].filter(([id]) => !leaving.has(id)));
  const removal = planFileRemoval(
    going,
    staying,
    input.force,
    overlay,
    input.reformatted,
    input.allow,
  );
  const updates = planFileUpdates(input, installed, overlay);
  const fresh = builds.filter(({ id }) => !installed.has(id));
  const files = [...removal.files, ...updates.files, ...planFiles(fresh, input, overlay)];
  // Builds may edit a file that a foundation brings.
  const edits = planEdits({ ...input, project: overlay.files() });
  for (const [path, text] of edits.files) overlay.put(path, Buffer.from(text));
  for (const path of edits.deletes) overlay.drop(path);

  const wired = input.wire?.((path) => overlay.get(path));
  if (wired !== undefined) applyWiring(wired, overlay);

  const consent = plannedConsent(input, { files, scripts: edits.scripts, wired });
  const changes = overlay.changes();
  const created = createdFolders(changes, input.missingFolders);
  const planned = nextLock(input, files, edits, created);
  const next = wired === undefined ? planned : withWiring(planned, wired);
  const emptied = emptiedFolders(next.made, Object.values(next.builds));
  const isEmptied = (mark: string): boolean => emptied.includes(mark.slice(0, -1));
  const commit = commitOf(input, { ...next, made: next.made.filter((mark) => !isEmptied(mark)) });
  const isOfBuild = new Set(files.filter((f) => f.action !== 'skip').map(({ path }) => path));
  const edited = changes.filter(({ path }) => edits.files.has(path) || !isOfBuild.has(path));
  const isSeveral = Object.keys(next.registries).length > 1;
  const plan: Plan = {
    command: input.command,
    registry: input.registry,
    ...(isSeveral ? { registries: next.registries } : {}),
    builds: [...going]
      .map(([id, { version, kind, integrity, registry }]): PlannedBuild => {
        const from = isSeveral ? { registry } : {};
        return { id, version, kind, integrity, required_by: [], action: 'remove', ...from };
      })
      .concat(
        builds.map((build) => {
          const isIntegrated = wired?.integrated.has(build.id) === true;
          return plannedBuild(build, installed.get(build.id), next, isIntegrated);
        }),
      ),
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    edits: [...edited, commit].filter(isChange).map(toPlannedEdit),
    npm: edits.npm,
    pip: edits.pip,
    scripts: edits.scripts,
    env: edits.env,
    ...(wired === undefined || wired.entries.length === 0 ? {} : { wiring: wired.entries }),
    ...(consent.length === 0 ? {} : { consent }),
    choices: {
      requested: Object.fromEntries([...input.requested].sort(byKey)),
      on_exists: input.onExists,
      ...decisionsOf(input.onExistsAt),
      on_conflict: input.onConflict,
      restore: input.restore,
      force: input.force,
      allow: [...input.allow].sort(),
      ...(isEmpty(input.keep) ? {} : { keep: [...input.keep].sort() }),
      ...placingChoices(input),
      ...input.wiring,
    },
    ...(edits.byHand.length === 0 ? {} : { by_hand: edits.byHand }),
    warnings: [...input.warnings, ...removal.warnings, ...updates.warnings, ...edits.warnings],
  };
  const folders = created.map((mark) => mark.slice(0, -1));
  return { plan, changes, commit, emptied, folders, isForced: input.force };
}

function planFileUpdates(
  input: PlanInput,
  installed: ReadonlyMap<string, LockedBuild>,
  overlay: Overlay,
): PlannedFileUpdate {
  const { bases, onConflict, restore, reformatted = new Set(), allow } = input;
  const updates = input.builds.flatMap((build) => {
    const old = installed.get(build.id);
    const base = bases.get(build.id);
    return old === undefined
      ? []
      : planFileUpdate({ build, old, base, onConflict, restore, reformatted, allow }, overlay);
  });
  const conflicts = updates.flatMap((update) => update.conflicts);
  if (conflicts.length > 0) {
    const listed = conflicts.map(({ path, why }) => `${path} (${why})`).join(', ');
    throw new ClientError('ERR_CONFLICT', `Cannot update: ${listed}`, {
      hint: '--conflict markers writes both sides of a text between markers, --conflict ours or theirs takes one side',
    });
  }
  const files = updates.flatMap((update) => update.files);
  return {
    files,
    conflicts,
    warnings: updates.flatMap((update) => update.warnings),
  };
}

function plannedBuild(
  { id, version, integrity, manifest, hasIntegration, to, source }: FetchedBuild,
  old: LockedBuild | undefined,
  next: Lock,
  isIntegrated: boolean,
): PlannedBuild {
  const { required_by = [], registry = '' } = next.builds[id] ?? {};
  const from = Object.keys(next.registries).length > 1 ? { registry } : {};
  const hasSteps = hasIntegration === true && !isIntegrated;
  const steps = hasSteps ? { has_integration: true as const } : {};
  const place = {
    ...(to === undefined ? {} : { to }),
    ...(source === undefined ? {} : { source }),
  };
  const common = { id, version, kind: manifest.kind, integrity, required_by };
  const planned = { ...common, ...from, ...steps, ...place };
  return old === undefined
    ? { ...planned, action: 'add' }
    : { ...planned, action: 'update', from: old.version };
}

function decisionsOf(at: PlanInput['onExistsAt']): Partial<Plan['choices']> {
  if (at === undefined || at.size === 0) return {};
  return { on_exists_at: Object.fromEntries([...at].sort(byKey)) };
}

function isEmpty(names: ReadonlySet<string> | undefined): names is undefined {
  return names === undefined || names.size === 0;
}

function placingChoices({ placing }: PlanInput): Pick<Plan['choices'], 'to' | 'imports'> {
  const { to = new Map<string, string>(), imports } = placing ?? {};
  return {
    ...(to.size === 0 ? {} : { to: Object.fromEntries([...to].sort(byKey)) }),
    ...(imports === undefined ? {} : { imports }),
  };
}

function byKey(a: readonly [string, string], b: readonly [string, string]): number {
  return a[0] < b[0] ? -1 : 1;
}

function commitOf({ project }: PlanInput, lock: Lock): FileChange {
  const before = project.get(LOCK_FILE);
  return {
    path: LOCK_FILE,
    bytes: lockBytes(lock),
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
