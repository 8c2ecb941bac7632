/**
 * What the last run of each command did, in one file beside the index, for monitoring: `.<name of the index>.run.json`. It is not
 * part of the index, whose bytes depend on the history alone. A failed run keeps the time of the last one that succeeded.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { parseDocument } from '../format/document/document.ts';
import { StackyardError } from '../format/errors.ts';
import { GeneratorError } from './errors.ts';
import { writeWhole } from './write-whole.ts';

/** What one command reports of its last run; more figures may stand beside these. */
const CommandRun = z.looseObject({
  /** In UTC. */
  ended_at: z.iso.datetime(),
  /** When a run last ended without an error, this one included; absent before the first. */
  succeeded_at: z.iso.datetime().optional(),
  ok: z.boolean(),
  seconds: z.number(),
  /** What stopped the run. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Seconds of processor time, by stage. */
  stages: z.record(z.string(), z.number()).optional(),
  problems: z.array(z.object({ code: z.string() }).loose()).optional(),
});
type CommandRun = z.infer<typeof CommandRun>;

const RUN_COMMANDS = ['generate', 'deploy', 'ingest'] as const;
type RunCommand = (typeof RUN_COMMANDS)[number];
const RunReport = z.object(
  Object.fromEntries(RUN_COMMANDS.map((name) => [name, CommandRun.optional()])) as Record<
    RunCommand,
    z.ZodOptional<typeof CommandRun>
  >,
);
type RunReport = z.infer<typeof RunReport>;

/** The file beside an index. */
export function runReportFile(index: string): string {
  const root = resolve(index);
  return join(dirname(root), `.${basename(root)}.run.json`);
}

/**
 * Does the work of a command and writes what came of it beside the index, also where it fails. What cannot be written, such as in a
 * folder that only others may write, is reported and fails nothing.
 * @param describe figures of a run that ended, with `ok` and without lists of any size but `problems`
 */
export async function reporting<Result>(
  command: RunCommand,
  index: string,
  work: () => Promise<Result>,
  describe: (result: Result) => Readonly<Record<string, unknown>> & { readonly ok: boolean },
): Promise<Result> {
  const started = performance.now();
  const write = (figures: Readonly<Record<string, unknown>> & { readonly ok: boolean }): void => {
    const seconds = Math.round(performance.now() - started) / 1000;
    writeRun(command, index, { seconds, ...figures });
  };
  try {
    const result = await work();
    write(describe(result));
    return result;
  } catch (error) {
    const code = error instanceof StackyardError ? error.code : 'ERR_UNEXPECTED';
    const message = error instanceof Error ? error.message : String(error);
    if (code !== 'ERR_USAGE') write({ ok: false, error: { code, message } });
    throw error;
  }
}

function writeRun(
  command: RunCommand,
  index: string,
  figures: Readonly<Record<string, unknown>> & { readonly ok: boolean },
): void {
  const file = runReportFile(index);
  try {
    // A failed run with wrong paths leaves nothing there.
    if (!figures.ok && !existsSync(index) && !existsSync(file)) return;
    const before = tryRead(file);
    const ended_at = new Date().toISOString();
    const succeeded_at = figures.ok ? ended_at : before[command]?.succeeded_at;
    const run = { ...figures, ended_at, ...(succeeded_at === undefined ? {} : { succeeded_at }) };
    writeWhole(file, canonicalJson({ ...before, [command]: run }));
  } catch (error) {
    console.error(`note: Cannot write "${file}", for monitoring: ${String(error)}`);
  }
}

/** A file that cannot be read is as good as none: the next run replaces it. */
function tryRead(file: string): RunReport {
  try {
    return parseDocument(RunReport, readFileSync(file), `"${file}"`);
  } catch {
    return {};
  }
}

/**
 * The reports of the last runs beside an index.
 * @throws {GeneratorError} `ERR_RUN_REPORT` where there is none, or it cannot be read
 */
export function readRunReport(index: string): RunReport {
  const file = runReportFile(index);
  if (!existsSync(file)) {
    throw new GeneratorError('ERR_RUN_REPORT', `There is no "${file}"`, {
      hint: 'run "stackyard-registry generate" first, or name its index with --out',
    });
  }
  try {
    return parseDocument(RunReport, readFileSync(file), `"${file}"`);
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    const hint = 'delete it: the next run writes it again';
    throw new GeneratorError('ERR_RUN_REPORT', cause.message, { cause, hint });
  }
}

/** Figures that become metrics, where a command reports them: name, unit and what it is. */
const GAUGES: readonly (readonly [field: string, name: string, help: string])[] = [
  ['builds', 'builds', 'Builds in the index'],
  ['versions', 'versions', 'Versions in the index'],
  ['published', 'published_versions', 'Versions that the last run added'],
  ['written', 'written_files', 'Files that the last run wrote'],
  ['removed', 'removed_files', 'Files that the last run removed'],
  ['uploaded', 'uploaded_files', 'Files that the last run uploaded'],
  ['uploaded_bytes', 'uploaded_bytes', 'Bytes that the last run uploaded'],
  ['lines', 'log_lines', 'Lines of access logs that the last run read'],
  ['downloads', 'log_downloads', 'Lines of these that are complete downloads'],
  ['not_understood', 'log_lines_not_understood', 'Lines of these in no known form'],
];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: [labels: Readonly<Record<string, string>>, value: number][];
}

/** The reports in the text format of Prometheus, version 0.0.4, for the textfile collector or a web server. */
export function metricsText(report: RunReport): string {
  const metrics = new Map<string, Metric>();
  const add = (
    name: string,
    help: string,
    value: number | undefined,
    labels: Readonly<Record<string, string>> = {},
  ): void => {
    if (value === undefined) return;
    const metric = metrics.get(name) ?? { name: `stackyard_${name}`, help, samples: [] };
    metrics.set(name, metric);
    metric.samples.push([labels, value]);
  };
  for (const command of RUN_COMMANDS) {
    const run = report[command];
    if (run === undefined) continue;
    const of = { command };
    add('run_ok', 'Whether the last run ended without an error', Number(run.ok), of);
    add('run_seconds', 'How long the last run took', run.seconds, of);
    add('run_end_time_seconds', 'When the last run ended', secondsOf(run.ended_at), of);
    add('run_success_time_seconds', 'When a run last succeeded', secondsOf(run.succeeded_at), of);
    for (const [stage, seconds] of Object.entries(run.stages ?? {})) {
      add('stage_seconds', 'Processor time of a stage of the last run', seconds, { ...of, stage });
    }
    const codes = Map.groupBy(run.problems ?? [], ({ code }) => code);
    const problems = 'Problems that the last run found, by code';
    if (run.problems?.length === 0) add('problems', problems, 0, { ...of, code: '' });
    for (const [code, all] of codes) add('problems', problems, all.length, { ...of, code });
    for (const [field, name, help] of GAUGES) {
      const value = run[field];
      if (typeof value === 'number') add(name, help, value);
    }
  }
  return [...metrics.values()].map(metricText).join('');
}

function metricText({ name, help, samples }: Metric): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1000;
}
