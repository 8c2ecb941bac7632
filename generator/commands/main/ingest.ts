/** The command `ingest`: arguments in, signals, report and exit status out. The only catch. */
import { StackyardError } from '../../../format/errors.ts';
import { printable } from '../../../format/build/file-path.ts';
import { USAGE, parseIngestOptions } from '../../ingest/options.ts';
import { runIngest } from '../../ingest/run.ts';

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseIngestOptions(argv);
    if (options === undefined) {
      process.stdout.write(USAGE);
      return 0;
    }
    const outcome = await runIngest(options, Date.now());
    for (const { message, hint, code } of outcome.problems) {
      console.error(`error: ${printable(message)} [${code}]`);
      if (hint !== undefined) console.error(`hint: ${printable(hint)}`);
    }
    console.log(options.json ? JSON.stringify(outcome.report, null, 2) : outcome.summary);
    return outcome.problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    console.error(`error: ${printable(error.message)} [${error.code}]`);
    if (error.hint !== undefined) console.error(`hint: ${printable(error.hint)}`);
    return error.code === 'ERR_USAGE' ? 2 : 1;
  }
}
