/** `ingest downloads`: access logs in, download counts in `signals/` out. Each log counts whole or not at all. */
import { formatDay } from '../../format/statement/day.ts';
import { StackyardError } from '../../format/errors.ts';
import { mergeSignals } from '../../format/registry/signals.ts';
import type { Signals } from '../../format/registry/signals.ts';
import type { IngestState } from './ingest-state.ts';
import { readLogFile } from './log-file.ts';
import { LogLines } from './log-lines.ts';
import { LogParser } from './log-parser.ts';
import type { PublishedVersions } from './published-versions.ts';
import { readSignals, writeSignals } from './signals-folder.ts';
import { Tally } from './tally.ts';
import type { TallyOptions, Verdict } from './tally.ts';

export interface DownloadsOptions extends TallyOptions {
  readonly logs: readonly string[];
  /** Top folder of the registry's working tree. */
  readonly repo: string;
  /** Name of this collector: its counts are separate from those of others. */
  readonly source: string;
  /** A day is closed this many days after it ended and after it was first seen. */
  readonly keepDays: number;
}

interface LogReport {
  readonly log: string;
  readonly lines: number;
  /** Lines about tarballs in a form that is not known. */
  readonly malformed: number;
  readonly tooLong: number;
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
}

export interface DownloadsReport {
  readonly logs: readonly LogReport[];
  /** Logs of which nothing was counted. */
  readonly problems: readonly StackyardError[];
  /** Builds whose signals changed. */
  readonly changed: readonly string[];
  readonly closedDays: number;
}

/** Counts the downloads of logs and writes the signals that changed. */
export async function ingestDownloads(
  options: DownloadsOptions,
  versions: PublishedVersions,
  state: IngestState,
): Promise<DownloadsReport> {
  const logs: LogReport[] = [];
  const problems: StackyardError[] = [];
  for (const log of options.logs) {
    state.begin();
    try {
      logs.push(await countLog(log, options, versions, state));
      state.commit();
    } catch (error) {
      state.rollback();
      if (!(error instanceof StackyardError)) throw error;
      problems.push(error);
    }
  }
  state.begin();
  const closedDays = state.closeDays(options.today, options.keepDays);
  state.commit();
  const changed = writeCounts(options, state, problems);
  return { logs, problems, changed, closedDays };
}

async function countLog(
  log: string,
  options: TallyOptions,
  versions: PublishedVersions,
  state: IngestState,
): Promise<LogReport> {
  const tally = new Tally(versions, state, options);
  const parser = new LogParser();
  let malformed = 0;
  const lines = new LogLines((line) => {
    const entry = parser.parse(line);
    if (entry !== undefined) tally.add(entry);
    else if (!line.startsWith('#')) malformed += 1;
  });
  for await (const chunk of readLogFile(log)) lines.push(chunk);
  lines.end();
  tally.flush();
  const verdicts = Object.fromEntries(tally.verdicts);
  return { log, lines: lines.lines, malformed, tooLong: lines.tooLong, verdicts };
}

/**
 * Writes the counts that are newer than their files; what a run that was stopped had counted but not
 * written is written by the next.
 */
function writeCounts(
  { repo, source }: DownloadsOptions,
  state: IngestState,
  problems: StackyardError[],
): string[] {
  const changed: string[] = [];
  const written: string[] = [];
  for (const id of state.unwritten()) {
    try {
      if (writeSignals(repo, id, countedSignals(readSignals(repo, id), id, source, state))) {
        changed.push(id);
      }
      written.push(id);
    } catch (error) {
      if (!(error instanceof StackyardError)) throw error;
      problems.push(error);
    }
  }
  state.begin();
  for (const id of written) state.setWritten(id);
  state.commit();
  return changed;
}

function countedSignals(before: Signals, id: string, source: string, state: IngestState): Signals {
  const { months, newest } = state.countedMonths(id);
  const downloads = Object.values(months)
    .flatMap((versions) => Object.values(versions))
    .reduce((sum, count) => sum + count, 0);
  const updated_at = `${formatDay(newest)}T00:00:00.000Z`;
  const counted = { ...before, downloads, earlier: 0, months: { [source]: months }, updated_at };
  return mergeSignals(before, counted);
}
