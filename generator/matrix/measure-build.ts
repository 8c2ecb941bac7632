/** Measures what is missing or stale of one version of a build. Each row is written before the next one is measured. */
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { failureText } from '../../format/index/known-good.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { namesOfTag } from '../../scan/rules/quality/tag-interface.ts';
import { chooseVersions, type AvailableVersions } from './available-versions.ts';
import {
  axesOf,
  combinationsOf,
  isPython,
  keyOf,
  withLowest,
  type Axis,
  type Combination,
} from './combinations.ts';
import { findRow, isStale, readMatrix, withRow, writeMatrix } from './matrix-rows.ts';
import { measureCombination, type Failure } from './measure-combination.ts';
import { providersOf, type MeasuredRegistry } from './providers.ts';
import type { Workplace } from './workplace.ts';

/** What one run of the command shares. */
interface MatrixRun {
  readonly workplace: Workplace;
  readonly available: AvailableVersions;
  readonly registry: MeasuredRegistry;
  /** Top folder of the repository whose `signals/` are written. */
  readonly repo: string;
  readonly isDryRun: boolean;
  /** Such as `2026-11-23`. */
  readonly today: string;
  /** Whether another row may be begun. */
  readonly hasTime: () => boolean;
  readonly note: (line: string) => void;
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
