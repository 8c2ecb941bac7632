/** What a run of `ingest` prints: problems, notes, and a summary for people or a report for programs. */
import type { StatementKind } from '../../format/statement/statement.ts';
import type { ingestDownloads } from './downloads.ts';
import { MAX_LINE_BYTES } from './log-lines.ts';
import type { ingestStatements } from './statements.ts';

type DownloadsReport = Awaited<ReturnType<typeof ingestDownloads>>;

/** What was refused, for people; `code` is an error's or a refusal's. */
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface Outcome {
  readonly problems: readonly Problem[];
  /** What is no fault, but nobody should miss. */
  readonly notes?: readonly string[];
  readonly summary: string;
  /** What `--json` prints. */
  readonly report: Readonly<Record<string, unknown>>;
}

/** What the report of the run has. */
export function figuresOf({ logs, problems, changed }: DownloadsReport): {
  readonly ok: boolean;
  readonly lines: number;
  readonly downloads: number;
  readonly not_understood: number;
} & Readonly<Record<string, unknown>> {
  const sum = (count: (log: DownloadsReport['logs'][number]) => number): number =>
    logs.reduce((total, log) => total + count(log), 0);
  return {
    ok: problems.length === 0,
    lines: sum((log) => log.lines),
    downloads: sum((log) => log.verdicts.download ?? 0),
    not_understood: sum((log) => log.malformed + log.tooLong),
    changed_signals: changed.length,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

export function downloadsOutcome(report: DownloadsReport): Outcome {
  const { logs, problems, changed, closedDays } = report;
  const { lines, downloads, not_understood: skipped } = figuresOf(report);
  return {
    problems,
    notes: logs.flatMap(({ log, malformed, malformedAt, tooLong }) => [
      ...(malformed === 0
        ? []
        : [
            `Log "${log}": ${malformed} lines about tarballs are in no known form and were not counted; the first is line ${malformedAt}. The forms: docs/signals.md`,
          ]),
      ...(tooLong === 0
        ? []
        : [
            `Log "${log}": ${tooLong} lines are longer than ${MAX_LINE_BYTES} bytes and were not read`,
          ]),
    ]),
    summary:
      `logs: ${logs.length} read, ${problems.length} refused; lines: ${lines}, ` +
      `${downloads} of them complete downloads, repeats among them, ${skipped} not understood; ` +
      `signals: ${changed.length} changed; days closed: ${closedDays}`,
    report: {
      ok: problems.length === 0,
      logs,
      changed,
      closed_days: closedDays,
      problems: problems.map(({ code, message }) => ({ code, message })),
    },
  };
}

export function statementsOutcome(
  kind: StatementKind,
  report: Awaited<ReturnType<typeof ingestStatements>>,
): Outcome {
  const { accepted, superseded, own, dismissed, refusals, changed } = report;
  const problems = refusals.map(({ code, where, message }) => {
    return { code, message: `${where}: ${message}` };
  });
  return {
    problems,
    summary:
      `${kind}: ${accepted} accepted (${superseded} superseded, ${own} of the publisher, ` +
      `${dismissed} dismissed), ${refusals.length} refused; signals: ${changed.length} changed`,
    report: { ok: refusals.length === 0, ...report },
  };
}
