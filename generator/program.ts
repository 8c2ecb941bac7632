/** The commands of `stackyard-registry`, and one run of it: reads the command line, loads the command, prints what stops it. */
import { readCommandLine, type AnyCommand, type Program } from '../format/command/command.ts';
import { StackyardError } from '../format/errors.ts';
import { formatError } from './errors.ts';
import { programVersion } from './packaged.ts';

/** A command; it returns the exit status. */
type Runnable = AnyCommand<unknown, undefined, number>;
type Load = () => Promise<{ readonly command: Runnable }>;

/** By group: name, summary, and where it is. */
const COMMANDS: Readonly<Record<string, readonly (readonly [string, string, Load])[]>> = {
  'Set up': [
    ['init', 'makes the repository of a registry', () => import('./commands/init.ts')],
    ['doctor', 'names the state of key and code host', () => import('./commands/doctor.ts')],
  ],
  Index: [
    ['generate', 'generates the index from git history', () => import('./commands/generate.ts')],
    ['serve', 'generates the index and serves it here', () => import('./commands/serve.ts')],
    ['dev', 'serves the site of the working tree', () => import('./commands/dev.ts')],
    ['deploy', 'uploads the index to a store or a folder', () => import('./commands/deploy.ts')],
  ],
  Contributions: [
    ['gate', 'judges a pull request: merge, review or refuse', () => import('./commands/gate.ts')],
    ['ingest', 'counts downloads, reports and flags', () => import('./commands/ingest.ts')],
    ['matrix', 'measures ranges of builds', () => import('./commands/matrix.ts')],
    ['take-down', 'takes a version or build down', () => import('./commands/take-down.ts')],
    ['host', 'does a job of the workflows at the code host', () => import('./commands/host.ts')],
  ],
  Log: [
    ['audit', 'checks a registry against its log and a clone', () => import('./commands/audit.ts')],
    ['log:key', 'makes a key for the transparency log', () => import('./commands/log-key.ts')],
    ['log:cosign', 'asks the witnesses of the log', () => import('./commands/log-cosign.ts')],
    ['log:keep', 'keeps the log in a branch', () => import('./commands/log-keep.ts')],
  ],
};

export const PROGRAM: Program<Runnable> = {
  name: 'stackyard-registry',
  description:
    'Runs a registry of reusable project builds: judges pull requests, generates the index, deploys it.',
  get version() {
    return programVersion();
  },
  commands: Object.entries(COMMANDS).flatMap(([group, commands]) =>
    commands.map(([name, summary, load]) => {
      return { group, name, summary, load: async () => (await load()).command };
    }),
  ),
  shared: [],
  examples: ['init my-registry', 'generate --repo my-registry'],
};

/** @returns the exit status: 2 for wrong usage, 1 for another error of ours @throws what is no error of ours */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    const reading = await readCommandLine(PROGRAM, words);
    if (reading.kind === 'run') {
      return await reading.command.run(reading.input as never, undefined, undefined);
    }
    if (reading.kind === 'version') console.log(PROGRAM.version);
    else {
      const { commandHelp, programHelp } = await import('../format/command/help.ts');
      const columns = process.stdout.columns;
      process.stdout.write(
        reading.kind === 'command-help'
          ? commandHelp(PROGRAM, reading.entry, reading.command, reading.fields, columns)
          : programHelp(PROGRAM, columns),
      );
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    console.error(formatError(error));
    return error.code === 'ERR_USAGE' ? 2 : 1;
  }
}
