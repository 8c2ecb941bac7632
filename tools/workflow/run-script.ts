/** Runs the main function of a workflow's script; an error becomes one annotation and exit status 1. */
import { escapeCommandData } from '../../generator/gate/escape.ts';

export async function runScript(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    // The text may quote what a publisher wrote: it must not become a command of the log.
    const message = error instanceof Error ? error.message : String(error);
    console.log(`::error::${escapeCommandData(message)}`);
    process.exitCode = 1;
  }
}
