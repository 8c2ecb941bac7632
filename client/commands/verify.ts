/**
 * `verify` with `--report`, `--test` or `--guides`: compares the installed files, and runs the tests of the project or the
 * checks of the guides. With `--report`, one outcome for each build is sent, signed by the CI run. The exit status is that of the tests.
 */
import { z } from 'zod';
import { CiReports, define, service } from './options.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { withCached } from '../registry/open-registry.ts';
import type { ReportServiceOptions } from '../prove/report-outcomes.ts';
import { reportOutcomes, reportedLines } from '../prove/report-outcomes.ts';
import {
  joinRuns,
  readGuides,
  runExpectations,
  runGuideChecks,
  runShell,
  testCommand,
} from '../prove/run-tests.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { span } from '../terminal/styled-text.ts';
import { verify } from './verify-files.ts';

type Outcomes = Parameters<typeof reportedLines>[0];

interface VerifyReportOptions extends ReportServiceOptions {
  /** Sends the outcomes. */
  readonly report: boolean;
  /** The command that tests the project. */
  readonly test?: string | undefined;
  /** Runs the checks of the guides instead of the tests. */
  readonly guides: boolean;
}

interface TestRun {
  readonly commands: readonly { readonly command: string; readonly status: number }[];
  readonly status: number;
  readonly outcomes: Outcomes;
  readonly notes: readonly string[];
}

/** @throws {ClientError} `ERR_LOCK`; `ERR_USAGE` when there is nothing to run */
async function verifyAndReport(
  options: VerifyReportOptions,
  context: CommandContext,
): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  // Fails before the tests have taken their time.
  const test = options.guides ? options.test : await testCommand(project, options.test);
  const verified = await verify(options, context);
  const changed = [...verified.differing].map((id) => `the files of "${id}" were changed`);
  const published = Object.entries(lock.builds).flatMap(([id, { source }]) => {
    return source === undefined && !verified.differing.has(id) ? [id] : [];
  });
  const run = options.guides
    ? await runGuides(project, lock, published, options, context)
    : await runProjectTests(project, test ?? '', published, context);
  const sent: Awaited<ReturnType<typeof reportOutcomes>> = options.report
    ? await reportOutcomes(project, lock, run.outcomes, options, context)
    : { results: [], notes: [] };
  const { results, notes } = sent;
  const error = verified.error ?? sent.error;
  const unsent = options.report ? [...changed, ...run.notes, ...notes] : run.notes;
  const warnings = unsent.map((message) => {
    return { code: 'not-reported', message: `Not reported: ${message}`, path: '' };
  });
  for (const { message } of warnings) context.terminal.warn(message);
  const { commands, status, outcomes } = run;
  const ended = commands.map(({ command, status: of }) => {
    return [command, '  ', of === 0 ? span('good', 'passed') : span('bad', `status ${of}`)];
  });
  return {
    ...verified,
    status: status === 0 ? 'done' : 'different',
    // What the lock does not prove, or has not accepted, is an error of its own.
    ...(error === undefined || status !== 0 ? { exitStatus: status } : {}),
    ...(error && { error }),
    data: { ...verified.data, tests: commands, reports: reportsOf(outcomes, results) },
    warnings: [...(verified.warnings ?? []), ...warnings],
    text: [...verified.text, ...ended, ...reportedLines(outcomes, results)],
  };
}

function reportsOf(
  outcomes: Outcomes,
  results: Awaited<ReturnType<typeof reportOutcomes>>['results'],
): object[] {
  return results.map((one) => ({ ...one, outcome: outcomes.get(one.build) }));
}

async function runProjectTests(
  project: string,
  test: string,
  builds: readonly string[],
  { signal, terminal }: CommandContext,
): Promise<TestRun> {
  terminal.message(`Running ${test}`);
  const { command, status } = await runShell(project, test, signal);
  const outcome = status === 0 ? 'success' : 'failure';
  const outcomes = new Map(builds.map((build) => [build, outcome] as const));
  return { commands: [{ command, status }], status, outcomes, notes: [] };
}

/** Without the guides, which the registry has, the tests of the project run: a run that runs nothing proves nothing. */
async function runGuides(
  project: string,
  lock: Lock,
  builds: readonly string[],
  options: VerifyReportOptions,
  context: CommandContext,
): Promise<TestRun> {
  const installed = Object.entries(lock.builds).filter(([id]) => builds.includes(id));
  let guides: Awaited<ReturnType<typeof readGuides>>;
  try {
    guides = await withCached(options, lock, context, (registry) =>
      readGuides(registry, installed),
    );
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'ERR_NETWORK') throw error;
    context.terminal.warn(`The guides cannot be read, so the tests run: ${error.message}`);
    const test = await testCommand(project, options.test);
    return runProjectTests(project, test, builds, context);
  }
  const { signal, terminal } = context;
  const outcomes = new Map<string, 'success' | 'failure'>();
  const commands: { command: string; status: number }[] = [];
  const notes: string[] = [];
  let status = 0;
  for (const [build, guide] of guides) {
    const given = [project, build, guide ?? '', signal, terminal.message] as const;
    const checked = await runGuideChecks(...given);
    const { kind, wiring } = lock.builds[build]!;
    // Where people carried the steps out, the routes may be elsewhere.
    const isCarriedOut = kind === 'foundation' || wiring !== undefined;
    const answered = isCarriedOut ? await runExpectations(...given) : undefined;
    const run = joinRuns(checked, answered);
    if (run === undefined) notes.push(`the guide of "${build}" has no command that runs by itself`);
    else outcomes.set(build, run.status === 0 ? 'success' : 'failure');
    status ||= run?.status ?? 0;
    commands.push(...(run?.ran ?? []).map((one) => ({ command: one.command, status: one.status })));
  }
  return { commands, status, outcomes, notes };
}

export const command = define({
  description:
    'Compares the files of installed builds with stackyard.lock.json; exit status 10 when some differ in more than their formatting or place. With --report, --test or --guides it also runs commands, and the exit status is theirs',
  input: z.object({
    report: z
      .boolean()
      .default(false)
      .meta({ description: 'in CI: run the tests and report their outcome for each build' }),
    test: z.string().optional().meta({
      description: 'run this command, which tests the project',
      placeholder: 'command',
    }),
    guides: z
      .boolean()
      .default(false)
      .meta({ description: 'run the Verify commands of the guides of builds instead' }),
    service,
  }),
  output: z.looseObject({
    builds: z.int(),
    files: z.int(),
    differences: z.array(
      z.looseObject({
        build: z.string(),
        path: z.string(),
        state: z.string().describe('"modified", "missing", "not-a-file", and such.'),
        line_ends: z.literal(true).optional().describe('Only its line ends differ.'),
        why: z.string().optional().describe('Why it was compared by its bytes alone.'),
      }),
    ),
    moved: z
      .array(z.looseObject({ build: z.string(), path: z.string(), to: z.string() }))
      .optional()
      .describe('Files that the user moved: they are compared at their new place.'),
    reformatted: z
      .array(z.looseObject({ build: z.string(), path: z.string() }))
      .optional()
      .describe('Files that differ only in their formatting: they count as unmodified.'),
    tests: z
      .array(z.strictObject({ command: z.string(), status: z.int() }))
      .optional()
      .describe('What ran, with --report.'),
    reports: CiReports.optional(),
  }),
  examples: ['verify -C my-app --json'],
  run: async (input, shared, context) => {
    const options = { ...shared, ...input };
    if (!input.report && !input.guides && input.test === undefined) return verify(options, context);
    return verifyAndReport(options, context);
  },
});
