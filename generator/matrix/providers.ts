/** Which builds a measured project gets for stack tags that are no packages, such as `auth`. */
import type { BuildSummary, PackageRecord } from '../../format/index/record.ts';

/** The builds that a project can have for a tag. */
export interface MeasuredRegistry {
  /** The most used ones first. */
  readonly summaries: () => Promise<readonly BuildSummary[]>;
  /** Of the newest version. */
  readonly manifest: (id: string) => Promise<PackageRecord['manifest'] | undefined>;
}

/**
 * Ids of modules that provide the tags: first the one that meets the most of them, with what it requires; of equal ones that which asks for
 * the fewest settings, since it needs no server, and of these that which brings the most, such as its database; then the most used. None needs a package that the build does not need itself. A
 * tag that no build provides so is left to the project.
 */
export async function providersOf(
  tags: readonly string[],
  { stack }: PackageRecord['manifest'],
  registry: MeasuredRegistry,
): Promise<string[]> {
  if (tags.length === 0) return [];
  const permitted = new Set(['node', ...Object.keys(stack?.requires ?? {})]);
  const found: ({ readonly id: string } & Reach)[] = [];
  for (const { id, kind, provides, yanked, deprecated } of await registry.summaries()) {
    const isFit = kind === 'module' && !yanked && !deprecated;
    if (!isFit || !tags.some((tag) => provides.includes(tag))) continue;
    const reach = await reachOf(id, registry);
    const isOwn = (tag: string): boolean => permitted.has(tag) || reach.provides.has(tag);
    if ([...reach.requires].every(isOwn)) found.push({ id, ...reach });
  }
  const chosen: string[] = [];
  for (let open = tags; open.length > 0;) {
    const meets = (one: (typeof found)[number]): number =>
      open.filter((tag) => one.provides.has(tag)).length;
    const [best] = found.toSorted(
      (a, b) =>
        meets(b) - meets(a) ||
        a.settings.size - b.settings.size ||
        b.provides.size - a.provides.size,
    );
    if (best === undefined || meets(best) === 0) break;
    chosen.push(best.id);
    open = open.filter((tag) => !best.provides.has(tag));
  }
  return chosen;
}

/** The tags and required variables of a build and of all that it requires. */
interface Reach {
  readonly provides: ReadonlySet<string>;
  readonly requires: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
}

async function reachOf(id: string, { manifest }: MeasuredRegistry): Promise<Reach> {
  const [provides, requires, settings] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const ids = new Set([id]);
  // The set grows during the loop.
  for (const one of ids) {
    const { stack, builds, env } = (await manifest(one)) ?? {};
    for (const tag of stack?.provides ?? []) provides.add(tag);
    for (const tag of Object.keys(stack?.requires ?? {})) requires.add(tag);
    for (const [name, { required }] of Object.entries(env ?? {})) if (required) settings.add(name);
    for (const other of Object.keys(builds ?? {})) ids.add(other);
  }
  return { provides, requires, settings };
}
