/**
 * Recomputes a plan that `--dry-run --json` printed: it may be applied when the same plan results.
 */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { fetchBuilds } from '../registry/fetch-builds.ts';
import { placingOf } from './placing-wish.ts';
import { lockedRegistries } from './locked-registries.ts';
import { finishPlan } from './plan-install.ts';
import { fetchInstalled } from './plan-wiring.ts';
import { withPlaces } from './with-places.ts';
import { fetchBases } from './plan-update.ts';
import type { Registries } from '../registry/registries.ts';
import { leavingBases } from './plan-removal.ts';
import type { MadePlan, Plan, SavedPlan } from '../plan/plan.ts';

/** The digest of a plan without its warnings, which change nothing. */
export function planDigest(plan: object): string {
  const { warnings: _, ...rest } = plan as Plan;
  return integrityOf(Buffer.from(textOf(rest)));
}

/**
 * Makes the plan of `saved` again, with exactly the versions that it names.
 * @throws {ClientError} `ERR_PLAN_CHANGED` when another plan results, and those of the plan
 */
export async function replan(
  project: string,
  lock: Lock | undefined,
  registry: Registries,
  saved: SavedPlan,
): Promise<MadePlan> {
  const { builds, choices, command } = saved;
  const coming = builds.filter(({ action }) => action !== 'remove');
  const leaving = builds.filter(({ action }) => action === 'remove').map(({ id }) => id);
  checkLeaving(leaving, lock);
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
  const gone =
    lock === undefined
      ? undefined
      : await leavingBases(
          { project, lock, force: choices.force, open: async () => registry },
          new Set(leaving),
        );
  const made = await finishPlan(project, {
    command,
    ...(await lockedRegistries(registry, lock, fetched)),
    builds: fetched,
    bases: new Map([...bases, ...(gone?.bases ?? [])]),
    leaving: new Set(leaving),
    requested: new Map(Object.entries(choices.requested)),
    lock,
    onExists: choices.on_exists,
    onExistsAt: new Map(Object.entries(choices.on_exists_at ?? {})),
    onConflict: choices.on_conflict,
    restore: choices.restore,
    force: choices.force,
    allow: new Set(choices.allow),
    keep: new Set(choices.keep),
    placing: await placingOf(project, lock, choices),
    ...(await savedWiring(project, lock, registry, choices)),
    warnings: [],
  });
  if (planDigest(made.plan) === planDigest(saved)) return made;
  throw changed(difference(made.plan, saved));
}

/** The wish of the saved plan, with the installed builds that it wires. */
async function savedWiring(
  project: string,
  lock: Lock | undefined,
  registry: Registries,
  { wire, unwire }: SavedPlan['choices'],
): Promise<Partial<Parameters<typeof finishPlan>[1]>> {
  if (wire === undefined && unwire === undefined) return {};
  const ids = Array.isArray(wire) ? wire : [];
  checkLeaving([...ids, ...(unwire ?? [])], lock);
  const installed = ids.length === 0 ? [] : await fetchInstalled(project, lock!, registry, ids);
  const wiring = {
    ...(wire === undefined ? {} : { wire }),
    ...(unwire === undefined ? {} : { unwire }),
  };
  return { wiring, installed };
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

function checkLeaving(leaving: readonly string[], lock: Lock | undefined): void {
  const missing = leaving.find((id) => lock?.builds[id] === undefined);
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

/** The canonical text of a value, for any order of its keys. */
function textOf(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)));
}

function changed(what: string): ClientError {
  return new ClientError('ERR_PLAN_CHANGED', `Cannot apply the plan: ${what} now`, {
    hint: 'plan again: nothing was written',
  });
}
