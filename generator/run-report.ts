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
import { explainFullDisk } from './errors.ts';
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
 * Does the work of a command and writes what came of it beside the index, also where it fails, such as on a full disk. What cannot be written, such as in a
 * folder that only others may write, is reported and fails nothing.
 * @throws {StackyardError} those of the work, and `ERR_DISK_FULL`
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
  } catch (thrown) {
    const error = explainFullDisk(thrown);
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
