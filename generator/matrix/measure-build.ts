/** Measures what is missing or stale of one version of a build. Each row is written before the next one is measured. */
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { failureText } from '../../format/index/known-good.ts';
import type { BuildSummary, PackageRecord } from '../../format/index/record.ts';
import {
  axesOf,
  isPython,
  combinationsOf,
  keyOf,
  withLowest,
  type AvailableVersions,
  type Axis,
  type Combination,
  type Workplace,
} from './available-versions.ts';
import { namesOfTag } from '../../scan/rules/quality/tag-interface.ts';
import { chooseVersions, measureCombination, type Failure } from './measure-combination.ts';
import { readMatrix, writeMatrix, findRow, isStale, withRow } from './matrix-rows.ts';

/** What one run of the command shares. */
interface MatrixRun {
  readonly workplace: Workplace;
  readonly available: AvailableVersions;
  readonly registry: MeasuredRegistry;
  /** Top folder of the repository whose `signals/` are written. */
  readonly repo: string;
  /** Only these tags; all when empty. */
  readonly tags: readonly string[];
  readonly isDryRun: boolean;
  /** Such as `2026-11-23`. */
  readonly today: string;
  /** Whether another row may be begun. */
  readonly hasTime: () => boolean;
  readonly note: (line: string) => void;
}

/** The builds that a project can have for a tag. */
export interface MeasuredRegistry {
  /** The most used ones first. */
  readonly summaries: () => Promise<readonly BuildSummary[]>;
  /** Of the newest version. */
  readonly manifest: (id: string) => Promise<PackageRecord['manifest'] | undefined>;
}

export interface Counts {
  measured: number;
  failed: number;
  kept: number;
  /** Not measured for want of time, or in a dry run. */
  left: number;
}

/** Adds to `counts`. @throws {GeneratorError} `ERR_MATRIX`, `ERR_SIGNALS` */
export async function measureBuild(
  run: MatrixRun,
  record: PackageRecord,
  counts: Counts,
): Promise<void> {
  const { axes, tags } = await availableAxes(run, record);
  const providers = await providersOf(tags, record.manifest, run.registry);
  if (providers.length > 0)
    run.note(`${record.id} ${record.version}: with ${providers.join(', ')}`);
  const measuring: Parameters<typeof measureCombination>[0] = {
    ...run,
    record,
    axes,
    tags,
    providers,
  };
  // Combinations that are the same for several tags are measured once in a run.
  const known = new Map<string, Failure | undefined>();
  const measure = async (one: Combination): Promise<MatrixRow | undefined> => {
    const before = findRow(readMatrix(run.repo, record.id), record.version, one);
    if (before !== undefined && !isStale(before, run.today)) {
      counts.kept += 1;
      return before;
    }
    if (run.isDryRun || !run.hasTime()) {
      counts.left += 1;
      if (run.isDryRun) run.note(`${nameOf(record, one)}: to be measured`);
      return undefined;
    }
    const key = `${one.others} ${keyOf(one)}`;
    if (!known.has(key)) known.set(key, await measureCombination(measuring, one));
    const row = rowOf(record, one, known.get(key), run.today);
    // Read again: what another process has written meanwhile stays.
    writeMatrix(run.repo, record.id, withRow(readMatrix(run.repo, record.id), record.version, row));
    counts.measured += 1;
    if (row.outcome === 'failed') counts.failed += 1;
    const ended = row.outcome === 'ok' ? 'ok' : `failed at ${failureText({ ...row, since: '' })}`;
    run.note(`${nameOf(record, one)}: ${ended}`);
    return { ...row, since: row.date };
  };
  for (const one of combinationsOf(axes)) {
    if (run.tags.length > 0 && !run.tags.includes(one.tag)) continue;
    const row = await measure(one);
    const lowest = withLowest(axes, one, hasMorePackages(record));
    if (row?.outcome === 'failed' && lowest !== undefined) await measure(lowest);
  }
}

/** Packages that are not axis: those of required builds, and those for development. */
function hasMorePackages({ kind, manifest }: PackageRecord): boolean {
  const own = Object.keys(manifest.devDependencies?.npm ?? {});
  return kind === 'module' && (own.length > 0 || Object.keys(manifest.builds ?? {}).length > 0);
}

/** What varies, and the stack tags that are no packages: builds provide them. */
async function availableAxes(
  run: MatrixRun,
  record: PackageRecord,
): Promise<{ readonly axes: readonly Axis[]; readonly tags: readonly string[] }> {
  const axes: Axis[] = [];
  const required = record.manifest.stack?.requires ?? {};
  const tags = new Set(Object.keys(required).filter((tag) => namesOfTag(tag) !== undefined));
  for (const wanted of axesOf(record)) {
    const { tag, kind, range } = wanted;
    const available = await run.available.of(wanted);
    // Minor versions of Python are as far apart as majors of others, and few are installed.
    const versions =
      kind === 'python'
        ? available.filter((version) => chooseVersions(range, [version]).length > 0)
        : chooseVersions(range, available);
    if (versions.length > 0) axes.push({ ...wanted, versions });
    else run.note(`${record.id} ${record.version}: "${tag}" is not measured: there is no version`);
    if (available.length === 0 && kind === 'npm' && required[tag] !== undefined) tags.add(tag);
  }
  return { axes, tags: [...tags] };
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

function rowOf(
  record: PackageRecord,
  { tag, version, others, versions }: Combination,
  failure: Failure | undefined,
  date: string,
): Omit<MatrixRow, 'since'> {
  const runtime = isPython(record) ? [] : [['node', process.versions.node] as const];
  const all = new Map([...runtime, ...Object.entries(versions)]);
  all.delete(tag);
  const common = { tag, version, others, with: Object.fromEntries(all), date };
  return failure === undefined
    ? { ...common, outcome: 'ok' }
    : { ...common, outcome: 'failed', ...failure };
}

function nameOf({ id, version }: PackageRecord, one: Combination): string {
  const others = one.others === 'lowest' ? ' with the lowest of the others' : '';
  return `${id} ${version}, ${one.tag} ${one.version}${others}`;
}
