/** `apply`: carries out a saved plan, if the same plan results now. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { applyPlan, type ChangeOptions, openProject } from '../apply/apply-plan.ts';
import { ClientError } from '../errors.ts';
import { type Change, type Plan, planDigest, SavedPlan, textOf } from '../plan/plan.ts';
import { readLock } from '../project/project.ts';
import { fetchBuilds, fetchShipped, withPlaces } from '../registry/fetch-builds.ts';
import { lockedRegistries } from '../registry/check-language.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { overSources } from '../registry/overlay.ts';
import type { Registries } from '../registry/registries.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { planChange } from './plan-change.ts';
import { findFixers } from '../style/fixers.ts';
import { agreedFixers } from '../style/style-builds.ts';
import { editedLeaving } from './remove.ts';
import { fetchBases } from './update.ts';
import { fetchInstalled } from './wire.ts';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';

/**
 * @param file the saved output of `--dry-run --json`
 * @throws {ClientError} `ERR_PLAN_CHANGED`, with nothing written, and those of `add`, `update`, `remove`
 */
export async function apply(
  file: string,
  options: ChangeOptions,
  context: CommandContext,
): Promise<Outcome> {
  const saved = parsePlan(readPlan(file), file);
  const { project, close } = await openProject({ ...options, isAnyFolder: true }, context);
  try {
    const lock = readLock(project);
    // Without a lock, the plan names the registry; otherwise the lock does.
    const planned = lock === undefined ? saved.registry : undefined;
    const from = { ...options, registry: options.registry ?? planned };
    const change = await withRegistry(from, lock, context, (registry) => {
      const places = new Map(saved.builds.map((build) => [build.id, build]));
      const over = overSources(registry, project, places, context.signal);
      return fetchSaved(project, lock, over, saved);
    });
    await checkStyle(project, saved);
    const made = await planChange(project, change, saved.choices, context.signal);
    if (planDigest(made.plan) !== planDigest(saved)) throw changed(difference(made.plan, saved));
    return await applyPlan(project, made, options, context);
  } finally {
    await close();
  }
}

/** A plan may come from anyone: that it asks for programs of the project is no consent to run them. */
async function checkStyle(project: string, { choices }: SavedPlan): Promise<void> {
  if (choices.style === undefined || findFixers(project).length === 0) return;
  if ((await agreedFixers(project)).length > 0) return;
  throw new ClientError(
    'ERR_NEEDS_ANSWER',
    'The plan brings files into the style of the project, by programs that you have not agreed to',
    {
      hint: 'agree once with "stackyard add" on a terminal, or make the plan with --style=shipped',
    },
  );
}

function readPlan(file: string): Uint8Array {
  try {
    return readFileSync(resolve(file));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const problem = isMissing ? `There is no file "${file}"` : `Cannot read "${file}": ${message}`;
    throw new ClientError('ERR_USAGE', problem, {
      cause,
      hint: 'give the file that holds what --dry-run --json printed',
    });
  }
}

/**
 * The change of a saved plan, with exactly the versions that it names.
 * @throws {ClientError} `ERR_PLAN_CHANGED`, and those of the registry
 */
async function fetchSaved(
  project: string,
  lock: Lock | undefined,
  registry: Registries,
  saved: SavedPlan,
): Promise<Change> {
  const { builds, choices, command } = saved;
  const coming = builds.filter(({ action }) => action !== 'remove');
  const going = builds.filter(({ action }) => action === 'remove').map(({ id }) => id);
  const named = Array.isArray(choices.wire) ? choices.wire : [];
  checkThere([...going, ...named, ...(choices.unwire ?? [])], lock);
  await assignSaved(registry, coming, saved);
  const versions = coming.map((build) => [build.id, build] as const);
  const places = coming.flatMap(({ id, source }) =>
    source === undefined ? [] : [[id, source] as const],
  );
  const found = await fetchBuilds(registry, versions).catch((error: unknown) => {
    const isLocal =
      error instanceof ClientError && error.code === 'ERR_INTEGRITY' && places.length > 0;
    throw isLocal
      ? changed(`${places.map(([, place]) => `"${place}"`).join(', ')} differs`)
      : error;
  });
  const fetched = withPlaces(found, new Map(places));
  const { bases } = await fetchBases(registry, lock, fetched);
  const leaving = new Set(going);
  const isEdited = lock !== undefined && !choices.force;
  const edited = isEdited ? await editedLeaving(project, lock, leaving) : [];
  const shipped = await fetchShipped(registry, edited);
  return {
    command,
    ...(await lockedRegistries(registry, lock, fetched)),
    builds: fetched,
    bases: new Map([...bases, ...shipped.builds]),
    leaving,
    wired: lock === undefined ? [] : await fetchInstalled(registry, lock, named),
    lock,
    warnings: [],
  };
}

/** Gives the owners of the builds to the registries that the plan names; these are of the project, or upstreams. */
async function assignSaved(
  registry: Registries,
  coming: SavedPlan['builds'],
  { registries = {} }: SavedPlan,
): Promise<void> {
  for (const { id, registry: name } of coming) {
    if (name !== undefined && !registry.set.has(name)) await openSaved(name, new Set());
    registry.assign([{ id, ...(name === undefined ? {} : { registry: name }) }]);
  }

  async function openSaved(name: string, seen: Set<string>): Promise<void> {
    const via = seen.has(name) ? undefined : registries[name]?.via;
    if (via === undefined) throw changed(`the project has no registry "${name}"`);
    if (!registry.set.has(via)) await openSaved(via, seen.add(name));
    await registry.openUpstreams(via);
    if (!registry.set.has(name)) throw changed(`"${via}" names no upstream "${name}"`);
  }
}

function checkThere(ids: readonly string[], lock: Lock | undefined): void {
  const missing = ids.find((id) => lock?.builds[id] === undefined);
  if (missing !== undefined) throw changed(`"${missing}" is not installed`);
}

/** A message about the first part that differs. */
function difference(made: Plan, saved: SavedPlan): string {
  const before = saved as unknown as Partial<Plan>;
  for (const part of ['registry', 'builds', 'files', 'edits'] as const) {
    const [now, then] = [made[part], before[part] ?? []];
    if (typeof now === 'string') {
      if (now !== then) return `the registry is ${now}`;
      continue;
    }
    const old = new Set((then as readonly object[]).map(textOf));
    const other = (now as readonly object[]).find((entry) => !old.has(textOf(entry)));
    if (other !== undefined) {
      return `"${'path' in other ? String(other.path) : 'id' in other ? String(other.id) : part}" differs`;
    }
  }
  return 'its changes of the project differ';
}

function changed(what: string): ClientError {
  return new ClientError('ERR_PLAN_CHANGED', `Cannot apply the plan: ${what} now`, {
    hint: 'plan again: nothing was written',
  });
}

/**
 * Reads a plan file: a plan, or the whole output of `--dry-run --json`. Untrusted: it may come from
 * anywhere.
 *
 *     {"schema":"stackyard/add@1", "data":{"plan":{"command":"add","builds":[...],"choices":{...}, ...}}, ...}
 */
const WANTED =
  'a plan is what "stackyard add|update|remove <build> --dry-run --json" prints; make one with: stackyard add <owner>/<name> --dry-run --json > plan.json';
const MAX_PROBLEMS = 3;
const UTF16 = [0xff, 0xfe];
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * @param name of the file, for messages
 * @throws {ClientError} `ERR_USAGE`: what was expected, where it fails, how to create a plan
 */
export function parsePlan(bytes: Uint8Array, name: string): SavedPlan {
  const value = readJson(bytes, name);
  const { plan, place } = findPlan(value, name);
  const result = SavedPlan.safeParse(plan);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const field = [...place, ...path].map(String).join('.');
    return `field "${field}": ${message}`;
  });
  throw noPlan(name, problems.join('; '));
}

function readJson(bytes: Uint8Array, name: string): unknown {
  try {
    return parseDocument(z.unknown(), withoutMark(bytes), `"${name}"`);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const [, problem = error.message] = /^Cannot read .*?": (.*)$/s.exec(error.message) ?? [];
    throw noPlan(name, `${problem}${placeIn(error.cause)}`, error);
  }
}

/** PowerShell redirections write UTF-16, or UTF-8 with a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const hasMark = (mark: readonly number[]): boolean =>
    mark.every((byte, at) => bytes[at] === byte);
  if (hasMark(UTF16)) return Buffer.from(new TextDecoder('utf-16le').decode(bytes));
  return hasMark(UTF8_MARK) ? bytes.subarray(UTF8_MARK.length) : bytes;
}

/** ` (line 2, column 1)`, if the JSON parser reports it. */
function placeIn(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return '';
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(cause.message) ?? [];
  if (line !== undefined) return ` (line ${line}, column ${column})`;
  return cause.message.includes('end of JSON') ? ' (it ends too early)' : '';
}

/** The plan in `value`, and the path to it. */
function findPlan(value: unknown, name: string): { plan: unknown; place: readonly string[] } {
  if (!isObject(value)) throw noPlan(name, `it contains ${nameOf(value)}`);
  const { schema, data, error } = value;
  if (isObject(data) && isObject(data['plan']))
    return { plan: data['plan'], place: ['data', 'plan'] };
  const [, command] =
    /^stackyard\/([a-z]{1,20})@\d+$/.exec(typeof schema === 'string' ? schema : '') ?? [];
  if (command !== undefined) {
    const message = isObject(error) && typeof error['message'] === 'string' ? error['message'] : '';
    const what = message === '' ? 'an output without a plan' : `the error "${message}"`;
    throw noPlan(name, `it contains ${what} of "stackyard ${command}"`);
  }
  if (!('command' in value) || !('choices' in value)) {
    throw noPlan(name, 'it has neither a field "data.plan" nor the fields of a plan');
  }
  return { plan: value, place: [] };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noPlan(name: string, problem: string, cause?: unknown): ClientError {
  return new ClientError('ERR_USAGE', `Cannot apply "${name}": ${problem}`, {
    cause,
    hint: WANTED,
  });
}
