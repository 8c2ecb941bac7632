/**
 * A plan that `--dry-run --json` printed, read again and made anew: it may be applied when nothing that
 * it rests on has changed. The file may come from anywhere and is read as untrusted.
 */
import { z } from 'zod';
import { isBuildId } from '../format/build-id.ts';
import { canonicalJson } from '../format/canonical-json.ts';
import { parseDocument } from '../format/document.ts';
import { FormatError } from '../format/errors.ts';
import { integrityOf } from '../format/integrity.ts';
import type { Lock } from '../format/lock.ts';
import { Integrity } from '../format/record.ts';
import { isRange, isVersion } from '../format/semver-range.ts';
import { ClientError } from './errors.ts';
import { fetchBuilds } from './fetch-builds.ts';
import type { MadePlan, Plan } from './plan.ts';
import { finishPlan } from './plan-install.ts';
import { fetchBases } from './plan-updates.ts';
import type { Registry } from './registry.ts';

const Id = z.string().refine(isBuildId);

/** The parts from which the rest follows. */
const PlanBasis = z.looseObject({
  command: z.enum(['add', 'update', 'remove']),
  registry: z.string(),
  builds: z.array(
    z.looseObject({
      id: Id,
      version: z.string().refine(isVersion),
      integrity: Integrity,
      action: z.enum(['add', 'update', 'remove']),
    }),
  ),
  choices: z.strictObject({
    requested: z.record(Id, z.string().refine(isRange)),
    on_exists: z.enum(['fail', 'skip', 'theirs']),
    on_conflict: z.enum(['fail', 'ours', 'theirs', 'markers']),
    restore: z.boolean(),
    force: z.boolean(),
    allow: z.array(z.string()),
  }),
});

export type PlanBasis = z.infer<typeof PlanBasis>;

const Envelope = z.looseObject({ data: z.looseObject({ plan: PlanBasis }) });

/** Reads a plan, or the whole answer of `--dry-run --json`. @throws {ClientError} `ERR_USAGE` */
export function parsePlan(bytes: Uint8Array, name: string): PlanBasis {
  try {
    const value = parseDocument(z.union([PlanBasis, Envelope]), bytes, `"${name}"`);
    return 'data' in value && Envelope.safeParse(value).success
      ? (value as z.infer<typeof Envelope>).data.plan
      : (value as PlanBasis);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new ClientError('ERR_USAGE', `Cannot read the plan in "${name}": ${cause.message}`, {
      cause,
      hint: 'save one with: stackyard add <build> --dry-run --json > plan.json',
    });
  }
}

/** What a plan does, as one digest: all of it but its warnings, which change nothing. */
export function planDigest(plan: object): string {
  const { warnings: _, ...rest } = plan as Plan;
  return integrityOf(Buffer.from(textOf(rest)));
}

/**
 * Makes the plan of `saved` again, with the very versions that it names.
 * @throws {ClientError} `ERR_PLAN_CHANGED` when another plan comes out, and those of the plan
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
  const fetched = await fetchBuilds(
    registry,
    coming.map((build) => [build.id, build] as const),
  );
  const { bases } = await fetchBases(registry, lock, fetched);
  const made = await finishPlan(project, {
    command,
    registry: await registry.lockName(lock?.registry),
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

/** The first part that differs, in words. */
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
  return 'what it does to the project differs';
}

/** One text for one value, whatever the order of its keys. */
function textOf(value: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)));
}

function changed(what: string): ClientError {
  return new ClientError('ERR_PLAN_CHANGED', `Cannot apply the plan: ${what} by now`, {
    hint: 'plan again: nothing was written',
  });
}
