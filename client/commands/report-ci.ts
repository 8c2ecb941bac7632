/** `report --ci`: reports an outcome of this CI run, signed by its own identity, for workflows that run tests themselves. */
import { ClientError } from '../errors.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import type { ReportServiceOptions } from '../prove/report-outcomes.ts';
import { reportOutcomes, reportedLines } from '../prove/report-outcomes.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { verify } from './verify-files.ts';

/** Stands for all installed builds. */
const ALL = '.';

/**
 * @param build the id of an installed build, or `.` for all of them
 * @throws {ClientError} `ERR_LOCK`; `ERR_NOT_INSTALLED` for a build that is not installed from a registry
 */
export async function reportCi(
  build: string,
  outcome: string,
  options: ReportServiceOptions,
  context: CommandContext,
): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const published = Object.entries(lock.builds).flatMap(([id, { source, version }]) => {
    const isMeant = build === ALL || build === id || build === `${id}@${version}`;
    return isMeant && source === undefined ? [id] : [];
  });
  if (published.length === 0) {
    throw new ClientError('ERR_NOT_INSTALLED', `"${build}" is not installed from a registry`, {
      hint: 'a CI run reports about installed builds: give the id of one, or "." for all',
    });
  }
  const { differing } = await verify({ ...options, quiet: true }, context);
  const result = outcome === 'success' ? ('success' as const) : ('failure' as const);
  const outcomes = new Map(
    published.flatMap((id) => (differing.has(id) ? [] : [[id, result] as const])),
  );
  const { results, notes, error } = await reportOutcomes(project, lock, outcomes, options, context);
  const changed = published.flatMap((id) => {
    return differing.has(id) ? [`the files of "${id}" were changed`] : [];
  });
  const warnings = [...changed, ...notes].map((message) => {
    return { code: 'not-reported', message: `Not reported: ${message}`, path: '' };
  });
  for (const { message } of warnings) context.terminal.warn(message);
  const reports = results.map((one) => ({ ...one, outcome: result }));
  const text = reportedLines(outcomes, results);
  return { status: 'done', data: { reports }, warnings, text, ...(error && { error }) };
}
