/** The result of a run, for people and for programs: figures and faults. */
import { FINDING_TEXTS } from '../../format/finding/catalogue.ts';
import { finding, findingMessage } from '../../format/finding/finding.ts';
import { printable } from '../../format/build/file-path.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import {
  BUILDS_FOLDER,
  buildFolder,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { latestTime, timeProblem } from '../git/commits.ts';
import { countLogFiles } from '../log/log-files.ts';
import { countMapFiles } from '../log/write-map.ts';
import type { Problem, State } from '../state/state.ts';
import { CLIENT_FILES, FIXED_DOCUMENTS } from './fixed-documents.ts';
import type { StageSeconds } from './stage-clock.ts';

interface Problems {
  /** These make the run end with status 1. */
  readonly failing: readonly Problem[];
  /** These are listed in `registry.config.json` under `acknowledged`. */
  readonly acknowledged: readonly (Problem & { readonly reason: string })[];
}

export interface Report {
  readonly isFull: boolean;
  /** The registry has a public name, and nobody signs its log. */
  readonly isUnsigned: boolean;
  /** The log is signed, and continues none that is published: this is right once for each registry. */
  readonly isNewLog: boolean;
  /** Files of the OSV dump that are not OSV entries, where it was read. */
  readonly unusable: number;
  /** The commit that the index now shows. */
  readonly head: string;
  readonly builds: number;
  readonly versions: number;
  /** Versions that this run added. */
  readonly published: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Pages of the site that were written; absent without a site. */
  readonly pages?: number;
  readonly problems: Problems;
  /** Paths of documents in which a full run found other bytes than the runs before it, which had nothing else to read. It corrected them. */
  readonly differences: readonly string[];
  readonly stages: StageSeconds;
}

/** The result of a run, before its files are counted. @param time of the newest commit; `now` is that of this machine */
export function reportOf(
  state: State,
  config: RegistryConfig,
  {
    time,
    now,
    ...run
  }: Pick<Report, 'head' | 'isFull' | 'published' | 'isUnsigned' | 'unusable'> & {
    readonly time: string;
    readonly now: Date;
  },
) {
  const { builds, versions } = state.counts();
  const early = futureProblems(state, config, { commit: run.head, published_at: time }, now);
  const problems = sortProblems([...state.problems(), ...early], config.acknowledged);
  return { ...run, builds, versions, problems };
}

/**
 * Versions, and the newest commit, with times that are more than a day ahead. Their times stay: nothing but this depends on the clock of
 * the machine that generates.
 */
function futureProblems(
  state: State,
  layout: Layout,
  head: { readonly commit: string; readonly published_at: string },
  now: Date,
): Problem[] {
  const latest = latestTime(now);
  const places = state
    .publishedAfter(latest)
    .map(({ id, ...version }) => ({ ...version, path: buildFolder(id, layout) }));
  if (head.published_at > latest && places.every(({ commit }) => commit !== head.commit)) {
    places.push({ ...head, path: `${layout.root}${BUILDS_FOLDER}` });
  }
  return places.map(({ commit, path, published_at: at }) => {
    const args = { commit, problem: timeProblem(at, now) ?? '' };
    return { commit, path, finding: finding('integrity-commit-time', '', args) };
  });
}

/** `report` with the files of the index counted. */
export function withFiles(
  report: Omit<Report, 'written' | 'unchanged' | 'removed'>,
  state: State,
  { client, hasItems }: { readonly client: string | undefined; readonly hasItems: boolean },
  { written, removed }: { readonly written: number; readonly removed: number },
): Report {
  const { ids, versions, owners, shards } = state.counts();
  // A tarball unless it is gone and a document for each version; a record and a head for each build, with what the head names; the catalog.
  const fixed = FIXED_DOCUMENTS + (client === undefined ? 0 : CLIENT_FILES);
  const items = hasItems ? state.shadcn.count() + (state.shadcn.isListed() ? 1 : 0) : 0;
  const total =
    2 * versions -
    state.withdrawals.all().size +
    2 * ids +
    owners +
    shards +
    state.advisories.count() +
    state.matrix.count() +
    items +
    fixed +
    1 +
    countLogFiles(state.log) +
    countMapFiles(state) +
    state.map.digests().size;
  return { ...report, written, unchanged: total - written, removed };
}

/** Sets aside the problems whose commit is acknowledged. */
function sortProblems(
  problems: readonly Problem[],
  acknowledged: Readonly<Record<string, string>>,
): Problems {
  const reasonFor = (p: Problem): string | undefined =>
    Object.hasOwn(acknowledged, p.commit) ? acknowledged[p.commit] : undefined;
  return {
    failing: problems.filter((p) => reasonFor(p) === undefined),
    acknowledged: problems.flatMap((p) => {
      const reason = reasonFor(p);
      return reason === undefined ? [] : [{ ...p, reason }];
    }),
  };
}

/** `error: builds/a/b/stackyard.json (commit 0123abcd): ... [manifest-json]` */
export function formatProblem(problem: Problem, level = 'error'): string {
  const { commit, finding } = problem;
  const where = commit === '' ? '' : ` (commit ${commit.slice(0, 12)})`;
  return `${level}: ${fileOf(problem)}${where}: ${findingMessage(finding)} [${finding.code}]`;
}

/** What the owner, or who merges, does about it. */
export function remedyOf({ finding: { code } }: Problem): string {
  return FINDING_TEXTS[code].remedy;
}

/** `error: heads/a/x.json was not what a full run makes, and is corrected [ERR_INDEX_DIFFERS]` */
export function formatDifference(path: string): string {
  return `error: ${printable(path)} was not what a full run makes, and is corrected [ERR_INDEX_DIFFERS]`;
}

/** The summary that ends every run. */
export function formatSummary(report: Report, seconds: number): string {
  const { builds, versions, written, unchanged, removed, pages } = report;
  const kind = report.isFull ? 'full run' : 'incremental run';
  return (
    `builds: ${builds}, versions: ${versions}; files: ${written} written, ${unchanged} unchanged, ` +
    `${removed} removed; ${pages === undefined ? '' : `pages: ${pages} written; `}${seconds.toFixed(2)} s (${kind})`
  );
}

/** The report as `--json` prints it. */
export function reportJson(
  report: Report,
  seconds: number,
): Record<string, unknown> & { readonly ok: boolean } {
  const { problems, isFull, isUnsigned, isNewLog, unusable, head, ...figures } = report;
  const publish = (p: Problem): Record<string, unknown> => ({
    commit: p.commit,
    path: fileOf(p),
    code: p.finding.code,
    level: p.finding.level,
    message: findingMessage(p.finding),
    remedy: remedyOf(p),
  });
  return {
    ok: problems.failing.length === 0 && report.differences.length === 0,
    mode: isFull ? 'full' : 'incremental',
    source_commit: head,
    ...figures,
    log_signed: !isUnsigned,
    new_log: isNewLog,
    ...(unusable === 0 ? {} : { osv_unusable: unusable }),
    seconds: Math.round(seconds * 1000) / 1000,
    problems: problems.failing.map(publish),
    acknowledged: problems.acknowledged.map((p) => ({ ...publish(p), reason: p.reason })),
  };
}

function fileOf({ path, finding }: Problem): string {
  return printable(finding.file === '' ? path : `${path}/${finding.file}`);
}
