/** Measures what is missing or stale of one version of a build. Each row is written before the next one is measured. */
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { failureText } from '../../format/index/known-good.ts';
import type { PackageRecord } from '../../format/index/record.ts';
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
import { chooseVersions, measureCombination, type Failure } from './measure-combination.ts';
import { readMatrix, writeMatrix, findRow, isStale, withRow } from './matrix-rows.ts';

/** What one run of the command shares. */
interface MatrixRun {
  readonly workplace: Workplace;
  readonly available: AvailableVersions;
  /** Top folder of the repository whose `signals/` are written. */
  readonly repo: string;
  /** Only these tags; all when empty. */
  readonly tags: readonly string[];
  readonly staleAfterDays: number;
  /** Measures rows that are not stale as well. */
  readonly again: boolean;
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
  const axes = await availableAxes(run, record);
  const measuring: Parameters<typeof measureCombination>[0] = { ...run, record, axes };
  // Combinations that are the same for several tags are measured once in a run.
  const known = new Map<string, Failure | undefined>();
  const measure = async (one: Combination): Promise<MatrixRow | undefined> => {
    const before = findRow(readMatrix(run.repo, record.id), record.version, one);
    if (before !== undefined && !run.again && !isStale(before, run.today, run.staleAfterDays)) {
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

async function availableAxes(run: MatrixRun, record: PackageRecord): Promise<Axis[]> {
  const axes: Axis[] = [];
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
  }
  return axes;
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
