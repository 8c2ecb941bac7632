/**
 * Recomputes a plan that `--dry-run --json` printed: it may be applied when the same plan results.
 */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/lock.ts';
import { ClientError } from '../errors.ts';
import { fetchBuilds } from '../registry/fetch-builds.ts';
import type { PlanBasis } from '../plan/parse-plan.ts';
import { finishPlan, registryOf, withPlaces } from './plan-install.ts';
import { fetchBases } from './plan-update.ts';
import type { Registry } from '../registry/registry.ts';
import type { MadePlan, Plan } from '../plan/plan.ts';

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
  registry: Registry,
  saved: PlanBasis,
): Promise<MadePlan> {
  const { builds, choices, command } = saved;
  const coming = builds.filter(({ action }) => action !== 'remove');
  const leaving = builds.filter(({ action }) => action === 'remove').map(({ id }) => id);
  checkLeaving(leaving, lock);
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
  const fetched = withPlaces(found, new Map(places), lock);
  const { bases } = await fetchBases(registry, lock, fetched);
  const made = await finishPlan(project, {
    command,
    ...(await registryOf(registry, lock)),
    builds: fetched,
    bases,
    leaving: new Set(leaving),
    requested: new Map(Object.entries(choices.requested)),
    lock,
    onExists: choices.on_exists,
    onConflict: choices.on_conflict,
    restore: choices.restore,
    force: choices.force,
    allow: new Set(choices.allow),
    warnings: [],
  });
  if (planDigest(made.plan) === planDigest(saved)) return made;
  throw changed(difference(made.plan, saved));
}

function checkLeaving(leaving: readonly string[], lock: Lock | undefined): void {
  const missing = leaving.find((id) => lock?.builds[id] === undefined);
  if (missing !== undefined) throw changed(`"${missing}" is not installed`);
}

/** A message about the first part that differs. */
function difference(made: Plan, saved: PlanBasis): string {
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
