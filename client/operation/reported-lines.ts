/** What became of the reports of a CI run, as lines. */
import type { CiReportResult } from '../publish/send-ci-reports.ts';
import { type StyledText, span } from '../terminal/styled-text.ts';
import type { Outcomes } from './report-outcomes.ts';

/** One line for each report that was sent. */
export function reportedLines(
  outcomes: Outcomes,
  results: readonly CiReportResult[],
): StyledText[] {
  return results.map(({ build, version, refused }) => {
    const about = `${build}@${version}`;
    if (refused !== undefined) return [span('changed', 'refused'), `  ${about}: ${refused}`];
    return [span('good', 'reported'), `  ${about}  ${outcomes.get(build) ?? ''}`];
  });
}
