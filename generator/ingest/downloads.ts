/** `ingest downloads`: access logs in, download counts in `signals/` out. Each log counts whole or not at all. */
import { StackyardError } from '../../format/errors.ts';
import { mergeSignals, type Signals } from '../../format/registry/signals.ts';
import { formatDay } from '../../format/statement/day.ts';
import { tryParseCommonLine } from './common-log.ts';
import type { IngestState } from './ingest-state.ts';
import { tryParseJsonLine, type LogEntry } from './json-log.ts';
import { LogLines } from './log-lines.ts';
import type { PublishedVersions } from './published-versions.ts';
import { readLogFile } from './read-log-file.ts';
import { SignalsFiles } from './signals-files.ts';
import { Tally, type TallyOptions, type Verdict } from './tally.ts';

/** A day is closed this many days after it ended and after it was first seen. */
const KEEP_DAYS = 35;

interface DownloadsOptions extends TallyOptions {
  readonly logs: readonly string[];
  /** Top folder of the registry's working tree. */
  readonly repo: string;
  /** Name of this collector: its counts are separate from those of others. */
  readonly source: string;
}

interface LogReport {
  readonly log: string;
  readonly lines: number;
  /** Lines about tarballs in a form that is not known. */
  readonly malformed: number;
  /** The first of them, counted from 1; 0 without one. */
  readonly malformedAt: number;
  readonly tooLong: number;
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
}

interface DownloadsReport {
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
  const closedDays = state.closeDays(options.today, KEEP_DAYS);
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
  let [malformed, malformedAt] = [0, 0];
  const lines = new LogLines((line) => {
    const entry = tryParseLine(line);
    if (entry !== undefined) tally.add(entry);
    else {
      malformed += 1;
      malformedAt ||= lines.lines;
    }
  });
  for await (const chunk of readLogFile(log)) lines.push(chunk);
  lines.end();
  const verdicts = Object.fromEntries(tally.verdicts);
  return { log, lines: lines.lines, malformed, malformedAt, tooLong: lines.tooLong, verdicts };
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
  const files = new SignalsFiles(repo);
  for (const id of state.unwritten()) {
    try {
      if (files.write(id, countedSignals(files.read(id), id, source, state))) {
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

/** Reads a line, by the form that its beginning shows; `undefined` for a line that is no request in a known form. */
export function tryParseLine(line: string): LogEntry | undefined {
  return line.startsWith('{') ? tryParseJsonLine(line) : tryParseCommonLine(line);
}
