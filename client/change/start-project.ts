/** Starts a project in an empty folder: the files of a foundation, with the name of the project, then those of modules. */
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { applyChanges } from '../apply/transaction.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { allowOption, openSettings } from '../plan/consent.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { hasIdentity, npmNameOf, pipNameOf, withIdentity } from '../plan/merge-shipped.ts';
import type { Change, FetchedBuild, FileChange, MadePlan, Plan, Warning } from '../plan/plan.ts';
import type { ConsentEntry } from '../plan/planned-entries.ts';
import { readLock } from '../project/project.ts';
import { writeError } from '../project/safe-path.ts';
import type { Registries } from '../registry/registries.ts';
import type { BuildRequest } from '../resolve/request.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import { checkedPlan } from './apply.ts';
import { askFor } from './ask.ts';
import { type Fetching, fetchAddition } from './fetch-addition.ts';
import { planUnasked } from './plan.ts';
import { viewProject } from './view-project.ts';

/** The folder that a project, or a part of it, is made in. */
export interface Place {
  /** Absolute path. */
  readonly project: string;
  readonly registry: Registries;
  readonly signal: AbortSignal;
  readonly allow: readonly string[];
  readonly age: AgeRule | undefined;
}

/** What was written, and the builds with their guides. */
interface Started {
  readonly plan: Plan;
  readonly builds: readonly FetchedBuild[];
}

/**
 * Downloads a foundation.
 * @returns also what it has of settings that steer tools, about which the user decides
 * @throws {ClientError} those of a change
 */
export async function fetchFoundation(
  place: Place,
  first: BuildRequest,
  notes: readonly Warning[],
): Promise<{ readonly change: Change; readonly settings: readonly ConsentEntry[] }> {
  const change = await fetch(place, 'new', [first], { foundation: first.id, notes });
  const { plan } = await planUnasked(await viewProject(place.project, change, place.signal));
  return { change, settings: openSettings(plan) };
}

/** Writes the files of a foundation, or leaves its `settings` out. @throws {ClientError} those of a change */
export function startProject(
  place: Place,
  name: string,
  { change, settings }: Awaited<ReturnType<typeof fetchFoundation>>,
  isWithSettings: boolean,
): Promise<Started> {
  const paths = settings.map(({ path }) => path);
  if (paths.length === 0 || isWithSettings) {
    const allow = [...change.choices.allow, ...paths];
    return write(place, { ...change, choices: { ...change.choices, allow } }, name);
  }
  const on_exists_at = Object.fromEntries(paths.map((path) => [path, 'skip' as const]));
  const left = settings.map((entry): Warning => {
    const message = `left out; ${allowOption([entry])} writes it`;
    return { code: 'settings-left-out', message, path: entry.path };
  });
  const warnings = [...change.warnings, ...left];
  return write(place, { ...change, warnings, choices: { ...change.choices, on_exists_at } }, name);
}

/** Modules are resolved against the files of the foundation: its packages are part of the stack. */
export async function addModules(
  place: Place,
  modules: readonly BuildRequest[],
): Promise<Started | undefined> {
  if (modules.length === 0) return undefined;
  return write(place, await fetch(place, 'add', modules));
}

/** A plan of modules is one of `new` as well: the user named them for the project. */
async function fetch(
  { project, registry, allow, age }: Place,
  command: 'new' | 'add',
  requests: readonly BuildRequest[],
  more: Pick<Fetching, 'foundation' | 'notes'> = {},
): Promise<Change> {
  const choices = { ...NO_CHOICES, allow, wire: command === 'add' };
  const ask = { ...askFor(command, requests, choices), age };
  const lock = readLock(project);
  return { ...(await fetchAddition(ask, { project, registry, lock, ...more })), command: 'new' };
}

async function write({ project, signal }: Place, change: Change, name?: string): Promise<Started> {
  const planned = await planUnasked(await viewProject(project, change, signal));
  const checked = await checkedPlan(project, planned);
  const made = name === undefined ? checked : nameProject(checked, name);
  await applyChanges(project, made.changes, made.commit, { signal });
  return { plan: made.plan, builds: change.builds };
}

/** Checked first: for a module, the error would be about what the empty folder does not have. @throws {ClientError} `ERR_KIND` */
export async function checkFoundation(registry: Registries, id: string): Promise<void> {
  const head = await registry.head(id);
  if (head === undefined || head.kind === 'foundation') return;
  throw new ClientError('ERR_KIND', `"${id}" is a module: it cannot start a project`, {
    hint: `start from a foundation, with --with ${id}`,
  });
}

/** @throws {ClientError} `ERR_USAGE`, `ERR_CONFLICT` where something is there */
export function checkFolder(project: string): void {
  if (!existsSync(dirname(project))) {
    throw new ClientError('ERR_USAGE', `There is no folder "${dirname(project)}"`, {
      hint: 'make it first, or give another folder for the new project',
    });
  }
  const found = lstatSync(project, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isFolder = found.isDirectory();
  if (isFolder && readdirSync(project).length === 0) return;
  const why = isFolder ? 'it is not empty' : 'it is not a folder';
  throw new ClientError('ERR_CONFLICT', `Cannot start a project in "${project}": ${why}`, {
    hint: 'give a folder that is not there yet, or an empty one; "stackyard add" adds to a project',
  });
}

/** Renames the finished project to its final name. @throws {ClientError} `ERR_WRITE` */
export function putInPlace(staging: string, project: string): void {
  try {
    // Only an empty folder: a file that another process created meanwhile is kept.
    if (existsSync(project)) rmdirSync(project);
    renameSync(staging, project);
  } catch (error) {
    throw writeError(project, error);
  }
}

/** Both installs as one plan. */
export function joinPlans(a: Plan, b: Plan | undefined): Plan {
  if (b === undefined) return a;
  const paths = new Set(b.edits.map((edit) => edit.path));
  const both = <Key extends 'consent' | 'by_hand' | 'wiring'>(key: Key): Pick<Plan, Key> | {} => {
    const all = [...(a[key] ?? []), ...(b[key] ?? [])];
    return all.length === 0 ? {} : { [key]: all };
  };
  return {
    ...b,
    command: a.command,
    builds: [...a.builds, ...b.builds],
    files: [...a.files, ...b.files],
    edits: [...a.edits.filter((edit) => !paths.has(edit.path)), ...b.edits],
    npm: [...a.npm, ...b.npm],
    pip: [...a.pip, ...b.pip],
    scripts: [...a.scripts, ...b.scripts],
    env: [...a.env, ...b.env],
    warnings: [...a.warnings, ...b.warnings],
    ...both('consent'),
    ...both('by_hand'),
    ...both('wiring'),
  };
}

const FIRST_VERSION = '0.1.0';

/**
 * @param made the plan of the foundation
 * @param folder the name of the project's folder
 * @returns the plan with the changed files; the lock keeps the digests of what was shipped
 */
function nameProject(made: MadePlan, folder: string): MadePlan {
  const changes = made.changes.map((change) => rename(change, folder));
  const digests = new Map(
    changes
      .filter((change, at) => change !== made.changes[at])
      .map(({ path, bytes }) => [path, integrityOf(bytes!)]),
  );
  const files = made.plan.files.map((file) => {
    const after = digests.get(file.path);
    if (after === undefined || file.after === undefined) return file;
    return { ...file, after, shipped: file.after };
  });
  return { ...made, changes, plan: { ...made.plan, files } };
}

function rename(change: FileChange, folder: string): FileChange {
  const { path, bytes } = change;
  if (bytes === undefined || !hasIdentity(path)) return change;
  const text = Buffer.from(bytes).toString('utf8');
  const name = path === PACKAGE_JSON ? npmNameOf(folder) : pipNameOf(folder, text);
  const version = { version: FIRST_VERSION, description: '' };
  const edited = withIdentity(path, text, name === undefined ? version : { ...version, name });
  return edited === text ? change : { ...change, bytes: Buffer.from(edited) };
}
