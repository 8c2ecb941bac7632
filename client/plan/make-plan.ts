/**
 * Computes everything that an install, an update or a removal changes, as a plain value, before the
 * first write. Pure: gets a snapshot of the project, and the builds as verified archives.
 */
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { checkPlaces, planFiles } from './files.ts';
import { Overlay } from './overlay.ts';
import { ClientError } from '../errors.ts';
import { plannedConsent } from './consent.ts';
import { planFileRemoval } from './file-removal.ts';
import { planEdits } from './edits.ts';
import { lockChange, nextLock } from './lock.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { foldersOf, planFileUpdate } from './file-update.ts';
import type {
  Change,
  Choices,
  FetchedBuild,
  FileChange,
  MadePlan,
  Plan,
  PlanChoices,
  PlannedBuild,
  PlannedEdit,
  PlannedFile,
  ProjectState,
  Snapshot,
  Warning,
} from './plan.ts';
import type { PlannedEdits } from './previous-edits.ts';
import type { PlannedWiring } from './planned-entries.ts';

/** The files and edits of a change, before the steps of guides. */
export interface Draft {
  readonly change: Change;
  readonly state: ProjectState;
  /** The project as the files and edits leave it. */
  readonly overlay: Overlay;
  readonly files: readonly PlannedFile[];
  readonly edits: PlannedEdits;
  readonly warnings: readonly Warning[];
}

/** The choices of a user who chose nothing and is not asked. */
export const NO_CHOICES: Choices = {
  requested: {},
  on_exists: 'fail',
  on_conflict: 'fail',
  force: false,
  allow: [],
  style: 'shipped',
  wire: false,
};

/**
 * Plans the files and edits of an install, an update or a removal.
 * @param change with its builds at their places in the project
 * @throws {FilesInTheWay} {@link ClientError} `ERR_CONFLICT`, `ERR_PATH_POLICY`, `ERR_DEPENDENCY`,
 * `ERR_PROJECT_FILE`; each error lists every case
 */
export function draftPlan(change: Change, state: ProjectState): Draft {
  const { builds, lock, leaving, choices } = change;
  const { reformatted } = state;
  checkPlaces(change);
  const overlay = new Overlay(state.project);
  const installed = new Map(Object.entries(lock?.builds ?? {}));
  const going = new Map([...installed].filter(([id]) => leaving.has(id)));
  const staying = new Map([...installed].filter(([id]) => !leaving.has(id)));
  const { force, allow } = choices;
  const removal = planFileRemoval(going, staying, force, overlay, reformatted, allow);
  const updates = planFileUpdates(change, reformatted, overlay);
  const fresh = builds.filter(({ id }) => !installed.has(id));
  const placed = planFiles(fresh, choices, reformatted, overlay);
  // Builds may edit a file that a foundation brings.
  const keep = new Set(choices.keep);
  const edits = planEdits({ ...change, ...state, project: overlay.files(), keep });
  for (const [path, text] of edits.files) overlay.put(path, Buffer.from(text));
  for (const path of edits.deletes) overlay.drop(path);
  const files = [...removal.files, ...updates.files, ...placed];
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const warnings = [change, removal, updates, edits].flatMap((part) => part.warnings);
  return { change, state, overlay, files, edits, warnings };
}

/**
 * The plan of a draft with the steps of guides, and the changes that carry it out.
 * @param also what is in the project at the paths of `wired` that the draft has not read
 * @throws {ClientError} `ERR_CONFLICT`
 */
export function completePlan(draft: Draft, wired?: PlannedWiring, also?: Snapshot): MadePlan {
  const { change, overlay, files, edits } = draft;
  const { builds, bases, lock, leaving, choices } = change;
  const project = new Map([...draft.state.project, ...(also?.project ?? [])]);
  const missingFolders = new Set([...draft.state.missingFolders, ...(also?.missingFolders ?? [])]);
  const installed = new Map(Object.entries(lock?.builds ?? {}));
  if (wired !== undefined) applyWiring(wired, overlay);
  const { allow } = choices;
  const planned = { files, scripts: edits.scripts, wired };
  const named = change.command === 'new' ? choices.requested : undefined;
  const consent = plannedConsent({ builds, lock, project, allow, named }, planned);
  const changes = overlay.changes(project);
  const created = createdFolders(changes, missingFolders);
  const locked = nextLock(change, choices.requested, files, edits, created);
  const next = wired === undefined ? locked : withWiring(locked, wired);
  const emptied = emptiedFolders(next.made, Object.values(next.builds));
  const isEmptied = (mark: string): boolean => emptied.includes(mark.slice(0, -1));
  const commit = lockChange(project.get(LOCK_FILE), {
    ...next,
    made: next.made.filter((mark) => !isEmptied(mark)),
  });
  const isOfBuild = new Set(files.filter((f) => f.action !== 'skip').map(({ path }) => path));
  const edited = changes.filter(({ path }) => edits.files.has(path) || !isOfBuild.has(path));
  const isSeveral = Object.keys(next.registries).length > 1;
  const plan: Plan = {
    command: change.command,
    registry: change.registry,
    ...(isSeveral ? { registries: next.registries } : {}),
    builds: [...installed]
      .filter(([id]) => leaving.has(id))
      .map(([id, { version, kind, integrity, registry }]): PlannedBuild => {
        const from = isSeveral ? { registry } : {};
        return { id, version, kind, integrity, required_by: [], action: 'remove', ...from };
      })
      .concat(
        builds.map((build) => {
          const isIntegrated = wired?.integrated.has(build.id) === true;
          const isNew = build.guide !== bases.get(build.id)?.guide;
          return plannedBuild(build, installed.get(build.id), next, isNew && !isIntegrated);
        }),
      ),
    files,
    edits: [...edited, commit].filter(isChange).map(toPlannedEdit),
    npm: edits.npm,
    pip: edits.pip,
    scripts: edits.scripts,
    env: edits.env,
    ...(wired === undefined || wired.entries.length === 0 ? {} : { wiring: wired.entries }),
    ...(consent.length === 0 ? {} : { consent }),
    choices: recorded(choices),
    ...(edits.byHand.length === 0 ? {} : { by_hand: edits.byHand }),
    warnings: draft.warnings,
  };
  return { plan, changes, commit, emptied, folders: created.map((mark) => mark.slice(0, -1)) };
}

function planFileUpdates(
  { builds, bases, lock, choices: { on_conflict: onConflict, allow } }: Change,
  reformatted: ReadonlySet<string>,
  overlay: Overlay,
): ReturnType<typeof planFileUpdate> {
  const updates = builds.flatMap((build) => {
    const old = lock?.builds[build.id];
    const base = bases.get(build.id);
    return old === undefined
      ? []
      : planFileUpdate({ build, old, base, onConflict, reformatted, allow }, overlay);
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
  { id, version, integrity, manifest, guide, to, source, form }: FetchedBuild,
  old: LockedBuild | undefined,
  next: Lock,
  hasNewSteps: boolean,
): PlannedBuild {
  const { required_by = [], registry = '' } = next.builds[id] ?? {};
  const from = Object.keys(next.registries).length > 1 ? { registry } : {};
  const steps = guide !== undefined && hasNewSteps ? { has_integration: true as const } : {};
  const place = {
    ...(to === undefined ? {} : { to }),
    ...(source === undefined ? {} : { source }),
    ...(form === undefined ? {} : { form }),
  };
  const common = { id, version, kind: manifest.kind, integrity, required_by };
  const planned = { ...common, ...from, ...steps, ...place };
  return old === undefined
    ? { ...planned, action: 'add' }
    : { ...planned, action: 'update', from: old.version };
}

/** Sorted, without what is empty. */
function recorded({ on_exists_at, keep, to, style, wire, unwire, ...rest }: Choices): PlanChoices {
  const isGiven = (record: object | undefined): boolean => Object.keys(record ?? {}).length > 0;
  return {
    ...rest,
    requested: sorted(rest.requested),
    allow: [...rest.allow].sort(),
    ...(on_exists_at && isGiven(on_exists_at) ? { on_exists_at: sorted(on_exists_at) } : {}),
    ...(keep && isGiven(keep) ? { keep: [...keep].sort() } : {}),
    ...(to && isGiven(to) ? { to: sorted(to) } : {}),
    ...(style === 'project' ? { style } : {}),
    ...(wire === undefined || wire === false ? {} : { wire }),
    ...(unwire === undefined ? {} : { unwire }),
  };
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
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

/** Puts the changed files into `overlay`. @throws {ClientError} `ERR_CONFLICT` */
function applyWiring(wired: PlannedWiring, overlay: Overlay): void {
  const { conflicts, files } = wired;
  if (conflicts.length > 0) {
    const listed = conflicts.map(({ build, step, file, why }) => {
      return `step ${step} of "${build}" in ${file} (${why})`;
    });
    const steps = conflicts.map(({ text }) => text).join('\n');
    throw new ClientError('ERR_CONFLICT', `Cannot wire again: ${listed.join(', ')}`, {
      hint: `carry the step out by hand, then --conflict ours keeps your text:\n${steps}`,
    });
  }
  for (const [path, text] of files) {
    if (text === undefined) overlay.drop(path);
    else overlay.put(path, Buffer.from(text));
  }
}

/** `lock` with what is wired now. */
function withWiring(lock: Lock, { locked }: Pick<PlannedWiring, 'locked'>): Lock {
  const builds = { ...lock.builds };
  for (const [id, wiring] of locked) {
    const build = builds[id];
    if (build === undefined) continue;
    const { wiring: _, ...rest } = build;
    builds[id] = wiring === undefined ? rest : { ...rest, wiring: [...wiring] };
  }
  return { ...lock, builds };
}

/** Entries for the folders of `missing` that the files of `changes` create. */
export function createdFolders(
  changes: readonly FileChange[],
  missing: ReadonlySet<string>,
): string[] {
  const created = changes
    .filter((change) => change.bytes !== undefined)
    .flatMap(({ path }) => foldersOf(path).filter((folder) => missing.has(folder)));
  return [...new Set(created)].map((folder) => `${folder}/`);
}

/** Created folders that contain no file of `staying`; without `/` at the end. */
export function emptiedFolders(
  created: Iterable<string>,
  staying: Iterable<LockedBuild>,
): string[] {
  const used = new Set<string>();
  for (const { files, wiring = [] } of staying) {
    const paths = [...Object.keys(files), ...wiring.map(({ file }) => file)];
    for (const path of paths) for (const folder of foldersOf(path)) used.add(folder);
  }
  return [...created]
    .filter((mark) => mark.endsWith('/'))
    .map((mark) => mark.slice(0, -1))
    .filter((folder) => !used.has(folder));
}
